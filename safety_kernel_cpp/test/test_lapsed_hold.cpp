// Behaviours 13, 22 and 23: a hold whose commands were missing for longer than their lease goes on
// from where the robot is measured, not from where it was held.
#include <cmath>

#include "bench.hpp"
#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

using duo::Bench;

// Two seconds without joint states, in which somebody pushes the shoulder by 0.09 rad, less than
// the tolerance of 0.1. The old command would be a step of 18 rad/s.
void push_while_silent(Bench& bench, double by) {
  bench.driver_silent = true;
  bench.ticks(400);
  bench.follows = false;
  bench.obey = nullptr;
  bench.measured.position[0] += by;
  bench.measured.velocity = {};
  bench.emitted.clear();
  bench.driver_silent = false;
}

TEST(LapsedHold, GoesOnFromTheMeasuredPlace) {
  Bench bench;
  bench.start();
  push_while_silent(bench, 0.09);
  bench.ticks(4);
  EXPECT_EQ(State::kHolding, bench.state());
  ASSERT_GE(bench.emitted.size(), 3u);
  for (const Command& command : bench.emitted) {
    EXPECT_EQ(0.09, command.position[0]);
    EXPECT_EQ(0, command.velocity[0]);
  }
}

// A robot that lost its lease keeps the finger's last command: another one would let a load fall.
TEST(LapsedHold, LeavesTheGripperItsCommand) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.position[2] = 0.02;
  push_while_silent(bench, 0.05);
  bench.ticks(4);
  EXPECT_EQ(0.05, bench.last.position[0]);
  EXPECT_EQ(0.04, bench.last.position[2]);
}

TEST(LapsedHold, SaysNothingToAnArmThatStillMoves) {
  Bench bench;
  bench.start();
  push_while_silent(bench, 0.05);
  bench.measured.velocity[1] = 0.03;  // of 0.02 at rest
  bench.ticks(10);
  EXPECT_TRUE(bench.emitted.empty());
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_TRUE(bench.unmet(Reason::kNotAtRest));
  auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.2}));
  bench.send(*chunk);
  EXPECT_EQ("not_at_rest", bench.reason_text());
  EXPECT_EQ(1, bench.status().finding.joint);
  EXPECT_EQ(0.03, bench.status().finding.value);
  bench.measured.velocity = {};
  bench.ticks(2);
  EXPECT_EQ(0.05, bench.last.position[0]);
  EXPECT_FALSE(bench.unmet(Reason::kNotAtRest));
}

// The chunk comes in the very tick that brings the joint state back: it must continue the place
// that is measured, and one that continues the old place is refused.
TEST(LapsedHold, AChunkContinuesTheMeasuredPlace) {
  for (const bool old_place : {true, false}) {
    Bench bench;
    bench.start();
    push_while_silent(bench, 0.09);
    auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.2}, old_place ? 0 : 0.09));
    bench.stamp(*chunk);
    chunk->observation_stamp = bench.now + duo::kTick + bench.clock_offset;
    bench.inputs.chunk = chunk.get();
    bench.tick();
    ASSERT_EQ(bench.now, bench.measured.received);
    if (old_place) {
      EXPECT_EQ("splice_position", bench.reason_text());
      EXPECT_EQ(0.09, bench.last.position[0]);
    } else {
      EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
      EXPECT_NEAR(0.091, bench.last.position[0], 1e-12);
    }
  }
}

// 15 ms are three ticks.
TEST(LapsedHold, AHoldWithinItsLeaseIsNotMoved) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.position[0] = 0.05;
  bench.ticks(20);
  EXPECT_EQ(0, bench.last.position[0]);
}

// Two ticks beside it the robot is told nothing; in the third the last command is 15 ms old.
TEST(LapsedHold, ALeaseIsInclusive) {
  Bench bench;
  bench.start();
  bench.follows = false;
  while (bench.measured.received != bench.now) bench.tick();
  bench.measured.position[0] = 0.11;
  EXPECT_TRUE(bench.tick().emit);  // the old measurement once more
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_FALSE(bench.tick().emit);
  bench.measured.position[0] = 0.05;
  EXPECT_TRUE(bench.tick().emit);
  EXPECT_EQ(0, bench.last.position[0]);
}

