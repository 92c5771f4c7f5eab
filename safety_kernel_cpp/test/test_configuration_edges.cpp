// Behaviour 2 at the edges of every range: the last value that is accepted, the first that is not,
// and what is said then.
#include <gtest/gtest.h>

#include "configuration.hpp"
#include "duo.hpp"
#include "duo_every_mode_robot.hpp"
#include "duo_in_space.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

using duo::error_of;

// Empty where it is accepted.
std::string field_of(const RawConfiguration& raw) {
  Configuration configuration;
  const auto error = configure(raw, configuration);
  return error ? error->field : "";
}
// A robot whose only joint has this name.
RawConfiguration robot_with_joint(const std::string& name) {
  RawConfiguration raw = duo::raw();
  raw.lists["robot.joints"] = {name};
  raw.lists["robot.gripper_joints"] = {};
  std::map<std::string, double> numbers;
  for (const auto& [field, value] : raw.numbers) {
    if (field.rfind("robot.limits.", 0) != 0) numbers[field] = value;
  }
  for (const auto& field : joint_fields()) {
    numbers["robot.limits." + name + "." + field.name] =
        raw.numbers[std::string("robot.limits.shoulder.") + field.name];
  }
  raw.numbers = numbers;
  return raw;
}

TEST(ConfigurationEdges, NamesHaveOneTo64BytesAndNoDot) {
  EXPECT_EQ("", field_of(robot_with_joint("a")));
  EXPECT_EQ("", field_of(robot_with_joint(std::string(64, 'a'))));
  for (const std::string& bad : {std::string(), std::string(65, 'a'), std::string("a.b")}) {
    const ConfigurationError error = error_of(robot_with_joint(bad));
    EXPECT_EQ("robot.joints", error.field);
    EXPECT_EQ("'" + bad + "'", error.value);
  }
  RawConfiguration raw = duo::raw();
  for (const std::string& bad : {std::string(), std::string(65, 'a')}) {
    raw.texts["robot.name"] = bad;
    EXPECT_EQ("robot.name", error_of(raw).field);
    EXPECT_EQ(bad, error_of(raw).value);
  }
  raw.texts.erase("robot.name");
  EXPECT_EQ("missing", error_of(raw).value);
  raw.texts["robot.name"] = std::string(64, 'a');
  EXPECT_EQ("", field_of(raw));
}

TEST(ConfigurationEdges, SkillsAreAtMost32Names) {
  RawConfiguration raw = duo::raw();
  auto& skills = raw.lists["skills.allowed"];
  EXPECT_EQ("", field_of(raw));
  for (const std::string& bad : {std::string(), std::string(65, 'a')}) {
    skills = {"reach", bad};
    EXPECT_EQ("skills.allowed", error_of(raw).field);
    EXPECT_EQ("'" + bad + "'", error_of(raw).value);
  }
  skills = {std::string(64, 'a')};
  EXPECT_EQ("", field_of(raw));
  for (int i = 1; i < 32; ++i) skills.push_back("s" + std::to_string(i));
  EXPECT_EQ("", field_of(raw));
  skills.push_back("one_too_many");
  EXPECT_EQ("'one_too_many'", error_of(raw).value);
}

TEST(ConfigurationEdges, ListsThatAreEmptyAreMissing) {
  RawConfiguration raw = duo::raw();
  raw.lists["robot.joints"] = {};
  EXPECT_EQ("robot.joints", error_of(raw).field);
  EXPECT_EQ("missing", error_of(raw).value);
  raw = duo::raw();
  raw.lists["robot.modes"] = {};
  EXPECT_EQ("missing", error_of(raw).value);
  raw.lists.erase("robot.modes");
  EXPECT_EQ("missing", error_of(raw).value);
  raw = duo::raw_in_space();
  raw.lists.erase("robot.arm.joints");
  EXPECT_EQ("missing", error_of(raw).value);
  raw.lists["robot.arm.joints"] = {};
  EXPECT_EQ("missing", error_of(raw).value);
}

TEST(ConfigurationEdges, AGripperMayBeMissingButNotWrong) {
  RawConfiguration raw = duo::raw();
  raw.lists.erase("robot.gripper_joints");
  Configuration configuration;
  ASSERT_FALSE(configure(raw, configuration).has_value());
  EXPECT_EQ(0u, configuration.gripper_count);
  raw.lists["robot.gripper_joints"] = {};
  EXPECT_EQ("", field_of(raw));
  raw.lists["robot.gripper_joints"] = {"finger", "finger"};
  EXPECT_EQ("robot.gripper_joints", error_of(raw).field);
  EXPECT_EQ("'finger' twice", error_of(raw).value);
}

