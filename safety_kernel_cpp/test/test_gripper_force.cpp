// Behaviour 21, the gripper: range and rate are those of any joint; force and power.
#include "gripper_force.hpp"

#include <cmath>

#include "admission.hpp"
#include "bench.hpp"
#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

// The finger's cap is 40 N and 5 W: at its full force it may move at 0.125 m/s. Its own limit is
// 0.1.
RawConfiguration weak() {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.gripper.power_max_W"] = 2;  // 0.05 m/s at 40 N
  return raw;
}

std::unique_ptr<Chunk> close_at(double speed) {
  double position = 0.04;
  duo::Rows rows = {{position}};
  for (const double v : {0.03, speed, speed, 0.03}) {
    position -= v * duo::kDt;
    rows.push_back({position});
  }
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kGripperPosition);
  chunk->name_count = 1;
  chunk->joint_names[0].assign("finger");
  return chunk;
}

TEST(GripperForce, ARowWithinThePower) {
  const Configuration configuration = duo::configuration(weak());
  EXPECT_TRUE(check_gripper_power(configuration, 2, -0.05).ok());
  const Finding finding = check_gripper_power(configuration, 2, -0.051);
  EXPECT_EQ("gripper_power", name(finding));
  EXPECT_EQ(2, finding.joint);
  EXPECT_NEAR(2.04, finding.value, 1e-12);
  EXPECT_EQ(2, finding.limit);
}

TEST(GripperForce, AChunkThatWouldTakeMorePowerIsRefused) {
  duo::Bench bench(weak());
  bench.start();
  auto chunk = close_at(0.06);
  bench.send(*chunk);
  EXPECT_EQ("gripper_power", bench.reason_text());
  EXPECT_EQ(2, bench.status().finding.row);
  EXPECT_EQ(State::kHolding, bench.state());
  chunk = close_at(0.04);
  bench.send(*chunk);
  EXPECT_EQ(State::kActive, bench.state());
  // The same in a chunk of all joints.
  duo::Bench all(weak());
  all.start();
  auto joints = duo::chunk({{0, 0, 0.04}, {0, 0, 0.0394}, {0, 0, 0.0382}, {0, 0, 0.0376}});
  all.send(*joints);
  EXPECT_EQ("gripper_power", all.reason_text());
  EXPECT_EQ(2, all.status().finding.row);
}

TEST(GripperForce, AMeasurementAboveTheCapForSomeTicks) {
  const Configuration configuration = duo::configuration();
  GripperWatch watch;
  JointState state;
  state.effort[2] = -40;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(watch.note(configuration, state).ok());
  state.effort[2] = -40.5;
  EXPECT_TRUE(watch.note(configuration, state).ok());
  EXPECT_TRUE(watch.note(configuration, state).ok());
  const Finding finding = watch.note(configuration, state);
  EXPECT_EQ("gripper_force", name(finding));
  EXPECT_EQ(2, finding.joint);
  EXPECT_EQ(40.5, finding.value);
  EXPECT_EQ(40, finding.limit);
  // A single spike is none.
  state.effort[2] = 0;
  EXPECT_TRUE(watch.note(configuration, state).ok());
  state.effort[2] = 100;
  EXPECT_TRUE(watch.note(configuration, state).ok());
  EXPECT_TRUE(watch.note(configuration, state).ok());
  EXPECT_FALSE(watch.note(configuration, state).ok());
  watch.forget();
  EXPECT_TRUE(watch.note(configuration, state).ok());
}

TEST(GripperForce, MeasuredPower) {
  const Configuration configuration = duo::configuration();
  GripperWatch watch;
  JointState state;
  state.effort[2] = 30;
  state.velocity[2] = -0.2;  // 6 W of 5
  EXPECT_TRUE(watch.note(configuration, state).ok());
  EXPECT_TRUE(watch.note(configuration, state).ok());
  EXPECT_EQ("gripper_power", name(watch.note(configuration, state)));
}

// Without force measurement nothing is watched; an arm's effort is no gripper's.
TEST(GripperForce, WhatIsNotMeasuredIsNotWatched) {
  const Configuration configuration = duo::configuration();
  GripperWatch watch;
  JointState state;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(watch.note(configuration, state).ok());
  state.effort[0] = 1000;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(watch.note(configuration, state).ok());
}

TEST(GripperForce, StopsAMotionAndLetsGoOfTheSqueeze) {
  duo::Bench bench;
  bench.start();
  auto chunk = close_at(0.05);
  // An object of 38.8 mm: the finger does not come further.
  bench.obey = [](const Command& command, JointState& state) {
    state.position = command.position;
    state.position[2] = std::max(0.0388, command.position[2]);
    state.effort[2] = command.position[2] < 0.0388 ? -60 : 0;
  };
  int ticks = 0;
  while (bench.state() != State::kActive || bench.status().stops == 0) {
    if (ticks % 4 == 0) {
      bench.stamp(*chunk);
      bench.inputs.chunk = chunk.get();
    }
    bench.tick();
    if (++ticks > 60 || bench.status().stops > 0) break;
  }
  EXPECT_EQ("gripper_force", bench.reason_text());
  EXPECT_EQ(60, bench.status().finding.value);
  EXPECT_EQ(1u, bench.status().stops);
  EXPECT_NEAR(0.0388, bench.last.position[2], 1e-12);
}

