// Behaviour 19: what moves in a step, and how fast its fastest point is.
#include "step_speed.hpp"

#include <cmath>

#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

constexpr double kTick = 0.005;

class StepSpeedTest : public testing::Test {
 protected:
  [[nodiscard]] StepSpeed step(const JointArray& from, const JointArray& to) const {
    return joint_step(configuration_, from, to, kTick);
  }
  const Configuration configuration_ = duo::configuration(duo::raw_in_every_mode());
};

// Chords of 2 r sin(a / 2): the tool is 2 m away from the shoulder.
TEST_F(StepSpeedTest, OfTheTool) {
  const StepSpeed turned = step({0, 0, 0.04}, {0.002, 0, 0.04});
  EXPECT_NEAR(4 * std::sin(0.001) / kTick, turned.fastest, 1e-12);
  EXPECT_TRUE(turned.moves);
}

// The tool stands at (2 cos 0.002, 0), the elbow goes 2 sin 0.001 far.
TEST_F(StepSpeedTest, OfAnElbowThatSwingsWhileTheToolStands) {
  EXPECT_NEAR(2 * std::sin(0.001) / kTick, step({0, 0, 0.04}, {0.002, -0.004, 0.04}).fastest,
              1e-12);
}

TEST_F(StepSpeedTest, AFingersTravelComesOnTopOfItsHand) {
  EXPECT_NEAR(0.1, step({0, 0, 0.04}, {0, 0, 0.0395}).fastest, 1e-12);
  EXPECT_TRUE(step({0, 0, 0.04}, {0, 0, 0.0395}).moves);
  EXPECT_NEAR(0.1 + 4 * std::sin(0.001) / kTick, step({0, 0, 0.04}, {0.002, 0, 0.0395}).fastest,
              1e-12);
}

TEST_F(StepSpeedTest, WhatStaysDoesNotMove) {
  const StepSpeed none = step({0.3, 0.2, 0.04}, {0.3, 0.2, 0.04});
  EXPECT_EQ(0, none.fastest);
  EXPECT_FALSE(none.moves);
}

// The last link about an axis through its tool point.
TEST(StepSpeed, ALinkThatTurnsOnTheSpotMoves) {
  auto raw = duo::raw_in_space();
  raw.vectors["robot.arm.tool_xyz"] = {0, 0, 0.2};
  const Configuration configuration = duo::configuration(raw);
  const StepSpeed turned = joint_step(configuration, {0, 0, 0.04}, {0, 0.002, 0.04}, kTick);
  EXPECT_EQ(0, turned.fastest);
  EXPECT_TRUE(turned.moves);
}

TEST_F(StepSpeedTest, MeasuredJointsAtRestAreLeftOut) {
  JointState state;
  state.position = {0, 0, 0.04};
  state.velocity = {0.02, 0, 0};  // state.rest_velocity
  EXPECT_FALSE(measured_step(configuration_, state).moves);
  state.velocity = {0.4, 0.02, 0};
  EXPECT_TRUE(measured_step(configuration_, state).moves);
  EXPECT_NEAR(4 * std::sin(0.001) / kTick, measured_step(configuration_, state).fastest, 1e-12);
}

TEST(StepSpeed, OfACommandedTool) {
  EXPECT_EQ(5, tool_step({{3, 4, 0}, {0, 0, 1}}).fastest);
  EXPECT_TRUE(tool_step({{0, 0, 0.1}, {}}).moves);
  EXPECT_TRUE(tool_step({{}, {0, 0.1, 0}}).moves);
  EXPECT_FALSE(tool_step({}).moves);
}

// 0.4 m from its axis to its corners.
TEST(StepSpeed, OfABase) {
  const Configuration configuration = duo::configuration(duo::raw_with_base());
  EXPECT_NEAR(0.5, base_step(configuration, {0.3, 0.4, 0}).fastest, 1e-12);
  EXPECT_NEAR(0.5 + 0.4, base_step(configuration, {0.3, 0.4, -1}).fastest, 1e-12);
  for (const JointArray& twist : {JointArray{0.1}, JointArray{0, 0.1}, JointArray{0, 0, -0.1}}) {
    EXPECT_TRUE(base_step(configuration, twist).moves);
  }
  EXPECT_FALSE(base_step(configuration, {}).moves);
}

}  // namespace
}  // namespace openral::safety
