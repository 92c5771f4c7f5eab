// Behaviour 23: a robot that starts outside its limits is held; it goes back inward only, at creep,
// armed apart.
#include "recovery.hpp"

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

// The shoulder's limit is 2; creep is a tenth, 0.1 rad/s and 0.05 for the elbow.
TEST(Recovery, AStepInwardShrinksEveryViolation) {
  const Configuration configuration = duo::configuration();
  const JointArray out = {2.2, -1.1, 0.04};
  const auto step = [&](const JointArray& to) {
    return name(check_step_inward(configuration, out, to));
  };
  EXPECT_EQ("", step(out));  // standing still
  EXPECT_EQ("", step({2.19, -1.09, 0.04}));
  EXPECT_EQ("recovery_direction", step({2.21, -1.09, 0.04}));
  EXPECT_EQ("recovery_direction", step({2.19, -1.1, 0.04}));  // one of two only
  EXPECT_EQ("recovery_direction", step({2.19, -1.11, 0.04}));
  EXPECT_EQ("recovery_direction", step({2.2, -1.1, 0.03}));  // something else only
  EXPECT_EQ("", step({2.19, -1.09, 0.03}));
  EXPECT_EQ("", step({1.99, -0.99, 0.04}));
  // Through, and out on the other side.
  const Finding finding = check_step_inward(configuration, {2.05, 0, 0}, {-2.04, 0, 0});
  EXPECT_EQ("", name(finding));  // nearer: the step's size is the speed limit's matter
  EXPECT_EQ("recovery_direction",
            name(check_step_inward(configuration, {1.9, 0, 0}, {2.001, 0, 0})));
}

// One step: 2.2 is 0.2 outside, 2.21 is 0.21.
TEST(Recovery, AStepOutwardNamesItsJointAndHowFarOutItLeads) {
  const Configuration configuration = duo::configuration();
  Finding finding = check_step_inward(configuration, {2.2, 0, 0.04}, {2.21, 0, 0.04});
  EXPECT_EQ("recovery_direction", name(finding));
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(0, finding.joint);
  EXPECT_NEAR(0.21, finding.value, 1e-12);
  EXPECT_NEAR(0.2, finding.limit, 1e-12);
  // Below its lower limit as above its upper one.
  finding = check_step_inward(configuration, {0, -1.1, 0.04}, {0, -1.15, 0.04});
  EXPECT_EQ(1, finding.joint);
  EXPECT_NEAR(0.15, finding.value, 1e-12);
  EXPECT_NEAR(0.1, finding.limit, 1e-12);
}

TEST(Recovery, OfLinkPointsToo) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  // The arm stretched at 0.7 rad: the tool at y = 2 sin 0.7 = 1.288, the box ends at 1.2.
  const JointArray out = {0.7, 0, 0.04};
  EXPECT_EQ("workspace", name(check_inside(configuration, out)));
  const auto step = [&](const JointArray& to) {
    return name(check_step_inward(configuration, out, to));
  };
  EXPECT_EQ("", step({0.69, 0, 0.04}));
  EXPECT_EQ("recovery_direction", step({0.71, 0, 0.04}));
  EXPECT_EQ("recovery_direction", step({0.7, 0, 0.03}));
  const Finding still = check_step_inward(configuration, out, {0.7, 0, 0.03});
  EXPECT_EQ(-1, still.row);
  EXPECT_EQ(-1, still.joint);
  EXPECT_NEAR(2 * std::sin(0.7) - 1.2, still.limit, 1e-12);
  EXPECT_EQ("", name(check_inside(configuration, {0.64, 0, 0.04})));
}

// A joint that comes back while every point is inside already.
TEST(Recovery, PointsThatAreInsideAskForNothing) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  // The tool at (2 cos 2.05, -2 sin 2.05) = (-0.92, -1.77).
  EXPECT_EQ("", name(check_step_inward(configuration, {-2.05, 0, 0.04}, {-2.04, 0, 0.04})));
}