TEST(ConfigurationEdges, APositionRangeHasAnInside) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.elbow.position_min"] = 1;
  EXPECT_EQ("robot.limits.elbow.position_min", error_of(raw).field);
  raw.numbers["robot.limits.elbow.position_min"] = 0.9;
  EXPECT_EQ("", field_of(raw));
}

TEST(ConfigurationEdges, ALimitThatIsTextForAnUnknownJointIsRefused) {
  RawConfiguration raw = duo::raw();
  raw.texts["robot.limits.hip.velocity_max"] = "fast";
  EXPECT_EQ("robot.limits.hip.velocity_max", error_of(raw).field);
  raw = duo::raw();
  raw.numbers["robot.limits.elbow"] = 1;
  EXPECT_EQ("robot.limits.elbow", error_of(raw).field);
}

// Rows from one tick apart to dt_max apart, the twist of cmd_vel as well.
TEST(ConfigurationEdges, RowsAreAtLeastATickApart) {
  RawConfiguration raw = duo::raw();
  raw.numbers["chunk.dt_min_s"] = 0.005;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["chunk.dt_min_s"] = 0.0049;
  EXPECT_EQ("chunk.dt_min_s", error_of(raw).field);
  EXPECT_EQ("0.0049", error_of(raw).value);
  EXPECT_EQ("[0.005, 0.1] s, from one tick to chunk.dt_max_s", error_of(raw).valid);
  raw.numbers["chunk.dt_min_s"] = 0.1;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["chunk.dt_max_s"] = 0.09;
  EXPECT_EQ("chunk.dt_min_s", error_of(raw).field);
}

TEST(ConfigurationEdges, ATwistsPeriodLiesInTheRangeOfRows) {
  RawConfiguration raw = duo::raw_with_base();
  raw.numbers["chunk.dt_min_s"] = 0.01;
  const std::string name = "robot.base.command_period_s";
  for (const double good : {0.01, 0.1}) {
    raw.numbers[name] = good;
    EXPECT_EQ("", field_of(raw)) << good;
  }
  for (const double bad : {0.0099, 0.1001}) {
    raw.numbers[name] = bad;
    EXPECT_EQ(name, error_of(raw).field) << bad;
    EXPECT_EQ("[0.01, 0.1] s, from chunk.dt_min_s to chunk.dt_max_s", error_of(raw).valid);
  }
}

TEST(ConfigurationEdges, ALeaseIsTwoToThreeTicks) {
  RawConfiguration raw = duo::raw();
  raw.numbers["lease_s"] = 0.015;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["lease_s"] = 0.016;
  EXPECT_EQ("[0.01, 0.015] s, two to three ticks of loop.rate_hz", error_of(raw).valid);
  EXPECT_EQ("lease_s = 0.016, valid: [0.01, 0.015] s, two to three ticks of loop.rate_hz",
            error_of(raw).text());
}

// What may be left open is said, not forgotten.
TEST(ConfigurationEdges, EverySwitchIsSaid) {
  for (const auto& [name, value] : duo::raw().flags) {
    RawConfiguration raw = duo::raw();
    raw.flags.erase(name);
    EXPECT_EQ(name, error_of(raw).field);
    EXPECT_EQ("missing", error_of(raw).value);
  }
}

// Each number of a base lands in its own place.
TEST(ConfigurationEdges, ABasesNumbersKeepTheirPlaces) {
  RawConfiguration raw = duo::raw_with_base();
  const std::pair<const char*, double> values[] = {
      {"linear_speed_max", 1},
      {"lateral_speed_max", 2},
      {"angular_speed_max", 3},
      {"linear_acceleration_max", 4},
      {"lateral_acceleration_max", 5},
      {"angular_acceleration_max", 6},
      {"stopping_distance_max", 7},
      {"stopping_time_max_s", 0.9},
      {"radius", 0.7},
      {"command_period_s", 0.08},
  };
  for (const auto& [name, value] : values) {
    raw.numbers[std::string("robot.base.") + name] = value;
  }
  Configuration configuration;
  ASSERT_FALSE(configure(raw, configuration).has_value());
  const BaseLimits& base = configuration.base;
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    EXPECT_EQ(static_cast<double>(i + 1), base.axes[i].speed_max);
    EXPECT_EQ(static_cast<double>(i + 4), base.axes[i].acceleration_max);
  }
  EXPECT_EQ(7, base.stopping_distance_max);
  EXPECT_EQ(0.9, base.stopping_time_max);
  EXPECT_EQ(0.7, base.radius);
  EXPECT_EQ(0.08, base.command_period);
}

