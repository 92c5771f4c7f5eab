#include "../../src/parameter_types.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <vector>

namespace openral::safety {
namespace {

class ParameterTypes : public testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& path : files_) (void)std::remove(path.c_str());
  }
  [[nodiscard]] std::string file(const std::string& name, const std::string& parameters,
                                 const std::string& nodes = "/**") {
    // Another run of the tests on this machine has files of its own.
    std::string path =
        testing::TempDir() + "parameter_types_" + std::to_string(getpid()) + "_" + name + ".yaml";
    std::ofstream(path) << nodes << ":\n  ros__parameters:\n    " << parameters << "\n";
    files_.push_back(path);
    return path;
  }
  [[nodiscard]] static std::string found(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "safety_kernel");
    return misread_parameter(static_cast<int>(arguments.size()), arguments.data()).value_or("");
  }

 private:
  std::vector<std::string> files_;
};

TEST_F(ParameterTypes, ALaterValueOfTheSameTypeIsAnOverride) {
  const std::string limits = file("limits", "limits: {speed: 2.0, ticks: 3, names: [a, b]}");
  EXPECT_EQ("", found({"--ros-args", "--params-file", limits.c_str(), "-p", "limits.speed:=1.5",
                       "--param", "limits.ticks:=4", "-p", "limits.names:=[c]"}));
  EXPECT_EQ("", found({}));
}

TEST_F(ParameterTypes, AWholeNumberBesideADecimalIsNamed) {
  const std::string whole = file("whole", "limits: {speed: 2}");
  const std::string decimal = file("decimal", "limits: {speed: 1.5}");
  const std::string said =
      "limits.speed = both a decimal and a whole number, valid: values of one type, wherever it is "
      "given";
  EXPECT_EQ(said, found({"--ros-args", "--params-file", whole.c_str(), "--params-file",
                         decimal.c_str()}));
  EXPECT_EQ(said, found({"--ros-args", "--params-file", whole.c_str(), "-p", "limits.speed:=1.5"}));
  EXPECT_EQ(said, found({"--ros-args", "-p", "limits.speed:=2", "-p",
                         "safety_kernel:limits.speed:=1.5", "--"}));
  // Not an argument of ROS.
  EXPECT_EQ("", found({"-p", "limits.speed:=2", "--ros-args", "-p", "limits.speed:=1.5"}));
}

TEST_F(ParameterTypes, AnEmptyListIsNamed) {
  const std::string empty = file("empty", "skills: {allowed: []}");
  const std::string filled = file("filled", "skills: {allowed: [reach]}");
  const std::string said =
      "skills.allowed = an empty list, valid: at least one entry, or the name left out";
  EXPECT_EQ(said, found({"--ros-args", "--params-file", empty.c_str()}));
  EXPECT_EQ(said, found({"--ros-args", "-p", "skills.allowed:=[]"}));
  EXPECT_EQ(
      "skills.allowed = both a list of texts and an empty list, valid: values of one type, "
      "wherever it is given",
      found({"--ros-args", "--params-file", filled.c_str(), "--params-file", empty.c_str()}));
}

TEST_F(ParameterTypes, AnEmptyListOfAnotherNodeIsItsOwn) {
  const std::string path = file("others", "names: []", "/cell/camera");
  EXPECT_EQ("", found({"--ros-args", "--params-file", path.c_str()}));
  EXPECT_EQ("", found({"--ros-args", "-p", "camera:names:=[]"}));
}

TEST_F(ParameterTypes, WhatCannotBeReadIsLeftToRos) {
  EXPECT_EQ("", found({"--ros-args", "--params-file", "/nowhere", "-p", ":=", "-p", "a", "-p"}));
}

}  // namespace
}  // namespace openral::safety