// The stretched arm at 0.1 rad has its tool at x = 1.990, at 0 at x = 2.
TEST(Recovery, OnEveryAxis) {
  Configuration configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_max[0] = 1.5;
  Finding finding = check_step_inward(configuration, {0.1, 0, 0.04}, {0, 0, 0.04});
  EXPECT_EQ("recovery_direction", name(finding));
  EXPECT_NEAR(0.5, finding.value, 1e-12);
  EXPECT_NEAR(2 * std::cos(0.1) - 1.5, finding.limit, 1e-12);
  EXPECT_EQ("", name(check_step_inward(configuration, {0, 0, 0.04}, {0.1, 0, 0.04})));
  // An arm in a plane that is too high never comes down; the sum is over its three points.
  configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_max[2] = 0.07;
  configuration.arm.workspace_min[2] = 0.05;
  finding = check_step_inward(configuration, {0, 0, 0.04}, {0.1, 0, 0.04});
  EXPECT_EQ("recovery_direction", name(finding));
  EXPECT_NEAR(0.09, finding.value, 1e-12);
  EXPECT_NEAR(0.09, finding.limit, 1e-12);
}

TEST(Recovery, WithoutLimitsInSpaceJointsAloneCount) {
  Configuration configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.limited = false;
  JointState state;
  state.position = {0.7, 0, 0.04};  // the tool at y = 1.288, the box ends at 1.2
  EXPECT_EQ("", name(check_inside(configuration, state.position)));
  EXPECT_EQ("", name(check_state_in_space(configuration, state)));
  EXPECT_EQ("", name(check_step_inward(configuration, state.position, {0.71, 0, 0.04})));
}

// y = 2 sin q: 1.2099 and 1.2102; the box ends at 1.2, the sensor's margin is 0.01.
TEST(Recovery, TheMeasuredArmHasTheMarginOfItsSensors) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  JointState state;
  state.position = {std::asin(0.60495), 0, 0.04};
  EXPECT_EQ("", name(check_state_in_space(configuration, state)));
  EXPECT_EQ("workspace", name(check_inside(configuration, state.position)));
  state.position[0] = std::asin(0.6051);
  const Finding finding = check_state_in_space(configuration, state);
  EXPECT_EQ("workspace", name(finding));
  EXPECT_NEAR(1.2102, finding.value, 1e-12);
  EXPECT_NEAR(1.21, finding.limit, 1e-12);
}

// The tool comes in by far more than the elbow goes out, and yet it goes out.
TEST(Recovery, NoPointPaysForAnother) {
  Configuration configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_max[1] = 0.5;
  const Finding finding = check_step_inward(configuration, {0.6, 0.5, 0.04}, {0.62, -0.5, 0.04});
  EXPECT_EQ("recovery_direction", name(finding));
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
  EXPECT_NEAR(std::sin(0.62) - 0.5, finding.value, 1e-12);
  EXPECT_NEAR(std::sin(0.6) - 0.5, finding.limit, 1e-12);
  // Where the base of the arm itself is outside, no motion brings it in.
  configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_min[0] = 0.5;
  EXPECT_EQ("recovery_direction",
            name(check_step_inward(configuration, {0.2, 0, 0.04}, {0.1, 0, 0.04})));
}

TEST(Recovery, WhereAJointIsOutside) {
  const Configuration configuration = duo::configuration();
  for (const double q : {-2.001, 2.001}) {
    const Finding finding = check_inside(configuration, {q, 0, 0.04});
    EXPECT_EQ("state_position_limit", name(finding));
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(0, finding.joint);
    EXPECT_EQ(q, finding.value);
    EXPECT_EQ(q < 0 ? -2 : 2, finding.limit);
  }
  EXPECT_EQ("", name(check_inside(configuration, {-2, 2 - 1, 0})));
}