// Each scalar as well: no two of them have the same value here.
TEST(ConfigurationEdges, ScalarsKeepTheirPlaces) {
  RawConfiguration raw = duo::raw();
  const std::pair<const char*, double> values[] = {
      {"loop.rate_hz", 100},
      {"loop.late_tolerance_s", 0.004},
      {"loop.late_ticks_max", 1},
      {"lease_s", 0.02},
      {"chunk.age_max_s", 0.07},
      {"chunk.dt_min_s", 0.011},
      {"chunk.dt_max_s", 0.12},
      {"chunk.horizon_max", 99},
      {"observation.age_max_s", 0.2},
      {"observation.future_max_s", 0.013},
      {"observation.frozen_ticks_max", 8},
      {"joint_state.age_max_s", 0.04},
      {"tracking.ticks_max", 2},
      {"brake.delay_s", 0.006},
      {"brake.time_max_s", 0.55},
      {"state.rest_velocity", 0.03},
      {"state.position_margin", 0.02},
      {"state.velocity_factor", 4},
      {"estop.heartbeat_s", 0.6},
      {"estop.cooldown_s", 1.5},
  };
  for (const auto& [name, value] : values) raw.numbers[name] = value;
  Configuration c;
  ASSERT_FALSE(configure(raw, c).has_value());
  constexpr Nanoseconds kMs = 1'000'000;
  EXPECT_EQ(10 * kMs, c.times.tick);
  EXPECT_EQ(4 * kMs, c.times.late_tolerance);
  EXPECT_EQ(1u, c.late_ticks_max);
  EXPECT_EQ(20 * kMs, c.times.lease);
  EXPECT_EQ(70 * kMs, c.times.chunk_age_max);
  EXPECT_EQ(0.011, c.dt_min);
  EXPECT_EQ(0.12, c.dt_max);
  EXPECT_EQ(99u, c.horizon_max);
  EXPECT_EQ(200 * kMs, c.times.observation_age_max);
  EXPECT_EQ(13 * kMs, c.times.observation_future_max);
  EXPECT_EQ(8u, c.frozen_ticks_max);
  EXPECT_EQ(40 * kMs, c.times.joint_state_age_max);
  EXPECT_EQ(2u, c.tracking_ticks_max);
  EXPECT_EQ(0.006, c.brake_delay);
  EXPECT_EQ(0.55, c.brake_time_max);
  EXPECT_EQ(0.03, c.rest_velocity);
  EXPECT_EQ(0.02, c.state_position_margin);
  EXPECT_EQ(4, c.state_velocity_factor);
  EXPECT_EQ(600 * kMs, c.times.estop_heartbeat);
  EXPECT_EQ(1500 * kMs, c.times.estop_cooldown);
}

TEST(ConfigurationEdges, AFieldOfAnyKindThatIsNotKnownIsRefused) {
  for (const std::string prefix : {"robot.arm.", "robot.base.", "separation."}) {
    const std::string name = prefix + "speed";
    RawConfiguration raw = duo::raw_in_space();
    raw.numbers[name] = 1;
    EXPECT_EQ(name, error_of(raw).field);
    EXPECT_EQ("unknown field", error_of(raw).value);
    raw = duo::raw_in_space();
    raw.texts[name] = "1";
    EXPECT_EQ(name, error_of(raw).field);
    raw = duo::raw_in_space();
    raw.flags[name] = true;
    EXPECT_EQ(name, error_of(raw).field);
    raw = duo::raw_in_space();
    raw.lists[name] = {"1"};
    EXPECT_EQ(name, error_of(raw).field);
    raw = duo::raw_in_space();
    raw.vectors[name] = {1};
    EXPECT_EQ(name, error_of(raw).field);
  }
}