// A pose says nothing of a gripper: only joints can tell it to stay where it is.
TEST(GripperForce, StopsAToolAndLetsGoOfTheSqueeze) {
  duo::PoseBench bench;
  bench.start();
  auto close = close_at(0.05);
  bench.play(*close, 40);
  ASSERT_EQ(State::kHolding, bench.state()) << bench.reason_text();
  const double grip = bench.last.position[2];
  ASSERT_LT(grip, 0.039);
  // 0.1 m/s along y.
  auto twist = duo::cartesian(duo::Rows(60, {0, 0.1, 0, 0, 0, 0}), ControlMode::kCartesianTwist);
  twist->last = false;
  twist->timeline = 2;
  bench.play(*twist, 20);
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  // An object that is 0.8 mm wider than where the finger is told to be.
  bench.measured.position[2] = grip + 0.0008;
  bench.measured.effort[2] = -60;
  for (int tick = 0; tick < 5 && bench.status().stops == 0; ++tick) bench.tick();
  bench.measured.effort[2] = 0;
  EXPECT_EQ("gripper_force", bench.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench.last.mode);
  EXPECT_TRUE(bench.last.braking);
  EXPECT_NEAR(grip + 0.0008, bench.last.position[2], 1e-12);
  while (bench.state() == State::kBraking) bench.tick();
  bench.ticks(20);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(1u, bench.status().stops);
}

// What is held pushes the finger to 30 mm, with 41 N of 40.
void squeeze(duo::Bench& bench) {
  bench.obey = nullptr;
  bench.follows = false;
  bench.measured.position[2] = 0.03;
  bench.measured.velocity = {};
  bench.measured.effort[2] = 41;
}

// A robot keeps the last finger command when the lease ends, so the latch must not be silent.
void expect_relieved_and_latched(duo::Bench& bench) {
  for (int i = 0; i < 5 && bench.state() == State::kHolding; ++i) bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("gripper_force", bench.reason_text());
  EXPECT_EQ(1u, bench.status().stops);
  EXPECT_EQ(ControlMode::kJointPosition, bench.last.mode);
  EXPECT_EQ(0.03, bench.last.position[2]);
  EXPECT_EQ(0, bench.last.velocity[2]);
  EXPECT_NEAR(bench.measured.position[0], bench.last.position[0], 1e-9);
  EXPECT_NEAR(bench.measured.position[1], bench.last.position[1], 1e-9);
  EXPECT_TRUE(bench.last.braking);
  EXPECT_FALSE(bench.tick().emit);
}

TEST(GripperForce, AHoldTellsTheGripperToStayWhereItIsAndLatches) {
  duo::Bench bench;
  bench.start();
  squeeze(bench);
  expect_relieved_and_latched(bench);
}

// The finger stays where it is though the arm was pushed: nothing pulls the arm back meanwhile.
TEST(GripperForce, AHoldThatLatchesLeavesTheArmWhereItIsMeasured) {
  duo::Bench bench;
  bench.start();
  squeeze(bench);
  bench.measured.position[0] = 0.05;
  expect_relieved_and_latched(bench);
}

// At 0.4 rad/s: eight ticks, the first at 0.35.
TEST(GripperForce, AHoldThatLatchesBrakesAnArmThatMoves) {
  duo::Bench bench;
  bench.start();
  squeeze(bench);
  bench.measured.velocity[0] = 0.4;
  for (int i = 0; i < 5 && bench.state() == State::kHolding; ++i) bench.tick();
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_TRUE(bench.last.braking);
  EXPECT_NEAR(0.35, bench.last.velocity[0], 1e-12);
}

// From 1.995 rad it would come to rest beyond 2: steps of 0.35, 0.3, 0.25 and 0.2 rad/s, of which
// the last is not commanded.
TEST(GripperForce, AHoldThatLatchesCommandsNothingBeyondALimit) {
  for (const double sign : {-1.0, 1.0}) {
    duo::Bench bench;
    bench.measured.position[0] = sign * 1.995;
    bench.start();
    squeeze(bench);
    bench.measured.velocity[0] = sign * 0.4;
    for (int i = 0; i < 12 && bench.state() != State::kLatched; ++i) {
      const bool emitted = bench.tick().emit;
      EXPECT_EQ(bench.state() != State::kLatched, emitted);
      EXPECT_LE(std::abs(bench.last.position[0]), 2);
    }
    EXPECT_TRUE(bench.last.braking);
    EXPECT_NEAR(sign * 0.25, bench.last.velocity[0], 1e-12);
    EXPECT_EQ("row_check", bench.reason_text());
    EXPECT_EQ(0, bench.status().finding.joint);
    EXPECT_GT(sign * bench.status().finding.value, 2);
    EXPECT_EQ(sign * 2, bench.status().finding.limit);
  }
}

