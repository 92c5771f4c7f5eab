// Behaviour 15 where joints are not commanded: what the measurement must leave room for.
#include "measured_motion.hpp"

#include <cmath>

#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

class MeasuredMotion : public testing::Test {
 protected:
  [[nodiscard]] std::string check(const JointArray& position, const JointArray& velocity,
                                  double age = 0, const Tolerance& tolerance = {}) {
    JointState state;
    state.position = position;
    state.velocity = velocity;
    finding_ = check_measured_motion(configuration_, state, age, tolerance);
    return std::string(reason_name(finding_.reason));
  }

  Configuration configuration_ = duo::configuration(duo::raw_in_every_mode());
  Finding finding_;
};

// Shoulder at 0.5 rad/s: 10 ticks of 5 ms, 0.5 (0.025 + 0.005 + age + 0.005) = 0.0175 rad + 0.5
// age; v^2 / 2a alone is 0.0125. Its limits are -2 and 2. The elbow is bent, so that the tool is
// slow.
TEST_F(MeasuredMotion, LeavesRoomToStopBeforeEveryLimit) {
  configuration_.arm.limited = false;
  EXPECT_EQ("", check({1.982, 0, 0.04}, {0.5}));
  EXPECT_EQ("measured_viability", check({1.983, 0, 0.04}, {0.5}));
  EXPECT_EQ(0, finding_.joint);
  EXPECT_NEAR(2.0005, finding_.value, 1e-12);
  EXPECT_EQ(2, finding_.limit);
  EXPECT_EQ("", check({-1.982, 0, 0.04}, {-0.5}));
  EXPECT_EQ("measured_viability", check({-1.983, 0, 0.04}, {-0.5}));
  EXPECT_EQ(-2, finding_.limit);
  // An older measurement needs more room.
  EXPECT_EQ("", check({1.972, 0, 0.04}, {0.5}, 0.02));
  EXPECT_EQ("measured_viability", check({1.973, 0, 0.04}, {0.5}, 0.02));
  // Away from the limit it may go.
  EXPECT_EQ("", check({2, 0, 0.04}, {-0.5}));
}

TEST_F(MeasuredMotion, SpeedOfEveryJoint) {
  configuration_.arm.limited = false;
  EXPECT_EQ("", check({0, 0, 0.04}, {1, -0.5}));
  EXPECT_EQ("measured_velocity", check({0, 0, 0.04}, {0, -0.51}));
  EXPECT_EQ(1, finding_.joint);
  EXPECT_EQ(0.51, finding_.value);
  EXPECT_EQ("measured_velocity", check({0, 0, 0.04}, {1.01}));
}

// 0.5 rad/s and 0.035 s.
TEST_F(MeasuredMotion, AStopMayEndOnTheLimitItself) {
  configuration_.arm.limited = false;
  JointState state;
  for (const double sign : {-1.0, 1.0}) {
    state.velocity[0] = 0.5 * sign;
    const double end = end_of_measured_stop(configuration_, state, 0)[0];
    EXPECT_NEAR(0.0175 * sign, end, 1e-15);
    JointLimits& limits = configuration_.limits[0];
    limits.position_min = limits.position_max = end;
    EXPECT_EQ("", check({}, state.velocity));
    limits.position_min = limits.position_max = std::nextafter(end, 0);
    EXPECT_EQ("measured_viability", check({}, state.velocity));
  }
}

// Noise at a limit is no motion, and a gripper closes on its own end.
TEST_F(MeasuredMotion, WhatStandsAndWhatGripsIsLeftOut) {
  configuration_.arm.limited = false;
  EXPECT_EQ("", check({2, 1, 0.04}, {0.02, 0.02, 0}));
  EXPECT_EQ("", check({2.001, 0, 0.04}, {0}));
  EXPECT_EQ("", check({-2.001, 0, 0.04}, {0}));
  EXPECT_EQ("measured_viability", check({2, 1, 0.04}, {0.021}));
  EXPECT_EQ("", check({0, 0, 0.0001}, {0, 0, -0.1}));
}

TEST_F(MeasuredMotion, NanIsNoRoom) {
  configuration_.arm.limited = false;
  EXPECT_EQ("measured_velocity", check({0, 0, 0.04}, {std::nan("")}));
  EXPECT_EQ("measured_viability", check({std::nan(""), 0, 0.04}, {0.5}));
}