TEST(Recovery, EveryStepOfAChunkAndNothingBeyondIt) {
  const Configuration configuration = duo::configuration();
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  auto chunk = duo::chunk({{2.05, 0, 0.04}, {2.06, 0, 0.04}, {2.04, 0, 0.04}});
  EXPECT_EQ(1, check_inward(configuration, *chunk, columns, {2.05, 0, 0.04}).row);
  chunk = duo::chunk({{2.05, 0, 0.04}, {2.04, 0, 0.04}, {2.03, 0, 0.04}});
  chunk->values[9] = 2.2;  // of no row
  EXPECT_EQ("", name(check_inward(configuration, *chunk, columns, {2.05, 0, 0.04})));
  // The way to the first row is the splice's matter, and that of the emission.
  chunk = duo::chunk({{2.1, 0, 0.04}, {2.08, 0, 0.04}});
  EXPECT_EQ("", name(check_inward(configuration, *chunk, columns, {2.05, 0, 0.04})));
}

// The finger alone: the shoulder stays outside where it is.
TEST(Recovery, WhatAChunkDoesNotMoveStaysWhereItIs) {
  const Configuration configuration = duo::configuration();
  const Columns columns = columns_of(configuration, ControlMode::kGripperPosition);
  auto chunk = duo::chunk({{0.04}, {0.04}, {0.03}});
  const Finding finding = check_inward(configuration, *chunk, columns, {2.05, 0, 0.04});
  EXPECT_EQ("recovery_direction", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_EQ(0, finding.joint);
  EXPECT_NEAR(0.05, finding.value, 1e-12);
}

// The base of the arm itself may stand outside.
TEST(Recovery, TheFirstLinkPointCountsToo) {
  Configuration configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_min[0] = 0.5;
  Recovery recovery;
  recovery.begin(configuration, {0, 0, 0.04});
  EXPECT_EQ(0, recovery.limits().arm.workspace_min[0]);
}

// Every point of the planar arm is at z = 0.1.
TEST(Recovery, OnlyPointsOfTheArmWidenTheBox) {
  Configuration configuration = duo::configuration(duo::raw_in_space());
  configuration.arm.workspace_min[2] = 0.05;
  Recovery recovery;
  recovery.begin(configuration, {2.05, 0, 0.04});
  EXPECT_EQ(0.05, recovery.limits().arm.workspace_min[2]);
  EXPECT_EQ(0.2, recovery.limits().arm.workspace_max[2]);
  configuration.arm.workspace_min[2] = 0.15;
  recovery.begin(configuration, {2.05, 0, 0.04});
  EXPECT_NEAR(0.1, recovery.limits().arm.workspace_min[2], 1e-12);
  recovery.end();
  EXPECT_FALSE(recovery.active());
}

TEST(Recovery, TheLimitsReachAsFarOutAsTheRobotStands) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  Recovery recovery;
  EXPECT_FALSE(recovery.active());
  recovery.begin(configuration, {2.2, 0.5, 0.04});
  EXPECT_TRUE(recovery.active());
  const Configuration& limits = recovery.limits();
  EXPECT_EQ(2.2, limits.limits[0].position_max);
  EXPECT_EQ(-2, limits.limits[0].position_min);
  EXPECT_EQ(1, limits.limits[1].position_max);
  EXPECT_NEAR(0.1, limits.limits[0].velocity_max, 1e-12);
  EXPECT_NEAR(0.12, limits.arm.tool_speed_max, 1e-12);
  EXPECT_NEAR(0.09, limits.arm.rotation_speed_max, 1e-12);
  // The tool at (cos 2.2 + cos 2.7, ...) = (-1.493, 1.236, 0.1).
  EXPECT_NEAR(std::sin(2.2) + std::sin(2.7), limits.arm.workspace_max[1], 1e-12);
  EXPECT_EQ(-1.5, limits.arm.workspace_min[0]);
  recovery.begin(configuration, {0, -1.1, 0.04});
  EXPECT_EQ(-1.1, limits.limits[1].position_min);
  EXPECT_EQ(1, limits.limits[1].position_max);
}

