// Behaviour 29: every change, refusal and stop is said once, with its evidence.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::expect_finding;
using duo::long_reach;
using duo::reach;

TEST(Kernel, AChangeOfWhatIsUnmetIsAnnouncedOnce) {
  Bench bench;
  bench.ticks(4);
  EXPECT_FALSE(bench.tick().changed);
  bench.driver_silent = true;
  int announced = 0;
  for (int tick = 0; tick < 30; ++tick) announced += bench.tick().changed ? 1 : 0;
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
  EXPECT_EQ(1, announced);
}

TEST(Kernel, WhatIsUnmetNamesEveryCause) {
  Bench bench;
  bench.ticks(2);
  bench.estop(true);
  bench.inputs.second_publisher = true;
  bench.inputs.fault = true;
  bench.tick();
  EXPECT_TRUE(bench.unmet(Reason::kEstop));
  EXPECT_TRUE(bench.unmet(Reason::kSecondPublisher));
  EXPECT_TRUE(bench.unmet(Reason::kInternalFault));
  EXPECT_TRUE(bench.unmet(Reason::kEstopCooldown));
  EXPECT_TRUE(bench.unmet(Reason::kLatched));
  bench.estop(false);
  bench.tick();
  EXPECT_FALSE(bench.unmet(Reason::kEstop));
  EXPECT_FALSE(bench.unmet(Reason::kSecondPublisher));
  EXPECT_FALSE(bench.unmet(Reason::kInternalFault));
}

TEST(Kernel, EveryChangeOfStateIsAnnounced) {
  Bench bench;
  bench.ticks(4);
  bench.inputs.arm = true;
  EXPECT_TRUE(bench.tick().changed);
  EXPECT_FALSE(bench.tick().changed);
  auto chunk = reach();
  EXPECT_TRUE(bench.send(*chunk).changed);  // active
  bench.play(*chunk, 58);
  EXPECT_TRUE(bench.tick().changed);  // its end, under the same epoch and without a report
  EXPECT_FALSE(bench.tick().changed);
}

TEST(Kernel, AChangeOfWhatIsUnmetIsAnnouncedEvenInTheTickOfARequest) {
  Bench bench;
  bench.ticks(4);
  bench.inputs.second_publisher = true;
  bench.inputs.reset = true;
  EXPECT_TRUE(bench.tick().changed);
  // Latched by now, and the second publisher is gone: that alone is new.
  bench.inputs.reset = true;
  bench.inputs.fault = true;
  EXPECT_TRUE(bench.tick().changed);
  EXPECT_TRUE(bench.unmet(Reason::kInternalFault));
}

TEST(Kernel, EveryRefusalAndStopIsReportedWithItsEvidence) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-3");
  chunk->values[15] = 2.5;  // row 5, shoulder
  bench.send(*chunk);
  ASSERT_EQ(1u, bench.reports.size());
  const Report& refusal = bench.reports[0];
  EXPECT_EQ(Severity::kWarn, refusal.severity);
  expect_finding(refusal.finding, Reason::kPositionLimit, 5, 0, 2.5, 2);
  EXPECT_EQ("attempt-3", refusal.trace_id.view());
  auto good = reach();
  good->trace_id.assign("attempt-4");
  bench.play(*good, 8);
  bench.ticks(20);
  ASSERT_EQ(2u, bench.reports.size());
  EXPECT_EQ(Severity::kFail, bench.reports[1].severity);
  EXPECT_EQ(Reason::kChunkStale, bench.reports[1].finding.reason);
  EXPECT_EQ("attempt-4", bench.reports[1].trace_id.view());
  EXPECT_EQ(1u, bench.status().stops);
}

// Rows of four ticks: seven are over at the 29th, when the chunk that came with the 13th is stale.
TEST(Kernel, AStopNamesTheRowThatWasReached) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 13);
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(7, bench.status().finding.row);
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(7, bench.reports[0].finding.row);
  EXPECT_EQ(chunk->sequence, bench.reports[0].sequence);
}

// Counted in the window that is played, as the rows of a refusal are.
TEST(Kernel, AStopCountsItsRowInTheLastWindow) {
  Bench bench;
  bench.start();
  const auto rows = duo::shoulder_rows(duo::trapezoid(3, 44));
  auto first = duo::chunk(rows);
  bench.play(*first, 12);
  auto window = duo::chunk(duo::Rows(rows.begin() + 2, rows.end()));
  window->first_row = 2;
  bench.send(*window);
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(5, bench.status().finding.row);
}

TEST(Kernel, ALatchThatInterruptsNoChunkNamesNone) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-5");
  bench.play(*chunk, 61);
  ASSERT_EQ(State::kHolding, bench.state());
  bench.ticks(2);
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(Reason::kEstop, bench.reports[0].finding.reason);
  EXPECT_EQ(0u, bench.reports[0].sequence);
  EXPECT_EQ("", bench.reports[0].trace_id.view());
  EXPECT_EQ("", bench.reports[0].skill_id.view());
  EXPECT_EQ(-1, bench.reports[0].finding.row);
}

TEST(Kernel, ALatchThatInterruptsAChunkNamesItAndItsRow) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-6");
  bench.play(*chunk, 18);  // two ticks into the fifth row
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ("attempt-6", bench.reports[0].trace_id.view());
  EXPECT_EQ(4, bench.reports[0].finding.row);
}

TEST(Kernel, AHoldIsNoBraking) {
  Bench bench;
  bench.start();
  ASSERT_TRUE(bench.tick().emit);
  EXPECT_FALSE(bench.last.braking);
}

TEST(Kernel, TheSameInputReplaysToTheSameDecisions) {
  Bench first;
  Bench second;
  for (Bench* bench : {&first, &second}) {
    bench->start();
    auto chunk = reach();
    bench->play(*chunk, 30);
    bench->estop(true);
    bench->ticks(30);
  }
  expect_same_motion(first, second);
  for (std::size_t i = 0; i < first.emitted.size(); ++i) {
    EXPECT_EQ(i + 1, first.emitted[i].sequence);
    EXPECT_EQ(i + 1, second.emitted[i].sequence);
  }
  EXPECT_EQ(first.epoch(), second.epoch());
}

}  // namespace
}  // namespace openral::safety