// 0.001 of length, no more.
TEST(ConfigurationEdges, AnAxisMayBeAsLongAsItsTolerance) {
  RawConfiguration raw = duo::raw_in_space();
  const std::string name = "robot.arm.chain.elbow.axis";
  for (const auto& axis : std::vector<std::vector<double>>{{1, 0, 0}, {0, 1, 0}, {0.6, 0.8, 0}}) {
    raw.vectors[name] = axis;
    EXPECT_EQ("", field_of(raw));
  }
  raw.vectors[name] = {0.6, 0, 0.6};
  EXPECT_EQ(name, error_of(raw).field);
  raw.vectors[name] = {0, 0.6, 0.6};
  EXPECT_EQ(name, error_of(raw).field);
  raw.vectors[name] = {0.6, 0.6, 0};
  EXPECT_EQ(name, error_of(raw).field);
}

TEST(ConfigurationEdges, AChainNamesItsChoicesAndWhoIsMissing) {
  RawConfiguration raw = duo::raw_in_space();
  raw.lists["robot.arm.joints"] = {"elbow"};
  EXPECT_EQ("without 'shoulder'", error_of(raw).value);
  EXPECT_NE(std::string::npos, error_of(raw).valid.find("shoulder, elbow, finger"));
  // Of a gripper there is nothing to say.
  raw = duo::raw_in_space();
  raw.vectors["robot.arm.chain.finger.xyz"] = {0, 0, 0};
  EXPECT_EQ("robot.arm.chain.finger.xyz", error_of(raw).field);
}

TEST(ConfigurationEdges, AWorkspaceHasAnInsideOnEveryAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    RawConfiguration raw = duo::raw_in_space();
    raw.vectors["robot.arm.workspace_min"][axis] = raw.vectors["robot.arm.workspace_max"][axis];
    EXPECT_EQ("robot.arm.workspace_min", error_of(raw).field) << axis;
  }
}

TEST(ConfigurationEdges, ThreeLateTicksLatchAtTheLatest) {
  RawConfiguration raw = duo::raw();
  raw.numbers["loop.late_ticks_max"] = 3;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["loop.late_ticks_max"] = 4;
  EXPECT_EQ("loop.late_ticks_max", error_of(raw).field);
  EXPECT_EQ("[1, 3] ticks", error_of(raw).valid);
}

// The longest stop is a declared bound, here 0.5 s: 1 rad/s needs 2 rad/s^2.
TEST(ConfigurationEdges, AStopTakesNoLongerThanItsBound) {
  RawConfiguration raw = duo::raw();
  const std::string shoulder = "robot.limits.shoulder.acceleration_max";
  raw.numbers[shoulder] = 2;
  EXPECT_EQ("", field_of(raw));
  raw.numbers[shoulder] = 1.99;
  EXPECT_EQ(shoulder, error_of(raw).field);
  EXPECT_EQ("1.99", error_of(raw).value);
  EXPECT_EQ("at least 2, so that a stop from 1 takes brake.time_max_s = 0.5 s at most",
            error_of(raw).valid);
  // A mistyped 0.15 rad/s^2 would make it 6.7 s.
  raw.numbers[shoulder] = 0.15;
  EXPECT_EQ(shoulder, error_of(raw).field);
}

// A gripper's too, the tool's own, and its turning: 1.2 m/s and 0.9 rad/s.
TEST(ConfigurationEdges, EveryStopOfAnArmHasTheBound) {
  const std::pair<const char*, double> fields[] = {
      {"robot.limits.finger.acceleration_max", 0.2},
      {"robot.cartesian.acceleration_max", 2.4},
      {"robot.cartesian.rotation_acceleration_max", 1.8},
  };
  for (const auto& [name, least] : fields) {
    RawConfiguration raw = duo::raw_in_every_mode();
    raw.numbers[name] = least;
    EXPECT_EQ("", field_of(raw));
    raw.numbers[name] = least * 0.999;
    EXPECT_EQ(name, error_of(raw).field);
  }
}