// ---- in the kernel

class RecoveryKernel : public testing::Test {
 protected:
  void SetUp() override {
    bench_.measured.position = {2.05, 0, 0.04};
    bench_.ticks(2);
  }
  [[nodiscard]] Reply arm_recovery() {
    bench_.inputs.arm_recovery = true;
    return bench_.tick().arm_recovery;
  }
  // At creep: 0.1 rad/s, from 2.05.
  [[nodiscard]] static std::unique_ptr<Chunk> inward(int rows, double speed = -0.1,
                                                     double start = 2.05) {
    return duo::chunk(
        duo::shoulder_rows(std::vector<double>(static_cast<std::size_t>(rows), speed), start));
  }

  duo::Bench bench_;
};

TEST_F(RecoveryKernel, StartingOutsideLimitsHoldsWithItsReason) {
  EXPECT_TRUE(bench_.unmet(Reason::kStatePositionLimit));
  bench_.inputs.arm = true;
  EXPECT_EQ(Reason::kStatePositionLimit, bench_.tick().arm.reason);
  auto chunk = inward(10);
  bench_.play(*chunk, 10000);
  EXPECT_TRUE(bench_.emitted.empty());
  EXPECT_EQ(State::kDisarmed, bench_.state());
}

TEST_F(RecoveryKernel, GoesBackAtCreepAndDisarmsByItself) {
  const std::uint64_t epoch = bench_.epoch();
  ASSERT_TRUE(arm_recovery().success);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.status().recovery);
  EXPECT_EQ(epoch + 1, bench_.epoch());
  bench_.tick();
  EXPECT_EQ(2.05, bench_.last.position[0]);  // held where it is
  auto chunk = inward(60);
  bench_.play(*chunk, 300);
  EXPECT_EQ(State::kDisarmed, bench_.state());
  EXPECT_FALSE(bench_.status().recovery);
  EXPECT_LE(bench_.last.position[0], 2);
  EXPECT_GT(bench_.last.position[0], 1.998);
  double before = 2.05;
  for (const Command& command : bench_.emitted) {
    EXPECT_LE(command.position[0], before);
    EXPECT_LE(before - command.position[0], 0.0005 + 1e-12);
    before = command.position[0];
  }
  // Said with the end of the motion and with that of the recovery.
  int said = 0;
  for (const Report& report : bench_.reports) {
    said += report.finding.reason == Reason::kRecovered && report.severity == Severity::kInfo;
  }
  EXPECT_EQ(2, said);
  // Creep is braked in two ticks.
  const auto braking = std::find_if(bench_.emitted.begin(), bench_.emitted.end(),
                                    [](const Command& command) { return command.braking; });
  ASSERT_NE(bench_.emitted.end(), braking);
  EXPECT_NEAR(-0.05, braking->velocity[0], 1e-12);
  // Now the robot arms as always.
  bench_.ticks(2);
  EXPECT_TRUE(bench_.arm());
  EXPECT_FALSE(bench_.status().recovery);
}

TEST_F(RecoveryKernel, OutwardIsRefused) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = inward(10, 0.05);
  bench_.send(*chunk);
  EXPECT_EQ("position_limit", bench_.reason_text());
  // Out again on the way in.
  chunk = duo::chunk(duo::shoulder_rows({-0.1, -0.1, 0.05, -0.1}, 2.05));
  bench_.send(*chunk);
  EXPECT_EQ("recovery_direction", bench_.reason_text());
  EXPECT_EQ(3, bench_.status().finding.row);
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(RecoveryKernel, FasterThanCreepIsRefused) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = inward(10, -0.11);
  bench_.send(*chunk);
  EXPECT_EQ("velocity_limit", bench_.reason_text());
  EXPECT_NEAR(0.1, bench_.status().finding.limit, 1e-12);
}

