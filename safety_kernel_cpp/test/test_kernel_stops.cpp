// Behaviours 22, 24, 26, 28 and 29: where a stop begins, what is said of it, and what after it.
// it.
#include <cmath>

#include "bench.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::kMillisecond;
using duo::long_reach;

// An arm whose shoulder lags 0.01 rad behind, a tenth of what is allowed: a stop that begins at the
// measurement is told from one that begins at the last command.
class Lagging : public testing::Test {
 protected:
  explicit Lagging(const RawConfiguration& raw = duo::raw()) : bench_(raw) {
    bench_.obey = [](const Command& command, JointState& state) {
      state.position = command.position;
      state.position[0] -= 0.01;
      state.velocity = command.velocity;
    };
  }
  // 10 rows on, at 0.6 rad/s.
  void reach_speed() {
    bench_.start();
    chunk_ = long_reach();
    bench_.play(*chunk_, 40);
    ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
    ASSERT_NEAR(0.6, bench_.last.velocity[0], 1e-9);
  }
  // In the tick that has just passed a stop from `speed` has begun, `ticks` long, from `before` on.
  void expect_braking(double before, double speed = 0.6, int ticks = 12) {
    EXPECT_EQ(State::kBraking, bench_.state());
    EXPECT_TRUE(bench_.last.braking);
    const double slower = speed * (ticks - 1) / ticks;
    EXPECT_NEAR(slower, bench_.last.velocity[0], 1e-9);
    EXPECT_NEAR(before + slower * 0.005, bench_.last.position[0], 1e-12);
  }
  // Ticks until the motion ends; where it was before that.
  double tick_to_the_stop() {
    double before = 0;
    for (int i = 0; i < 100 && bench_.state() == State::kActive; ++i) {
      before = bench_.last.position[0];
      bench_.tick();
    }
    return before;
  }
  // `row`: the last one that was reached before the tick that stops.
  void expect_report(Severity severity, Reason reason, int row, double value, double limit) {
    ASSERT_EQ(1u, bench_.reports.size());
    const Report& report = bench_.reports[0];
    EXPECT_EQ(severity, report.severity);
    EXPECT_EQ(reason_name(reason), reason_name(report.finding.reason));
    EXPECT_EQ(row, report.finding.row);
    EXPECT_EQ(-1, report.finding.joint);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(report.finding.value));
      EXPECT_TRUE(std::isnan(report.finding.limit));
    } else {
      EXPECT_NEAR(value, report.finding.value, 1e-9);
      EXPECT_NEAR(limit, report.finding.limit, 1e-9);
    }
    EXPECT_EQ(1u, bench_.status().stops);
  }

  Bench bench_;
  std::unique_ptr<Chunk> chunk_;
};

// 50 ms, and one tick more: the last state came in the 39th tick of the motion, so the 50th stops.
// 49 quarters of a row lie before it.
TEST_F(Lagging, AStaleJointStateStopsFromTheLastCommand) {
  reach_speed();
  bench_.driver_silent = true;
  expect_braking(tick_to_the_stop());
  expect_report(Severity::kFail, Reason::kJointStateStale, 12, 0.055, 0.05);
}

// The last chunk came in the 37th tick: the 54th stops, after 53 quarters of a row.
TEST_F(Lagging, ADeadRunnerStopsFromTheLastCommand) {
  reach_speed();
  expect_braking(tick_to_the_stop());
  expect_report(Severity::kFail, Reason::kChunkStale, 13, 0.085, 0.08);
}

// Three rows and one: they end while the arm moves at 0.6 rad/s.
TEST_F(Lagging, AWindowThatEndsStopsFromTheLastCommand) {
  bench_.start();
  chunk_ = duo::chunk(duo::shoulder_rows({0.2, 0.4, 0.6}));
  chunk_->last = false;
  bench_.send(*chunk_);
  expect_braking(tick_to_the_stop());
  expect_report(Severity::kFail, Reason::kWindowExhausted, 3, 3, 3);
}

TEST_F(Lagging, AnEStopBrakesFromTheLastCommand) {
  reach_speed();
  const double before = bench_.last.position[0];
  bench_.estop(true);
  bench_.tick();
  expect_braking(before);
  expect_report(Severity::kAbort, Reason::kEstop, 10, kNoValue, kNoValue);
  // The level stays: one stop, one report.
  for (int i = 0; i < 30; ++i) {
    bench_.estop(true);
    bench_.tick();
  }
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(1u, bench_.status().stops);
}

TEST_F(Lagging, ASecondPublisherBrakesFromTheLastCommand) {
  reach_speed();
  const double before = bench_.last.position[0];
  bench_.inputs.second_publisher = true;
  bench_.tick();
  expect_braking(before);
  expect_report(Severity::kAbort, Reason::kSecondPublisher, 10, kNoValue, kNoValue);
}

