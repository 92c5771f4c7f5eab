// The closed set of control modes, equal to the constants of openral_msgs/ActionChunk.
#pragma once

#include <cstdint>
#include <string_view>

namespace openral::safety {

enum class ControlMode : std::uint8_t {
  kJointPosition = 1,
  kJointVelocity = 2,
  kJointTorque = 3,
  kCartesianPose = 4,
  kCartesianDelta = 5,
  kCartesianTwist = 6,
  kBodyTwist = 7,
  kGripperPosition = 8,
};

// False for every byte outside the set: an unknown mode has no meaning that could be bounded.
[[nodiscard]] constexpr bool mode_is_known(std::uint8_t byte) { return byte >= 1 && byte <= 8; }

[[nodiscard]] constexpr std::string_view mode_name(ControlMode mode) {
  switch (mode) {
    case ControlMode::kJointPosition:
      return "joint_position";
    case ControlMode::kJointVelocity:
      return "joint_velocity";
    case ControlMode::kJointTorque:
      return "joint_torque";
    case ControlMode::kCartesianPose:
      return "cartesian_pose";
    case ControlMode::kCartesianDelta:
      return "cartesian_delta";
    case ControlMode::kCartesianTwist:
      return "cartesian_twist";
    case ControlMode::kBodyTwist:
      return "body_twist";
    case ControlMode::kGripperPosition:
      return "gripper_position";
  }
  return "unknown";
}

// What a command says: where the joints are to be, where the tool is to be, how hard the joints are
// to push, how the base is to drive.
enum class Form : std::uint8_t { kJoints, kTool, kTorque, kBase };

[[nodiscard]] constexpr Form form_of(ControlMode mode) {
  switch (mode) {
    case ControlMode::kJointPosition:
    case ControlMode::kJointVelocity:
    case ControlMode::kGripperPosition:
      return Form::kJoints;
    case ControlMode::kCartesianPose:
    case ControlMode::kCartesianDelta:
    case ControlMode::kCartesianTwist:
      return Form::kTool;
    case ControlMode::kJointTorque:
      return Form::kTorque;
    case ControlMode::kBodyTwist:
      return Form::kBase;
  }
  return Form::kJoints;
}

}  // namespace openral::safety
