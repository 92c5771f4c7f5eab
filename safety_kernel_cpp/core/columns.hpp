// Which joints the columns of a chunk move, per control mode.
#pragma once

#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "configuration.hpp"
#include "control_mode.hpp"

namespace openral::safety {

[[nodiscard]] inline bool is_gripper(const Configuration& configuration, std::size_t joint) {
  for (std::size_t g = 0; g < configuration.gripper_count; ++g) {
    if (configuration.gripper_joints[g] == joint) return true;
  }
  return false;
}

struct Columns {
  std::size_t width = 0;
  std::size_t names = 0;                        // that a chunk carries: one a column, or none
  std::array<std::size_t, kMaxJoints> joint{};  // index in the configuration, per column; of a
                                                // body twist its axis, of a tool its axis
};

// The mode must be known and enabled. Width 0 for gripper rows of a robot without a gripper.
[[nodiscard]] inline Columns columns_of(const Configuration& configuration, ControlMode mode) {
  Columns columns;
  if (mode == ControlMode::kJointPosition || mode == ControlMode::kJointVelocity ||
      mode == ControlMode::kJointTorque) {
    columns.width = columns.names = configuration.joint_count;
    for (std::size_t j = 0; j < columns.width; ++j) columns.joint[j] = j;
  } else if (mode == ControlMode::kGripperPosition) {
    columns.width = columns.names = configuration.gripper_count;
    columns.joint = configuration.gripper_joints;
  } else if (mode == ControlMode::kBodyTwist) {
    columns.width = kBaseAxes;
    for (std::size_t i = 0; i < kBaseAxes; ++i) columns.joint[i] = i;
  } else {
    columns.width = mode == ControlMode::kCartesianPose ? kPoseWidth : kTwistWidth;
    for (std::size_t i = 0; i < columns.width; ++i) columns.joint[i] = i;
  }
  return columns;
}

}  // namespace openral::safety
