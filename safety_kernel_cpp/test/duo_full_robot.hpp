// A robot that fills every capacity: sixteen joints, all of them in the chain, on a base.
#pragma once

#include <string>

#include "capacity.hpp"
#include "duo_with_base.hpp"

namespace openral::safety::duo {

inline std::string full_joint(std::size_t j) { return "j" + std::to_string(j); }

// Every joint as the small robot's shoulder; links of 1 cm, so that no motion leaves the box.
inline RawConfiguration raw_full() {
  RawConfiguration raw = duo::raw_with_base();
  const RawConfiguration small = duo::raw();
  for (const auto& [name, value] : small.numbers) {
    if (name.rfind("robot.limits.", 0) == 0) raw.numbers.erase(name);
  }
  auto& joints = raw.lists["robot.joints"];
  joints.clear();
  raw.lists.erase("robot.gripper_joints");
  raw.flags["robot.arm.forward_kinematics"] = true;
  for (std::size_t j = 0; j < kMaxJoints; ++j) {
    joints.push_back(full_joint(j));
    for (const auto& field : joint_fields()) {
      raw.numbers["robot.limits." + full_joint(j) + "." + field.name] =
          small.numbers.at(std::string("robot.limits.shoulder.") + field.name);
    }
    const std::string chain = "robot.arm.chain." + full_joint(j) + ".";
    raw.vectors[chain + "xyz"] = {0.01, 0, 0};
    raw.vectors[chain + "rpy"] = {0, 0, 0};
    raw.vectors[chain + "axis"] = {0, 0, 1};
  }
  raw.lists["robot.arm.joints"] = joints;
  raw.vectors["robot.arm.tool_xyz"] = {0.01, 0, 0};
  raw.vectors["robot.arm.workspace_min"] = {-1, -1, -1};
  raw.vectors["robot.arm.workspace_max"] = {1, 1, 1};
  raw.numbers["robot.arm.tool_speed_max"] = 2;
  raw.numbers["robot.arm.rotation_speed_max"] = 10;
  raw.lists["robot.modes"] = {"joint_position", "joint_velocity", "joint_torque", "body_twist"};
  raw.numbers["robot.torque.power_max_W"] = 100;
  for (const std::string& joint : joints) {
    raw.numbers["robot.torque." + joint + ".effort_max"] = 20;
    raw.numbers["robot.torque." + joint + ".rate_max"] = 1000;
  }
  keep_from_people(raw);
  return raw;
}

}  // namespace openral::safety::duo
