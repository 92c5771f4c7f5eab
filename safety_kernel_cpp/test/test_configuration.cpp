#include "configuration.hpp"

#include <limits>

#include "duo.hpp"

namespace openral::safety {
namespace {

using duo::error_of;

TEST(Configuration, AcceptsTheSmallRobot) {
  const Configuration configuration = duo::configuration();
  EXPECT_EQ(3u, configuration.joint_count);
  EXPECT_EQ(5'000'000, configuration.times.tick);  // 1 s / 200
  EXPECT_EQ(15'000'000, configuration.times.lease);
  EXPECT_EQ(1u, configuration.gripper_count);
  EXPECT_EQ(2u, configuration.gripper_joints[0]);
  EXPECT_EQ(0.5, configuration.limits[1].velocity_max);
  EXPECT_TRUE(configuration.mode_enabled[1]);
  EXPECT_FALSE(configuration.mode_enabled[3]);
}

// Case limits-that-lie, and behaviour 2, total configuration: every number, one at a time, four
// ways.
TEST(Configuration, TotalConfigurationRefusesEveryBadNumberByName) {
  const RawConfiguration good = duo::raw();
  ASSERT_EQ(number_fields().size() + gripper_fields().size() + 3 * joint_fields().size(),
            good.numbers.size());
  for (const auto& [name, value] : good.numbers) {
    RawConfiguration raw = good;
    raw.numbers.erase(name);
    EXPECT_EQ(name, error_of(raw).field);
    EXPECT_EQ("missing", error_of(raw).value);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity(), 1e9, -1e9}) {
      raw = good;
      raw.numbers[name] = bad;
      EXPECT_EQ(name, error_of(raw).field);
      EXPECT_NE(std::string::npos, error_of(raw).valid.find('['));
    }
    raw = good;
    raw.numbers.erase(name);
    raw.texts[name] = "fast";
    EXPECT_EQ(name, error_of(raw).field);
    EXPECT_EQ("'fast'", error_of(raw).value);
  }
}

TEST(Configuration, LimitsThatLieInverted) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.elbow.position_min"] = 1.5;
  EXPECT_EQ("robot.limits.elbow.position_min", error_of(raw).field);
  EXPECT_EQ("1.5", error_of(raw).value);
  EXPECT_EQ("below position_max = 1", error_of(raw).valid);
}

TEST(Configuration, LimitsThatLieForAnUnknownJoint) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.elbw.velocity_max"] = 0.5;
  EXPECT_EQ("robot.limits.elbw.velocity_max", error_of(raw).field);
  EXPECT_EQ("shoulder, elbow, finger", error_of(raw).valid);
}

TEST(Configuration, LimitsThatLieInAnUnknownField) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.elbow.velocity_maximum"] = 0.5;
  EXPECT_EQ("robot.limits.elbow.velocity_maximum", error_of(raw).field);
}

TEST(Configuration, LimitsThatLieByDuplicateJoint) {
  RawConfiguration raw = duo::raw();
  raw.lists["robot.joints"] = {"shoulder", "elbow", "finger", "elbow"};
  EXPECT_EQ("robot.joints", error_of(raw).field);
  EXPECT_EQ("'elbow' twice", error_of(raw).value);
}

TEST(Configuration, RefusesMissingNames) {
  RawConfiguration raw = duo::raw();
  raw.texts.erase("robot.name");
  EXPECT_EQ("robot.name", error_of(raw).field);
  raw = duo::raw();
  raw.lists.erase("robot.joints");
  EXPECT_EQ("robot.joints", error_of(raw).field);
  raw = duo::raw();
  raw.flags.clear();
  EXPECT_EQ("estop.required", error_of(raw).field);
  raw = duo::raw();
  raw.lists["robot.gripper_joints"] = {"thumb"};
  EXPECT_EQ("robot.gripper_joints", error_of(raw).field);
}

TEST(Configuration, RefusesMoreJointsThanThereIsRoomFor) {
  RawConfiguration raw = duo::raw();
  auto& joints = raw.lists["robot.joints"];
  for (int i = 0; i < 14; ++i) joints.push_back("extra" + std::to_string(i));
  EXPECT_EQ("17 names", error_of(raw).value);  // 3 + 14
}

TEST(Configuration, EnablesOnlyModesThatAreBounded) {
  RawConfiguration raw = duo::raw();
  for (const char* mode : {"anything", "", "JOINT_POSITION", "joint_position "}) {
    raw.lists["robot.modes"] = {"joint_position", mode};
    EXPECT_EQ("robot.modes", error_of(raw).field);
  }
  // A mode whose limits are not given.
  raw.lists["robot.modes"] = {"joint_torque"};
  EXPECT_EQ("robot.torque.power_max_W", error_of(raw).field);
  raw.lists["robot.modes"] = {"joint_position"};
  EXPECT_FALSE(duo::configuration(raw).mode_enabled[8]);
}

TEST(Configuration, LeaseIsAtMostThreeTicks) {
  RawConfiguration raw = duo::raw();
  raw.numbers["lease_s"] = 0.0151;  // three ticks of 5 ms are 0.015
  EXPECT_EQ("lease_s", error_of(raw).field);
  raw.numbers["lease_s"] = 0.0099;
  EXPECT_EQ("lease_s", error_of(raw).field);
  raw.numbers["lease_s"] = 0.01;
  EXPECT_EQ(10'000'000, duo::configuration(raw).times.lease);
}

TEST(Configuration, HashNamesTheLimitsInForce) {
  RawConfiguration raw = duo::raw();
  const std::uint64_t hash = duo::configuration(raw).hash;
  EXPECT_EQ(hash, duo::configuration(raw).hash);
  raw.numbers["robot.limits.elbow.velocity_max"] = 0.500001;
  EXPECT_NE(hash, duo::configuration(raw).hash);
}

}  // namespace
}  // namespace openral::safety