// While a base drives nobody commands the arm.
TEST(LapsedHold, AnArmBesideADrivingBaseIsHeldWhereItIsMeasured) {
  Bench bench(duo::raw_with_base());
  bench.start();
  bench.follows = false;
  auto drive = duo::twists({{0.02, 0, 0}, {0.02, 0, 0}, {0.02, 0, 0}, {0, 0, 0}});
  bench.send(*drive);
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  bench.measured.position[0] = 0.09;
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ(State::kHolding, bench.state());
  bench.emitted.clear();
  bench.ticks(3);
  ASSERT_EQ(3u, bench.emitted.size());
  for (const Command& command : bench.emitted) {
    EXPECT_EQ(ControlMode::kJointPosition, command.mode);
    EXPECT_EQ(0.09, command.position[0]);
  }
}

// The shoulder turns the tool by 0.02 rad at 1.91 m: 38 mm of the 50 that are tolerated.
TEST(LapsedHold, AToolIsHeldWhereItIsMeasured) {
  duo::PoseBench bench;
  bench.start();
  bench.hold_pose();
  push_while_silent(bench, 0.02);
  bench.ticks(4);
  EXPECT_EQ(State::kHolding, bench.state());
  ASSERT_FALSE(bench.emitted.empty());
  const auto there = duo::planar_pose(duo::kShoulder + 0.02, duo::kElbow);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(there[i], bench.emitted.front().position[i], 1e-12) << i;
  }
}

// 0.06 rad are 0.11 m at the tool.
TEST(LapsedHold, AToolThatWasMovedTooFarIsNotHeldAnew) {
  duo::PoseBench bench;
  bench.start();
  bench.hold_pose();
  push_while_silent(bench, 0.06);
  bench.ticks(6);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("tracking_error", bench.reason_text());
  EXPECT_TRUE(bench.emitted.empty());
}

TEST(LapsedHold, SaysNothingToAToolThatStillMoves) {
  duo::PoseBench bench;
  bench.start();
  bench.hold_pose();
  push_while_silent(bench, 0.02);
  bench.measured.velocity[1] = 0.03;  // of 0.02 at rest
  bench.ticks(10);
  EXPECT_TRUE(bench.emitted.empty());
  EXPECT_EQ(State::kHolding, bench.state());
  bench.measured.velocity = {};
  bench.ticks(2);
  EXPECT_EQ(ControlMode::kCartesianPose, bench.last.mode);
}

// The box ends at x = 1.95: from 1.949 the straight arm is pushed by 5 mrad, to 1.9513.
TEST(LapsedHold, AToolIsHeldInItsBoxOnEveryAxis) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.vectors["robot.arm.workspace_max"] = {1.95, 1.2, 0.2};
  duo::PoseBench bench(raw);
  const double shoulder = -std::acos(1.949 / 2);
  bench.measured.position = {shoulder, 0, 0.04};
  bench.start();
  bench.hold_pose();
  push_while_silent(bench, 0.005);
  bench.ticks(4);
  ASSERT_FALSE(bench.emitted.empty());
  EXPECT_EQ(1.95, bench.emitted.front().position[0]);
  EXPECT_NEAR(2 * std::sin(shoulder + 0.005), bench.emitted.front().position[1], 1e-9);
}

// The box ends at y = 1.2. The straight arm is held at 1.19, asin 0.595, and pushed 8 mrad towards
// it: y = 2 sin(asin 0.595 + 0.008) = 1.2028, which a sensor may show of a tool inside.
TEST(LapsedHold, AToolThatIsMeasuredBesideItsBoxIsHeldInIt) {
  duo::PoseBench bench;
  const double shoulder = std::asin(0.595);
  bench.measured.position = {shoulder, 0, 0.04};
  bench.start();
  bench.hold_pose();
  push_while_silent(bench, 0.008);
  bench.ticks(4);
  EXPECT_EQ(State::kHolding, bench.state());
  ASSERT_FALSE(bench.emitted.empty());
  EXPECT_EQ(1.2, bench.emitted.front().position[1]);
  EXPECT_NEAR(2 * std::cos(shoulder + 0.008), bench.emitted.front().position[0], 1e-9);
}

}  // namespace
}  // namespace openral::safety
