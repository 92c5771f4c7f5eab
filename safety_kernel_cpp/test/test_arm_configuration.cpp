#include "arm_configuration.hpp"

#include <limits>

#include "duo.hpp"
#include "duo_in_space.hpp"

namespace openral::safety {
namespace {

using duo::error_of;

TEST(ArmConfiguration, AcceptsAnArmInSpace) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  EXPECT_TRUE(configuration.arm.limited);
  EXPECT_EQ(2u, configuration.arm.chain.joints.size());
  EXPECT_EQ(1u, configuration.arm.chain.joints[1].joint);
  EXPECT_EQ(1.2, configuration.arm.tool_speed_max);
  EXPECT_EQ(0.9, configuration.arm.rotation_speed_max);
  EXPECT_EQ(-2, configuration.arm.workspace_min[1]);
  EXPECT_EQ(1.2, configuration.arm.workspace_max[1]);
  EXPECT_FALSE(duo::configuration(duo::raw()).arm.limited);
}

// Leaving the check out must be said, not forgotten.
TEST(ArmConfiguration, ForwardKinematicsMustBeSwitchedOnOrOff) {
  RawConfiguration raw = duo::raw_in_space();
  raw.flags.erase("robot.arm.forward_kinematics");
  EXPECT_EQ("robot.arm.forward_kinematics", error_of(raw).field);
}

// Behaviour 2 for every field of the arm.
TEST(ArmConfiguration, TotalConfigurationRefusesEveryBadFieldByName) {
  const RawConfiguration good = duo::raw_in_space();
  for (const auto& [name, value] : good.vectors) {
    RawConfiguration raw = good;
    raw.vectors.erase(name);
    EXPECT_EQ(name, error_of(raw).field);
    EXPECT_EQ("missing", error_of(raw).value);
    raw = good;
    raw.vectors[name].pop_back();
    EXPECT_EQ("2 numbers", error_of(raw).value);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), -1e9}) {
      for (std::size_t i = 0; i < 3; ++i) {
        raw = good;
        raw.vectors[name][i] = bad;
        EXPECT_EQ(name, error_of(raw).field);
      }
    }
  }
  for (const char* field : {"tool_speed_max", "rotation_speed_max"}) {
    duo::expect_needed_in_range(good, std::string("robot.arm.") + field,
                                {std::numeric_limits<double>::quiet_NaN(), 0.0, -1.0, 1e9,
                                 std::numeric_limits<double>::infinity()});
  }
}

TEST(ArmConfiguration, UnknownFieldsAreRefusedEvenWithTheCheckOff) {
  for (const bool on : {false, true}) {
    RawConfiguration raw = duo::raw_in_space();
    raw.flags["robot.arm.forward_kinematics"] = on;
    raw.numbers["robot.arm.tool_speedmax"] = 0.2;
    EXPECT_EQ("robot.arm.tool_speedmax", error_of(raw).field);
    raw = duo::raw_in_space();
    raw.flags["robot.arm.forward_kinematics"] = on;
    raw.vectors["robot.arm.chain.elbw.xyz"] = {0, 0, 0};
    EXPECT_EQ("robot.arm.chain.elbw.xyz", error_of(raw).field);
  }
}

TEST(ArmConfiguration, TheChainNamesEveryArmJointOnce) {
  const std::vector<std::vector<std::string>> bad = {
      {}, {"shoulder"}, {"shoulder", "elbow", "elbow"}, {"shoulder", "elbow", "finger"}, {"wrist"}};
  for (const auto& joints : bad) {
    RawConfiguration raw = duo::raw_in_space();
    raw.lists["robot.arm.joints"] = joints;
    EXPECT_EQ("robot.arm.joints", error_of(raw).field);
  }
}

TEST(ArmConfiguration, AnAxisIsAUnitVector) {
  RawConfiguration raw = duo::raw_in_space();
  raw.vectors["robot.arm.chain.elbow.axis"] = {0, 0.5, 0.5};
  EXPECT_EQ("robot.arm.chain.elbow.axis", error_of(raw).field);
  raw.vectors["robot.arm.chain.elbow.axis"] = {0, 0, 0.9995};
  EXPECT_TRUE(duo::configuration(raw).arm.limited);
  raw.vectors["robot.arm.chain.elbow.axis"] = {0, 0, 0.9985};
  EXPECT_EQ("of length 0.9985", error_of(raw).value);
}

TEST(ArmConfiguration, AWorkspaceHasAnInside) {
  RawConfiguration raw = duo::raw_in_space();
  raw.vectors["robot.arm.workspace_min"] = {-1.5, 1.2, 0};
  EXPECT_EQ("robot.arm.workspace_min", error_of(raw).field);
  EXPECT_EQ("below workspace_max = 1.2", error_of(raw).valid);
}

TEST(ArmConfiguration, HashCoversTheChain) {
  RawConfiguration raw = duo::raw_in_space();
  const auto hash = duo::configuration(raw).hash;
  raw.vectors["robot.arm.chain.elbow.xyz"] = {1.000001, 0, 0};
  EXPECT_NE(hash, duo::configuration(raw).hash);
}

}  // namespace
}  // namespace openral::safety
