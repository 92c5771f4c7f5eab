// Which joints the columns of a chunk move, per control mode.
#pragma once

#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "configuration.hpp"
#include "control_mode.hpp"

namespace openral::safety {

struct Columns {
  std::size_t width = 0;
  std::array<std::size_t, kMaxJoints> joint{};  // index in the configuration, per column
};

// The mode must be known and enabled. Width 0 for a mode that has no joint columns.
[[nodiscard]] inline Columns columns_of(const Configuration& configuration, ControlMode mode) {
  Columns columns;
  if (mode == ControlMode::kJointPosition) {
    columns.width = configuration.joint_count;
    for (std::size_t j = 0; j < columns.width; ++j) columns.joint[j] = j;
  } else if (mode == ControlMode::kGripperPosition) {
    columns.width = configuration.gripper_count;
    columns.joint = configuration.gripper_joints;
  }
  return columns;
}

}  // namespace openral::safety