TEST_F(RecoveryKernel, OtherMotionIsRefused) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = duo::chunk({{2.05, 0, 0.04}, {2.05, 0.0005, 0.04}, {2.05, 0.001, 0.04}});
  bench_.send(*chunk);
  EXPECT_EQ("recovery_direction", bench_.reason_text());
  EXPECT_EQ(0, bench_.status().finding.joint);
}

// One row, 0.2 mrad of the elbow in a tick, within its creep: the chunk has no step, its emission
// has one.
TEST_F(RecoveryKernel, TheWayToTheFirstRowIsInwardToo) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = duo::chunk({{2.05, 0.0002, 0.04}});
  bench_.send(*chunk);
  EXPECT_EQ("recovery_direction", bench_.reason_text());
  EXPECT_EQ(Severity::kFail, bench_.reports.back().severity);
  EXPECT_EQ(chunk->sequence, bench_.reports.back().sequence);  // admitted in this very tick
  EXPECT_EQ(1u, bench_.status().stops);
  EXPECT_EQ(2.05, bench_.last.position[0]);
  EXPECT_EQ(0, bench_.last.position[1]);
}

// Nor is it for an arm in space, however its points move.
TEST(RecoverySpace, TheWayToTheFirstRowIsInwardToo) {
  duo::Bench bench(duo::raw_in_space());
  bench.measured.position = {2.05, 0, 0.04};
  bench.ticks(2);
  bench.inputs.arm_recovery = true;
  ASSERT_TRUE(bench.tick().arm_recovery.success);
  auto chunk = duo::chunk({{2.05, 0.0002, 0.04}});
  bench.send(*chunk);
  EXPECT_EQ("recovery_direction", bench.reason_text());
  EXPECT_EQ(0, bench.last.position[1]);
}

// The commands are inside, the robot is stuck outside by more than its sensors may show: it is not
// disarmed, and not sent any further.
TEST_F(RecoveryKernel, EndsWithTheRobotInside) {
  bench_.obey = [](const Command& command, JointState& state) {
    state.position = command.position;
    state.position[0] = std::max(2.02, command.position[0]);
  };
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = inward(60);
  bench_.play(*chunk, 240);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.status().recovery);
  EXPECT_LT(bench_.last.position[0], 2);
  chunk = inward(60, -0.1, bench_.last.position[0]);
  chunk->timeline = 2;
  const std::uint64_t admitted = bench_.status().chunks_admitted;
  bench_.send(*chunk);
  EXPECT_EQ("recovered", bench_.reason_text());
  EXPECT_EQ(admitted, bench_.status().chunks_admitted);
  EXPECT_EQ(State::kHolding, bench_.state());
}

// The same of a tool that is stuck beyond y = 1.2, at 2 sin 0.656 = 1.2199.
TEST(RecoverySpace, EndsWithTheToolInside) {
  duo::Bench bench(duo::raw_in_space());
  bench.measured.position = {0.7, 0, 0.04};
  bench.obey = [](const Command& command, JointState& state) {
    state.position = command.position;
    state.position[0] = std::max(0.656, command.position[0]);
  };
  bench.ticks(2);
  bench.inputs.arm_recovery = true;
  ASSERT_TRUE(bench.tick().arm_recovery.success);
  auto back = duo::chunk(duo::shoulder_rows(std::vector<double>(80, -0.05), 0.7));
  bench.play(*back, 400);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_TRUE(bench.status().recovery);
  EXPECT_LT(2 * std::sin(bench.last.position[0]), 1.2);
}