// Both links in line, 2 m: 0.5 rad/s are 1 m/s, 0.7 are 1.4; the limit is 1.2, turning 0.9.
TEST_F(MeasuredMotion, SpeedOfTheTool) {
  EXPECT_EQ("", check({-0.5, 0, 0.04}, {0.5}));
  EXPECT_EQ("tool_speed", check({-0.5, 0, 0.04}, {0.7}));
  EXPECT_NEAR(1.4, finding_.value, 1e-3);
  EXPECT_EQ("tool_speed", check({-0.5, 0, 0.04}, {0.65}));
  EXPECT_EQ("", check({-0.5, 0, 0.04}, {0.65}, 0, servo_tolerance(configuration_)));  // 1.3 of 1.32
  EXPECT_EQ("tool_speed", check({-0.5, 0, 0.04}, {0.67}, 0, servo_tolerance(configuration_)));
  // Bent back on itself, the tool is at the shoulder, and only turns.
  configuration_.limits[1].position_max = 4;
  EXPECT_EQ("tool_rotation", check({-0.5, 3.1, 0.04}, {0.95}));
  EXPECT_EQ("", check({-0.5, 3.1, 0.04}, {0.95}, 0, servo_tolerance(configuration_)));  // of 0.99
}

// The tool at (2 cos q, 2 sin q), the box ends at y = 1.2, q = asin 0.6 = 0.6435. At 0.5 rad/s a
// stop takes 0.0175 rad more.
TEST_F(MeasuredMotion, TheEndOfAStopIsInTheWorkspace) {
  EXPECT_EQ("", check({0.6435 - 0.018, 0, 0.04}, {0.5}));
  EXPECT_EQ("workspace", check({0.6435 - 0.017, 0, 0.04}, {0.5}));
  EXPECT_EQ("workspace", check({0.6436, 0, 0.04}, {0}));
  EXPECT_EQ(-1, finding_.joint);
  // Outside already, though the stop would end inside: 0.65 - 0.0175 = 0.6325.
  EXPECT_EQ("workspace", check({0.65, 0, 0.04}, {-0.5}));
}

// Link points too: the elbow at (cos q, sin q), the tool drawn back.
TEST_F(MeasuredMotion, EveryLinkPointIsInTheWorkspace) {
  configuration_.arm.workspace_max[1] = 0.5;
  configuration_.limits[1].position_max = 4;
  EXPECT_EQ("workspace", check({0.6, 2.8, 0.04}, {0}));
  EXPECT_EQ(1, finding_.joint);
  EXPECT_NEAR(std::sin(0.6), finding_.value, 1e-12);
}

// A servo at the edge of the box may measure a little beyond it.
TEST_F(MeasuredMotion, AServoHasTheMarginOfItsSensors) {
  const Tolerance servo = servo_tolerance(configuration_);
  // y = 2 sin q: 1.2095 and 1.2111, the box ends at 1.2 and the margin is 0.01.
  EXPECT_EQ("", check({0.6495, 0, 0.04}, {0}, 0, servo));
  EXPECT_EQ("workspace", check({0.6505, 0, 0.04}, {0}, 0, servo));
  EXPECT_EQ("workspace", check({0.6495, 0, 0.04}, {0}));
}

TEST_F(MeasuredMotion, MovedOnByItsAge) {
  JointState state;
  state.position = {0.1, 0.999, 0.04};
  state.velocity = {0.5, 0.5, 0};
  const JointArray now = measured_now(configuration_, state, 0.01);
  EXPECT_NEAR(0.105, now[0], 1e-12);
  EXPECT_EQ(1, now[1]);  // kept in the limits
  EXPECT_EQ(0.04, now[2]);
}

// As commanded rows do: from -0.12 at 1 rad/s and 2 rad/s^2 a stop leads through the place where
// the tool of the stretched arm is 2 m away.
TEST_F(MeasuredMotion, TheWayOfAStopIsInTheWorkspace) {
  configuration_.limits[0].acceleration_max = 2;
  configuration_.arm.tool_speed_max = 2.1;
  configuration_.arm.rotation_speed_max = 1.1;
  EXPECT_EQ("", check({-0.12, 0, 0.04}, {1}));
  configuration_.arm.workspace_max[0] = 1.995;
  EXPECT_EQ("workspace", check({-0.12, 0, 0.04}, {1}));
  EXPECT_EQ(1.995, finding_.limit);
}

}  // namespace
}  // namespace openral::safety
