// Behaviour 24: the emergency stop, its latch and the way out of it.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::kMillisecond;
using duo::reach;

TEST(Kernel, EStopIsDecidedInTheSameTickAndLatches) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  bench.estop(true);
  const Output& output = bench.tick();
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ("estop", bench.reason_text());
  EXPECT_TRUE(output.emit);
  EXPECT_TRUE(output.command.braking);
  ASSERT_EQ(1u, output.reports.size());
  EXPECT_EQ(Severity::kAbort, output.reports[0].severity);
  bench.ticks(11);  // 0.6 / 0.05 = 12 with the first
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_FALSE(bench.tick().emit);
}

TEST(Kernel, AnEStopIsReportedWithItsSource) {
  Bench bench;
  bench.start();
  bench.estop(true, "wall");
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ("wall", bench.reports[0].source.view());
}

TEST(Kernel, OnlyAnEStopNamesItsSource) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  bench.recover_from_estop();
  bench.inputs.second_publisher = true;
  bench.tick();
  ASSERT_EQ(2u, bench.reports.size());
  EXPECT_EQ("pendant", bench.reports[0].source.view());
  EXPECT_EQ(Reason::kSecondPublisher, bench.reports[1].finding.reason);
  EXPECT_EQ("", bench.reports[1].source.view());
}

TEST(Kernel, EStopWhileBrakingStillLatches) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  while (bench.state() == State::kActive) bench.tick();
  bench.estop(true);
  bench.ticks(20);
  EXPECT_EQ(State::kLatched, bench.state());
}

TEST(Kernel, EStopWhileDisarmedLatches) {
  Bench bench;
  bench.ticks(2);
  bench.estop(true);
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
}

TEST(Kernel, ResetNeedsLevelClearStandstillAndCooldown) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(State::kLatched, bench.state());
  EXPECT_FALSE(bench.reset());
  bench.clear_estop(100);  // half a second: the cooldown is 1 s
  EXPECT_TRUE(bench.unmet(Reason::kEstopCooldown));
  EXPECT_FALSE(bench.reset());
  bench.clear_estop(100);
  bench.follows = false;
  bench.measured.velocity[1] = 0.1;
  bench.clear_estop(4);
  EXPECT_FALSE(bench.reset());
  bench.measured.velocity[1] = 0;
  bench.clear_estop(4);
  bench.inputs.arm = true;
  EXPECT_EQ(Reason::kLatched, bench.tick().arm.reason);  // arming alone does not do it
  EXPECT_TRUE(bench.reset());
  EXPECT_EQ(State::kDisarmed, bench.state());
  EXPECT_TRUE(bench.arm());
}

// Whoever asks to arm a latched robot is told that first, whatever else keeps it.
TEST(Kernel, ALatchIsTheAnswerToArming) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  bench.estop(true);
  bench.inputs.arm = bench.inputs.arm_recovery = true;
  const Output& output = bench.tick();
  EXPECT_EQ(Reason::kLatched, output.arm.reason);
  EXPECT_EQ(Reason::kLatched, output.arm_recovery.reason);
  EXPECT_TRUE(bench.unmet(Reason::kEstop));
}

TEST(Kernel, WhatArrivedWhileLatchedIsDiscarded) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_EQ(Reason::kLatched, bench.reports.back().finding.reason);
  EXPECT_EQ("estop", bench.reason_text());  // the cause stays in the status
  bench.recover_from_estop();
  ASSERT_TRUE(bench.arm());
  bench.ticks(20);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(0u, bench.status().chunks_admitted);
}

TEST(Kernel, AResetInTheTickThatLatchesIsRefused) {
  Bench bench;
  bench.start();
  for (int i = 0; i < 3; ++i) {
    bench.inputs.lateness = 6 * kMillisecond;
    bench.inputs.reset = bench.inputs.arm = i == 2;
    bench.tick();
  }
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_TRUE(bench.reset());
}

}  // namespace
}  // namespace openral::safety