// 41 N of 40 are measured in the hold that ends the recovery; the three ticks that latch are those
// of the hold that is armed then.
TEST_F(RecoveryKernel, ArmingForgetsTheForceBeforeIt) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = inward(60);
  for (int i = 0; i < 300 && bench_.state() != State::kBraking; ++i) {
    if (i % 4 == 0) bench_.stamp(*chunk), bench_.inputs.chunk = chunk.get();
    bench_.tick();
  }
  bench_.measured.effort[2] = 41;
  for (int i = 0; i < 10 && bench_.state() != State::kDisarmed; ++i) bench_.tick();
  ASSERT_EQ(State::kDisarmed, bench_.state());
  ASSERT_TRUE(bench_.arm());
  bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.tick();
  EXPECT_EQ("gripper_force", bench_.reason_text());
}

TEST_F(RecoveryKernel, IsNotNeededInside) {
  bench_.measured.position = {1.9, 0, 0.04};
  bench_.ticks(2);
  EXPECT_EQ(Reason::kRecoveryNotNeeded, arm_recovery().reason);
  EXPECT_EQ(State::kDisarmed, bench_.state());
  EXPECT_TRUE(bench_.arm());
  EXPECT_EQ(Reason::kAlreadyArmed, arm_recovery().reason);
}

TEST_F(RecoveryKernel, NeedsEverythingElse) {
  bench_.measured.velocity[0] = 0.03;
  bench_.ticks(2);
  EXPECT_EQ(Reason::kNotAtRest, arm_recovery().reason);
  bench_.measured.velocity[0] = 0;
  bench_.inputs.second_publisher = true;
  bench_.tick();
  EXPECT_EQ(Reason::kLatched, arm_recovery().reason);
  // A latched robot can be reset outside its limits: it emits nothing before it is armed anew.
  bench_.tick();
  EXPECT_TRUE(bench_.reset());
  EXPECT_EQ(State::kDisarmed, bench_.state());
  EXPECT_TRUE(arm_recovery().success);
}

TEST_F(RecoveryKernel, AStopOrALatchEndsAsAlways) {
  ASSERT_TRUE(arm_recovery().success);
  auto chunk = inward(60);
  bench_.play(*chunk, 30);
  ASSERT_EQ(State::kActive, bench_.state());
  bench_.ticks(20);
  EXPECT_EQ("chunk_stale", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.status().recovery);
  const double at = bench_.last.position[0];
  EXPECT_GT(at, 2);
  // On from there.
  chunk = inward(60, -0.1, at);
  chunk->timeline = 2;
  bench_.play(*chunk, 30);
  EXPECT_EQ(State::kActive, bench_.state());
  bench_.estop(true);
  bench_.ticks(10);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_FALSE(bench_.status().recovery);
}

// Moved further out by hand: beyond what it was armed for.
TEST_F(RecoveryKernel, ARobotThatGoesFurtherOutLatches) {
  ASSERT_TRUE(arm_recovery().success);
  bench_.follows = false;
  bench_.measured.position[0] = 2.061;  // 2.05 and the sensor's 0.01
  bench_.ticks(3);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("state_position_limit", bench_.reason_text());
}

TEST_F(RecoveryKernel, ByJointsOnly) {
  duo::Bench bench(duo::raw_in_every_mode());
  bench.measured.position = {0.7, 0, 0.04};  // the tool beyond y = 1.2
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kWorkspace));
  bench.inputs.arm = true;
  EXPECT_EQ(Reason::kWorkspace, bench.tick().arm.reason);
  bench.inputs.arm_recovery = true;
  ASSERT_TRUE(bench.tick().arm_recovery.success);
  auto pose = duo::poses({duo::planar_pose(0.7, 0)});
  bench.send(*pose);
  EXPECT_EQ("recovery_mode", bench.reason_text());
  // 0.05 rad/s, 0.1 m/s at the tool; creep is 0.12 and 0.09 rad/s.
  auto back = duo::chunk(duo::shoulder_rows(std::vector<double>(80, -0.05), 0.7));
  bench.play(*back, 400);
  EXPECT_EQ(State::kDisarmed, bench.state());
  bench.ticks(2);
  EXPECT_TRUE(bench.arm());
}

}  // namespace
}  // namespace openral::safety