// The elbow is 3 times as fast as it may be, 0.5 rad/s: no row of joints begins there.
TEST_F(Lagging, AMeasurementBeyondItsLimitLatchesWithoutAnotherRow) {
  reach_speed();
  bench_.obey = nullptr;
  bench_.follows = false;
  bench_.measured.velocity[1] = -1.6;
  const std::size_t emitted = bench_.emitted.size();
  bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ(emitted, bench_.emitted.size());
  ASSERT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(Severity::kAbort, bench_.reports[0].severity);
  EXPECT_EQ("state_velocity_limit", bench_.reason_text());
  EXPECT_EQ(10, bench_.reports[0].finding.row);
  EXPECT_EQ(1, bench_.reports[0].finding.joint);
  EXPECT_EQ(1.6, bench_.reports[0].finding.value);
  EXPECT_EQ(1.5, bench_.reports[0].finding.limit);
  EXPECT_EQ(1u, bench_.status().stops);
}

// An e-stop that comes into a stop goes on with it, tick by tick as it would have gone.
TEST_F(Lagging, AnEStopInAStopGoesOnWithIt) {
  Bench alone;
  alone.start();
  auto chunk = long_reach();
  alone.play(*chunk, 40);
  while (alone.state() == State::kActive) alone.tick();
  alone.ticks(20);
  bench_.obey = nullptr;
  bench_.follows = true;
  reach_speed();
  while (bench_.state() == State::kActive) bench_.tick();
  bench_.ticks(4);
  bench_.estop(true);
  const std::uint64_t epoch = bench_.epoch();
  bench_.tick();
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ(epoch + 1, bench_.epoch());
  EXPECT_EQ(2u, bench_.status().stops);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
  for (std::size_t i = 0; i < bench_.emitted.size(); ++i) {
    EXPECT_NEAR(alone.emitted[i].position[0], bench_.emitted[i].position[0], 1e-12) << i;
  }
}

class LaggingInAWorld : public Lagging {
 protected:
  LaggingInAWorld() : Lagging(duo::raw_in_a_world()) { hear(*world_); }
  void hear(CollisionWorld& world) {
    world.received = bench_.now + duo::kTick;
    world.stamp = bench_.now;
    bench_.inputs.world = &world;
  }
  void reach_speed() {
    bench_.start();
    chunk_ = long_reach();
    for (int i = 0; i < 40; ++i) {
      hear(*world_);
      bench_.play(*chunk_, 1);
    }
    ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  }
  std::unique_ptr<CollisionWorld> world_ = duo::world();
};

// Heard of in the 40th tick for the last time: the 51st stops.
TEST_F(LaggingInAWorld, AStaleWorldStopsFromTheLastCommand) {
  reach_speed();
  expect_braking(tick_to_the_stop());
  expect_report(Severity::kFail, Reason::kWorldStale, 12, 0.055, 0.05);
}

// A crate that was not there before. Its corner (1.9, 0.29) is 0.29 cos 0.108 - 1.9 sin 0.108 -
// 0.05 = 0.034 m away from the arm at 0.108 rad; the next tick and its stop end at 0.132 rad,
// beyond it.
TEST_F(LaggingInAWorld, ACrateInTheWayStopsFromTheLastCommand) {
  reach_speed();
  const double before = bench_.last.position[0];
  ASSERT_NEAR(0.108, before, 1e-9);  // 0.004 + 0.008 + 8 * 0.012
  auto crate = duo::world_with(duo::world_box("crate", {1.8, 0.39, 0.1}, {0.2, 0.2, 0.2}));
  hear(*crate);
  bench_.tick();
  expect_braking(before);
  ASSERT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(Severity::kFail, bench_.reports[0].severity);
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ("fore", bench_.reports[0].bodies.body.view());
  EXPECT_EQ("crate", bench_.reports[0].bodies.other.view());
  EXPECT_EQ("crate", bench_.status().bodies.other.view());
}

// ---- a stop that begins at the measurement may need more room than there is