// 0.5 s: 0.5 m/s and 1 rad/s. An axis without speed needs no brakes.
TEST(ConfigurationEdges, AStopOfABaseHasABoundOfItsOwn) {
  const std::pair<const char*, double> fields[] = {{"robot.base.linear_acceleration_max", 1},
                                                   {"robot.base.angular_acceleration_max", 2}};
  for (const auto& [name, least] : fields) {
    RawConfiguration raw = duo::raw_with_base();
    raw.numbers[name] = least * 0.999;
    EXPECT_EQ(name, error_of(raw).field);
  }
  RawConfiguration raw = duo::raw_with_base();
  raw.numbers["robot.base.lateral_acceleration_max"] = 0.01;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["robot.base.lateral_speed_max"] = 0.1;
  EXPECT_EQ("robot.base.lateral_acceleration_max", error_of(raw).field);
}

// What comes once a tick may be two ticks old when it is used: 40 ms at 50 Hz.
TEST(ConfigurationEdges, AgesLastForTwoTicks) {
  for (const std::string field :
       {"chunk.age_max_s", "observation.age_max_s", "joint_state.age_max_s"}) {
    RawConfiguration raw = duo::raw();
    raw.numbers["loop.rate_hz"] = 50;
    raw.numbers["lease_s"] = 0.05;
    raw.numbers["chunk.dt_min_s"] = 0.02;
    raw.numbers[field] = 0.04;
    EXPECT_EQ("", field_of(raw)) << field;
    raw.numbers[field] = 0.0399;
    const ConfigurationError error = error_of(raw);
    EXPECT_EQ(field, error.field);
    EXPECT_EQ("0.0399", error.value);
    EXPECT_EQ("at least 0.04 s, two ticks of loop.rate_hz", error.valid);
  }
}

// The way of a tool's stop is the shorter turn between its ends. From 5 rad/s at 5 rad/s^2 it takes
// 200 ticks: 1.01 * 5 (200 * 0.005 / 2 + 0.005) = 2.55 rad; from 6 at 6 it would be 3.06.
TEST(ConfigurationEdges, AToolsStopTurnsByLessThanHalfATurn) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.numbers["brake.time_max_s"] = 2;
  raw.numbers["robot.arm.rotation_speed_max"] = 5;
  raw.numbers["robot.cartesian.rotation_acceleration_max"] = 5;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["robot.arm.rotation_speed_max"] = 6;
  raw.numbers["robot.cartesian.rotation_acceleration_max"] = 6;
  const ConfigurationError error = error_of(raw);
  EXPECT_EQ("robot.arm.rotation_speed_max", error.field);
  EXPECT_EQ("6", error.value);
  EXPECT_EQ("at most 5.8817763, so that the longest stop of the tool turns it by 3 rad at most",
            error.valid);
}

// From 4 rad/s at 10 rad/s^2 a stop takes 80 ticks: 4 (80 * 0.005 / 2 + 0.005) = 0.82 rad; from
// 5 rad/s 100 ticks, 1.275 rad.
TEST(ConfigurationEdges, AStopTurnsNoJointOfAnArmByMoreThanARadian) {
  RawConfiguration raw = duo::raw_in_space();
  const std::string shoulder = "robot.limits.shoulder.velocity_max";
  raw.numbers[shoulder] = 4;
  EXPECT_EQ("", field_of(raw));
  raw.numbers[shoulder] = 5;
  EXPECT_EQ(shoulder, error_of(raw).field);
  // 1 / 0.255
  EXPECT_EQ("at most 3.92156863, so that the longest stop turns it by 1 rad at most",
            error_of(raw).valid);
  raw.flags["robot.arm.forward_kinematics"] = false;
  EXPECT_EQ("", field_of(raw));
}

// One number of radians and of metres: half of the finger's 0.1 m/s and of its travel.
TEST(ConfigurationEdges, MarginsAreSmallForTheSlowestAndTheShortestJoint) {
  RawConfiguration raw = duo::raw();
  raw.numbers["state.rest_velocity"] = 0.05;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["state.rest_velocity"] = 0.051;
  EXPECT_EQ("state.rest_velocity", error_of(raw).field);
  EXPECT_EQ("at most 0.05, half of velocity_max of 'finger'", error_of(raw).valid);
  raw = duo::raw();
  raw.numbers["robot.limits.finger.position_max"] = 0.03;
  raw.numbers["state.position_margin"] = 0.015;
  EXPECT_EQ("", field_of(raw));
  raw.numbers["state.position_margin"] = 0.016;
  EXPECT_EQ("state.position_margin", error_of(raw).field);
  EXPECT_EQ("at most 0.015, half of the travel of 'finger'", error_of(raw).valid);
}

}  // namespace
}  // namespace openral::safety
