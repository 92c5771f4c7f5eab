// Behaviour 23: the joint state, without which nothing moves.
#include <cmath>

#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::long_reach;
using duo::reach;

TEST(Kernel, StaleJointStateStops) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 20);
  bench.driver_silent = true;
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 100) {
    bench.play(*chunk, 1);
    ++ticks;
  }
  EXPECT_EQ("joint_state_stale", bench.reason_text());
  EXPECT_LE(ticks, 12);  // 50 ms, and the age that the last one had
}

// 50 ms are ten ticks.
TEST(Kernel, AJointStateOfExactlyItsAgeIsFresh) {
  Bench bench;
  bench.start();
  while (bench.measured.received != bench.now) bench.tick();
  bench.driver_silent = true;
  bench.ticks(9);
  EXPECT_TRUE(bench.tick().emit);
  EXPECT_FALSE(bench.unmet(Reason::kJointStateStale));
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, AFrozenDriverIsStale) {
  Bench bench;
  bench.start();
  bench.driver_frozen = true;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, APartialJointStateIsNone) {
  Bench bench;
  bench.start();
  bench.measured.complete = false;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, ANanInTheJointStateIsNoMeasurement) {
  Bench bench;
  bench.start();
  bench.measured.velocity[1] = std::nan("");
  bench.follows = false;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
  EXPECT_FALSE(bench.tick().emit);
}

// Behaviour 5: one between good ones leaves no trace.
TEST(Kernel, ANanInOneJointStateChangesNoCommandBit) {
  Bench with;
  Bench without;
  for (Bench* bench : {&with, &without}) {
    bench->start();
    auto chunk = duo::long_reach();
    for (int i = 0; i < 12; ++i) {
      bench->play(*chunk, 8);
      if (bench == &with) {
        JointState bad = bench->measured;
        bad.stamp = bench->now + bench->clock_offset + duo::kMillisecond;
        bad.received = bench->now + duo::kMillisecond;
        (i % 2 == 0 ? bad.position : bad.velocity)[static_cast<std::size_t>(i % 3)] = std::nan("");
        ASSERT_TRUE(bench->inputs.joint_states.push(bad));
      }
      bench->play(*chunk, 8);
    }
    EXPECT_EQ(0u, bench->status().stops) << bench->reason_text();
  }
  duo::expect_same_motion(without, with);
}

TEST(Kernel, MeasuredLimitViolationLatches) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.velocity[0] = 3.1;  // beyond 3 * 1
  bench.ticks(2);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("state_velocity_limit", bench.reason_text());
}

// Of several states of one tick each is asked, not the last alone.
TEST(Kernel, AMeasuredLimitViolationBetweenTwoTicksLatches) {
  for (const bool position : {true, false}) {
    Bench bench;
    bench.start();
    bench.tick();
    JointState beyond = bench.measured;
    beyond.stamp = bench.now + bench.clock_offset + duo::kMillisecond;
    beyond.received = bench.now + duo::kMillisecond;
    (position ? beyond.position : beyond.velocity)[0] = position ? 2.02 : 3.1;
    (void)bench.inputs.joint_states.push(beyond);
    bench.tick();  // brings the good one of this tick behind it
    EXPECT_EQ(State::kLatched, bench.state());
    EXPECT_EQ(position ? "state_position_limit" : "state_velocity_limit", bench.reason_text());
    EXPECT_TRUE(bench.reset());  // by what is measured now
  }
}

// A stop of a fault begins at the measured state, and no row begins beyond a limit.
TEST(Kernel, AMeasuredLimitViolationInMotionEmitsNothingMore) {
  for (const bool position : {true, false}) {
    Bench bench;
    bench.start();
    auto chunk = reach();
    bench.play(*chunk, 20);
    bench.follows = false;
    if (position) {
      bench.measured.position[0] = 2.02;  // beyond 2 + 0.01
    } else {
      bench.measured.velocity[0] = 3.1;  // beyond 3 * 1
    }
    while (bench.state() == State::kActive) bench.tick();
    EXPECT_EQ(State::kLatched, bench.state());
    EXPECT_EQ(position ? "state_position_limit" : "state_velocity_limit", bench.reason_text());
    for (const Command& command : bench.emitted) EXPECT_FALSE(command.braking);
    EXPECT_FALSE(bench.tick().emit);
  }
}

// 3 times 1 rad/s is allowed of a measurement, and not a digit more.
TEST(Kernel, AMeasuredSpeedMayReachItsLimit) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.velocity[0] = 3;
  bench.ticks(2);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.measured.velocity[0] = -std::nextafter(3.0, 4.0);
  bench.ticks(2);
  EXPECT_EQ(State::kLatched, bench.state());
}

}  // namespace
}  // namespace openral::safety
