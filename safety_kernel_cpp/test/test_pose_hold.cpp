// Behaviour 22 of poses: a tool that is held, and what is held once it is armed anew.
#include <cmath>

#include "pose_kernel.hpp"

namespace openral::safety {
namespace {

using duo::PoseKernel;

TEST_F(PoseKernel, NothingIsHeldWithoutAFreshMeasurement) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.tick().emit);
  EXPECT_FALSE(bench_.last.braking);
  bench_.driver_silent = true;
  bench_.ticks(12);
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kHolding, bench_.state());
}

// The tool stands, the elbow swings behind it: 0.51 rad/s at 5 rad/s^2 are 21 ticks.
TEST_F(PoseKernel, AJointThatRacesBehindAHeldToolIsBraked) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  const std::uint64_t epoch = bench_.epoch();
  bench_.obey = [](const Command& command, JointState& state) {
    if (command.mode == ControlMode::kCartesianPose) {
      state.velocity[1] = 0.51;  // limit 0.5
    } else {
      duo::obey_poses(command, state);
    }
  };
  bench_.ticks(3);
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(1, bench_.status().finding.joint);
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ(epoch + 1, bench_.epoch());
  EXPECT_EQ(1u, bench_.status().stops);
  EXPECT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.ticks(2);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
}

TEST_F(PoseKernel, AMovedArmLatchesWhileItIsHeld) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[0] += 0.06;  // 0.11 m at the tool, 0.05 allowed
  bench_.ticks(5);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("tracking_error", bench_.reason_text());
}

// Two ticks beside its pose, a good one, two ticks again: no three in a row.
TEST_F(PoseKernel, AHoldForgivesASpike) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  bench_.obey = [](const Command&, JointState&) {};
  const double at = bench_.measured.position[0];
  for (int i = 0; i < 6; ++i) {
    // Every second tick brings a measurement, which stands for two.
    bench_.measured.position[0] = i % 2 == 0 ? at + 0.06 : at;
    bench_.ticks(2);
  }
  EXPECT_EQ(State::kHolding, bench_.state());
}

// 0.06 rad at the shoulder are 4 cos 0.3 sin 0.03 = 0.1146 m at the tool, of 0.05. A measurement
// comes every second tick and stands for two; the third tick in a row latches.
TEST_F(PoseKernel, AHoldIsLatchedByTheThirdTickInARow) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  while (bench_.measured.received != bench_.now) bench_.tick();
  ASSERT_EQ(State::kHolding, bench_.state());
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[0] += 0.06;
  EXPECT_TRUE(bench_.tick().emit);  // the old measurement once more
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("tracking_error", bench_.reason_text());
  EXPECT_NEAR(4 * std::cos(0.3) * std::sin(0.03), bench_.status().finding.value, 1e-9);
  EXPECT_EQ(0.05, bench_.status().finding.limit);
}

// Cut in motion: what is armed anew are the joints, where they are.
TEST_F(PoseKernel, ArmingHoldsTheJoints) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 30);
  bench_.cut_and_reset();
  ASSERT_TRUE(bench_.arm());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_EQ(bench_.measured.position[0], bench_.last.position[0]);
  EXPECT_EQ(bench_.measured.position[1], bench_.last.position[1]);
}

// Cut at 0.57 m/s, and armed anew: a tool begins at rest.
TEST_F(PoseKernel, ATwistInForceEndsWithItsArming) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 30);
  bench_.cut_and_reset();
  ASSERT_TRUE(bench_.arm());
  const JointArray& at = bench_.measured.position;
  auto rest = duo::poses(duo::Rows(5, duo::planar_pose(at[0], at[1])));
  bench_.send(*rest);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  EXPECT_EQ(1u, bench_.status().stops);
}

}  // namespace
}  // namespace openral::safety