TEST(GripperForce, AHoldOfAPoseTellsTheGripperByJoints) {
  duo::PoseBench bench;
  bench.start();
  bench.hold_pose();
  squeeze(bench);
  expect_relieved_and_latched(bench);
}

TEST(GripperForce, AHoldAfterDrivingTellsTheGripperToo) {
  duo::Bench bench(duo::raw_with_base());
  bench.start();
  auto rest = duo::twists({{0, 0, 0}});
  bench.send(*rest);
  bench.ticks(4);
  ASSERT_EQ(State::kHolding, bench.state()) << bench.reason_text();
  squeeze(bench);
  expect_relieved_and_latched(bench);
}

// A finger that is at rest at the stop is held in the same tick; if it is still squeezed, three
// more ticks latch. The arm, which lags behind its command, is not pulled to where it is.
TEST(GripperForce, AStopBeginsTheCountAnewAndLeavesTheArmAlone) {
  duo::Bench bench;
  bench.start();
  auto chunk = close_at(0.05);
  bench.obey = [](const Command& command, JointState& state) {
    state.position = command.position;
    state.position[0] -= 0.01;
    state.position[2] = std::max(0.0388, command.position[2]);
    state.effort[2] = command.position[2] < 0.0389 ? -60 : 0;
  };
  for (int i = 0; i < 60 && bench.status().stops == 0; ++i) {
    if (i % 4 == 0) {
      bench.stamp(*chunk);
      bench.inputs.chunk = chunk.get();
    }
    bench.tick();
  }
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(Severity::kFail, bench.reports[0].severity);
  EXPECT_EQ(Reason::kGripperForce, bench.reports[0].finding.reason);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_NEAR(0.0388, bench.last.position[2], 1e-12);
  EXPECT_EQ(0, bench.last.position[0]);
  bench.ticks(2);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
  ASSERT_EQ(2u, bench.reports.size());
  EXPECT_EQ(Severity::kAbort, bench.reports[1].severity);
}

// 12 ticks of a stop, each with 41 N: the count begins with the hold.
TEST(GripperForce, IsNotWatchedInAStop) {
  duo::Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 40);
  for (int i = 0; i < 100 && bench.state() == State::kActive; ++i) bench.tick();
  bench.measured.effort[2] = 41;
  for (int i = 0; i < 100 && bench.state() == State::kBraking; ++i) bench.tick();
  ASSERT_EQ(State::kHolding, bench.state());
  EXPECT_EQ("chunk_stale", bench.reason_text());
  bench.ticks(2);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("gripper_force", bench.reason_text());
}

TEST(GripperForce, IsNotWatchedWhileNothingIsArmed) {
  duo::Bench bench;
  bench.measured.effort[2] = 100;
  bench.ticks(10);
  EXPECT_EQ(State::kDisarmed, bench.state());
  EXPECT_TRUE(bench.reports.empty());
}

// Twelve ticks are asked for; a measurement is taken for the newest in eleven.
TEST(GripperForce, WhatIsStaleIsNotWatched) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.gripper.ticks_max"] = 12;
  duo::Bench bench(raw);
  bench.start();
  bench.tick();
  ASSERT_EQ(bench.now, bench.measured.received);
  bench.measured.effort[2] = 41;
  bench.ticks(2);
  bench.driver_silent = true;
  bench.ticks(30);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.driver_silent = false;
  while (bench.measured.received != bench.now) bench.tick();
  bench.ticks(10);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
}

// A cap that is just reached is kept.
TEST(GripperForce, ACapMayBeReached) {
  const Configuration configuration = duo::configuration();
  GripperWatch watch;
  JointState state;
  state.effort[2] = 25;
  state.velocity[2] = 0.2;  // 5 W
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(watch.note(configuration, state).ok());
  state.velocity[2] = std::nextafter(0.2, 1);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(watch.note(configuration, state).ok());
  const Finding finding = watch.note(configuration, state);
  EXPECT_EQ("gripper_power", name(finding));
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(2, finding.joint);
  EXPECT_NEAR(5, finding.value, 1e-12);
  EXPECT_EQ(5, finding.limit);
}

// ---- configuration

TEST(GripperConfiguration, EveryLimitIsNeededWhereThereIsAGripper) {
  const RawConfiguration good = duo::raw();
  for (const auto& field : gripper_fields()) {
    RawConfiguration raw = good;
    const std::string key = std::string("robot.gripper.") + field.name;
    raw.numbers.erase(key);
    Configuration configuration;
    EXPECT_EQ(key, configure(raw, configuration)->field);
    raw.lists.erase("robot.gripper_joints");
    raw.lists["robot.modes"] = {"joint_position"};
    EXPECT_FALSE(configure(raw, configuration).has_value());
  }
  RawConfiguration raw = good;
  raw.numbers["robot.gripper.force_max"] = 1;
  Configuration configuration;
  EXPECT_EQ("robot.gripper.force_max", configure(raw, configuration)->field);
}

}  // namespace
}  // namespace openral::safety