// The arm is found moving at 0.9 rad/s, and three ticks later its stop begins there: 18 ticks, of
// which the first is at 0.85 rad/s, and 0.9 * 0.005 * 17 / 2 = 0.03825 rad in all.
class FoundMoving : public testing::TestWithParam<double> {
 protected:
  void find(double position) {
    bench_.measured.position[0] = side_ * 1.6;
    bench_.start();
    auto speeds = duo::trapezoid(3, 9);
    for (double& speed : speeds) speed *= side_;
    auto chunk = duo::chunk(duo::shoulder_rows(speeds, side_ * 1.6));
    bench_.play(*chunk, 20);
    ASSERT_EQ(State::kActive, bench_.state());
    ASSERT_NE(bench_.now, bench_.measured.received);  // the next tick brings one
    bench_.follows = false;
    bench_.measured.position[0] = side_ * position;
    bench_.measured.velocity[0] = side_ * 0.9;
    bench_.ticks(2);
    ASSERT_EQ(State::kActive, bench_.state());
    emitted_ = bench_.emitted.size();
    bench_.tick();
  }
  // After 23 quarters of a row the arm would be at 1.6 + 0.004 + 0.008 + 3.75 * 0.012 = 1.657.
  void expect_report(Severity severity, double position) {
    ASSERT_EQ(1u, bench_.reports.size());
    const Report& report = bench_.reports[0];
    EXPECT_EQ(severity, report.severity);
    EXPECT_EQ(Reason::kTrackingError, report.finding.reason);
    EXPECT_EQ(5, report.finding.row);
    EXPECT_EQ(0, report.finding.joint);
    EXPECT_NEAR(position - 1.657, report.finding.value, 1e-9);
    EXPECT_EQ(0.1, report.finding.limit);
    EXPECT_EQ(1u, bench_.status().stops);
  }

  const double side_ = GetParam();
  Bench bench_;
  std::size_t emitted_ = 0;
};

TEST_P(FoundMoving, AStopThatEndsInsideIsPlayed) {
  find(1.9617);
  EXPECT_EQ(State::kBraking, bench_.state());
  expect_report(Severity::kFail, 1.9617);
  EXPECT_NEAR(side_ * (1.9617 + 0.85 * 0.005), bench_.last.position[0], 1e-12);
  for (int i = 2; i <= 18; ++i) EXPECT_TRUE(bench_.tick().emit);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_NEAR(side_ * 1.99995, bench_.last.position[0], 1e-12);
}

TEST_P(FoundMoving, AStopThatWouldEndBeyondALimitIsNotBegun) {
  find(1.9618);
  EXPECT_EQ(State::kLatched, bench_.state());
  expect_report(Severity::kAbort, 1.9618);
  EXPECT_EQ(emitted_, bench_.emitted.size());
  bench_.ticks(10);
  EXPECT_EQ(emitted_, bench_.emitted.size());
}

INSTANTIATE_TEST_SUITE_P(EitherEnd, FoundMoving, testing::Values(-1.0, 1.0));

// Both ends of a range belong to it: the finger stands at 0, the elbow at its lower limit.
TEST(KernelStops, AJointOnItsLimitMayStandThereWhileOthersAreBraked) {
  Bench bench;
  bench.measured.position = {0, -1, 0};
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44), 0, -1, 0));
  bench.play(*chunk, 40);
  ASSERT_EQ(State::kActive, bench.state());
  while (bench.state() != State::kHolding) bench.tick();
  EXPECT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(1u, bench.status().stops);
}

TEST(Kernel, SecondPublisherLatches) {
  Bench bench;
  bench.start();
  bench.inputs.second_publisher = true;
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("second_publisher", bench.reason_text());
}

// ---- what is said

// 6 ms late, of which 5 are tolerated.
TEST(KernelStops, LateTicksSayHowLate) {
  Bench bench;
  bench.start();
  for (int i = 0; i < 3; ++i) {
    bench.inputs.lateness = 6 * kMillisecond;
    bench.tick();
  }
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(Reason::kLateTicks, bench.reports[0].finding.reason);
  EXPECT_NEAR(0.006, bench.reports[0].finding.value, 1e-12);
  EXPECT_NEAR(0.005, bench.reports[0].finding.limit, 1e-12);
}

std::unique_ptr<Chunk> named(std::uint64_t timeline, const char* skill, const char* trace) {
  auto chunk = long_reach();
  chunk->timeline = timeline;
  chunk->skill_id.assign(skill);
  chunk->trace_id.assign(trace);
  return chunk;
}

TEST(KernelStops, ARefusalIsOfTheChunkRefusedAndAStopOfTheOneThatIsPlayed) {
  Bench bench(duo::raw(), 40);
  bench.start();
  auto good = named(3, "reach", "attempt-1");
  bench.play(*good, 17);
  const std::uint64_t played = bench.sequence;
  auto bad = named(9, "grasp", "attempt-2");
  bad->values[30] = std::nan("");
  EXPECT_TRUE(bench.send(*bad).changed);  // of the finding, though state and epoch stay
  ASSERT_EQ(1u, bench.reports.size());
  const Report refusal = bench.reports[0];
  EXPECT_EQ(Severity::kWarn, refusal.severity);
  EXPECT_EQ(Reason::kNotFinite, refusal.finding.reason);
  EXPECT_EQ(10, refusal.finding.row);
  EXPECT_EQ(0, refusal.finding.joint);
  EXPECT_EQ(41u, refusal.epoch);
  EXPECT_EQ(bench.sequence, refusal.sequence);
  EXPECT_EQ(9u, refusal.timeline);
  EXPECT_EQ("grasp", refusal.skill_id.view());
  EXPECT_EQ("attempt-2", refusal.trace_id.view());
  EXPECT_EQ(bench.now, bench.status().finding_time);
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ(2u, bench.reports.size());
  const Report stop = bench.reports[1];
  EXPECT_EQ(Severity::kFail, stop.severity);
  EXPECT_EQ(42u, stop.epoch);
  EXPECT_EQ(played, stop.sequence);
  EXPECT_EQ(3u, stop.timeline);
  EXPECT_EQ("reach", stop.skill_id.view());
  EXPECT_EQ("attempt-1", stop.trace_id.view());
  EXPECT_EQ(bench.now, bench.status().finding_time);
}

TEST(KernelStops, BeforeAnyChunkAReportIsOfNone) {
  Bench bench;
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(0u, bench.reports[0].sequence);
  EXPECT_EQ(0u, bench.reports[0].timeline);
  EXPECT_TRUE(bench.reports[0].skill_id.empty());
  EXPECT_TRUE(bench.reports[0].trace_id.empty());
  EXPECT_TRUE(bench.reports[0].bodies.body.empty());
  EXPECT_EQ(0u, bench.status().timeline);
}

// ---- what follows from a stop must not hide it

TEST(KernelStops, BeforeAnyStopARefusalIsShown) {
  Bench bench;
  bench.ticks(2);
  auto chunk = long_reach();
  bench.send(*chunk);
  EXPECT_EQ("not_armed", bench.reason_text());
  ASSERT_TRUE(bench.arm());
  EXPECT_EQ("", bench.reason_text());
  bench.stamp(*chunk);
  ++chunk->epoch;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  EXPECT_EQ("epoch_mismatch", bench.reason_text());
}

TEST(KernelStops, WhatIsSentIntoAStopIsReportedAndDoesNotHideIt) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 40);
  while (bench.state() == State::kActive) bench.tick();
  const Nanoseconds stopped = bench.now;
  const auto expect_hidden = [&](Reason reason) {
    EXPECT_EQ(reason_name(reason), reason_name(bench.reports.back().finding.reason));
    EXPECT_EQ("chunk_stale", bench.reason_text());
    EXPECT_EQ(stopped, bench.status().finding_time);
  };
  bench.send(*chunk);
  expect_hidden(Reason::kStopping);
  while (bench.state() == State::kBraking) bench.tick();
  bench.stamp(*chunk);
  --chunk->epoch;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  expect_hidden(Reason::kEpochMismatch);
  // Another refusal is news; from then on nothing hides a stop.
  auto bad = long_reach();
  bad->values[30] = std::nan("");
  bench.send(*bad);
  EXPECT_EQ("not_finite", bench.reason_text());
  bench.stamp(*chunk);
  --chunk->epoch;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  EXPECT_EQ("epoch_mismatch", bench.reason_text());
}

TEST(KernelStops, WhatIsSentIntoALatchDoesNotHideItEither) {
  Bench bench;
  bench.start();
  bench.inputs.fault = true;
  bench.tick();
  auto chunk = long_reach();
  bench.send(*chunk);
  EXPECT_EQ(Reason::kLatched, bench.reports.back().finding.reason);
  EXPECT_EQ("internal_fault", bench.reason_text());
  // Nor does what would be news at another time.
  bench.inputs.chunks_lost = 2;
  bench.tick();
  EXPECT_EQ(Reason::kQueueFull, bench.reports.back().finding.reason);
  EXPECT_EQ("internal_fault", bench.reason_text());
  ASSERT_TRUE(bench.reset());
  bench.send(*chunk);
  EXPECT_EQ(Reason::kNotArmed, bench.reports.back().finding.reason);
  EXPECT_EQ("internal_fault", bench.reason_text());
}

// ---- a new epoch knows nothing of the one before

TEST(KernelStops, TimelinesAreCountedAnewAfterAStop) {
  Bench bench;
  bench.start();
  auto chunk = named(7, "reach", "");
  bench.play(*chunk, 40);
  while (bench.state() != State::kHolding) bench.tick();
  auto next = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 2), bench.last.position[0]));
  next->timeline = 2;
  bench.send(*next);
  EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
  EXPECT_EQ(2u, bench.status().timeline);
}

}  // namespace
}  // namespace openral::safety
