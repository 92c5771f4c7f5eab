#include "admission.hpp"

#include <cmath>

#include "gripper_force.hpp"
#include "rounding.hpp"
#include "tool_motion.hpp"
#include "viability.hpp"

namespace openral::safety {
namespace {

Finding shape_finding(Reason reason, double value, double limit) {
  return {reason, -1, -1, value, limit};
}

// Limits that were changed since a motion was planned may not fit it, even where it still passes.
Finding check_configuration(const Configuration& configuration, const Chunk& chunk) {
  const bool unknown = chunk.configuration_hash == 0 && !configuration.hash_required;
  if (unknown || chunk.configuration_hash == configuration.hash) return {};
  return shape_finding(Reason::kConfigurationMismatch,
                       static_cast<double>(chunk.configuration_hash),
                       static_cast<double>(configuration.hash));
}

bool skill_is_allowed(const Configuration& configuration, const Chunk& chunk) {
  if (chunk.skill_id.cut()) return false;
  if (configuration.skills.empty()) return true;
  for (const auto& skill : configuration.skills) {
    if (skill == chunk.skill_id) return true;
  }
  return false;
}

// The order must be the configured one: values under swapped names mean that their maker is wrong
// about the robot, and nothing in the chunk tells which half of it to believe.
Finding check_names(const Configuration& configuration, const Chunk& chunk,
                    const Columns& columns) {
  if (chunk.name_count != columns.names) {
    return shape_finding(Reason::kJointNames, static_cast<double>(chunk.name_count),
                         static_cast<double>(columns.names));
  }
  for (std::size_t c = 0; c < columns.names; ++c) {
    if (chunk.joint_names[c] != configuration.joints[columns.joint[c]]) {
      return {Reason::kJointNames, -1, static_cast<std::int32_t>(columns.joint[c]), kNoValue,
              kNoValue};
    }
  }
  return {};
}

// A gripper may close and open wherever the arm stands.
bool moves_arm(const Configuration& configuration, const Columns& columns) {
  for (std::size_t c = 0; c < columns.width; ++c) {
    for (const ChainJoint& joint : configuration.arm.chain.joints) {
      if (joint.joint == columns.joint[c]) return true;
    }
  }
  return false;
}

struct Motion {
  JointArray position{};
  JointArray velocity{};
  JointArray acceleration{};
};

Finding check_segment(const JointLimits& limits, double dt, double step, double previous_velocity,
                      double previous_acceleration, std::size_t row, std::size_t joint) {
  const auto found = [&](Reason reason, double value, double limit) {
    return Finding{reason, static_cast<std::int32_t>(row), static_cast<std::int32_t>(joint), value,
                   limit};
  };
  if (exceeds(std::abs(step), limits.step_max)) {
    return found(Reason::kStepLimit, std::abs(step), limits.step_max);
  }
  const double velocity = step / dt;
  if (exceeds(std::abs(velocity), limits.velocity_max)) {
    return found(Reason::kVelocityLimit, std::abs(velocity), limits.velocity_max);
  }
  if (row < 2) return {};
  const double acceleration = (velocity - previous_velocity) / dt;
  if (exceeds(std::abs(acceleration), limits.acceleration_max)) {
    return found(Reason::kAccelerationLimit, std::abs(acceleration), limits.acceleration_max);
  }
  if (row < 3) return {};
  const double jerk = (acceleration - previous_acceleration) / dt;
  if (exceeds(std::abs(jerk), limits.jerk_max)) {
    return found(Reason::kJerkLimit, std::abs(jerk), limits.jerk_max);
  }
  return {};
}

}  // namespace

Finding check_shape(const Configuration& configuration, const Chunk& chunk) {
  if (!mode_is_known(chunk.control_mode)) {
    return shape_finding(Reason::kModeUnknown, chunk.control_mode, kNoValue);
  }
  if (!configuration.mode_enabled[chunk.control_mode]) {
    return shape_finding(Reason::kModeDisabled, chunk.control_mode, kNoValue);
  }
  if (chunk.robot != configuration.robot) {
    return shape_finding(Reason::kRobotMismatch, kNoValue, kNoValue);
  }
  if (Finding finding = check_configuration(configuration, chunk); !finding.ok()) return finding;
  if (!skill_is_allowed(configuration, chunk)) {
    return shape_finding(Reason::kSkillRefused, kNoValue, kNoValue);
  }
  if (chunk.horizon < 1 || chunk.horizon > configuration.horizon_max ||
      chunk.horizon > kMaxHorizon) {
    return shape_finding(Reason::kHorizon, static_cast<double>(chunk.horizon),
                         static_cast<double>(configuration.horizon_max));
  }
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  if (columns.width == 0) return shape_finding(Reason::kWidth, 0, 0);
  if (Finding finding = check_names(configuration, chunk, columns); !finding.ok()) return finding;
  // No overflow: horizon <= 1024 and width <= 16 were checked above.
  const std::uint64_t expected = chunk.horizon * columns.width;
  if (chunk.value_count != expected || expected > kMaxValues) {
    return shape_finding(Reason::kValueCount, static_cast<double>(chunk.value_count),
                         static_cast<double>(expected));
  }
  if (!std::isfinite(chunk.dt) || chunk.dt < configuration.dt_min ||
      chunk.dt > configuration.dt_max) {
    return shape_finding(
        Reason::kDt, chunk.dt,
        chunk.dt < configuration.dt_min ? configuration.dt_min : configuration.dt_max);
  }
  // Beyond 2^53 a row number is no longer exact as a phase.
  constexpr std::uint64_t kLastRow = 1ULL << 53;
  if (chunk.first_row > kLastRow) {
    return shape_finding(Reason::kFirstRow, static_cast<double>(chunk.first_row),
                         static_cast<double>(kLastRow));
  }
  return {};
}

Finding check_rows(const Configuration& configuration, const Chunk& chunk, const Columns& columns,
                   const JointArray& base) {
  const auto rows = static_cast<std::size_t>(chunk.horizon);
  const bool in_space = configuration.arm.limited && moves_arm(configuration, columns);
  Motion last;
  ChainPose last_pose;
  for (std::size_t row = 0; row < rows; ++row) {
    Motion now;
    now.position = base;
    for (std::size_t c = 0; c < columns.width; ++c) {
      const std::size_t joint = columns.joint[c];
      const JointLimits& limits = configuration.limits[joint];
      const double position = chunk.at(row, columns.width, c);
      const auto found = [&](Reason reason, double value, double limit) {
        return Finding{reason, static_cast<std::int32_t>(row), static_cast<std::int32_t>(joint),
                       value, limit};
      };
      if (!std::isfinite(position)) return found(Reason::kNotFinite, position, kNoValue);
      if (position < limits.position_min) {
        return found(Reason::kPositionLimit, position, limits.position_min);
      }
      if (position > limits.position_max) {
        return found(Reason::kPositionLimit, position, limits.position_max);
      }
      now.position[joint] = position;
      if (row == 0) continue;
      const double step = position - last.position[joint];
      if (Finding finding = check_segment(limits, chunk.dt, step, last.velocity[joint],
                                          last.acceleration[joint], row, joint);
          !finding.ok()) {
        return finding;
      }
      now.velocity[joint] = step / chunk.dt;
      if (is_gripper(configuration, joint)) {
        if (Finding finding = check_gripper_power(configuration, joint, now.velocity[joint]);
            !finding.ok()) {
          finding.row = static_cast<std::int32_t>(row);
          return finding;
        }
      }
      now.acceleration[joint] = (now.velocity[joint] - last.velocity[joint]) / chunk.dt;
    }
    if (row > 0) {
      // A stop may begin anywhere on the segment; its end is the place with the least way left.
      if (Finding finding = check_viability(configuration, now.position, now.velocity);
          !finding.ok()) {
        finding.row = static_cast<std::int32_t>(row);
        return finding;
      }
    }
    if (in_space) {
      const ChainPose pose = forward(configuration.arm.chain, now.position);
      Finding finding = row == 0 ? check_workspace(configuration, pose)
                                 : check_tool_motion(configuration, last_pose, pose, now.position,
                                                     now.velocity, chunk.dt, 1);
      if (!finding.ok()) {
        finding.row = static_cast<std::int32_t>(row);
        return finding;
      }
      last_pose = pose;
    }
    last = now;
  }
  if (!chunk.last) return {};
  for (std::size_t c = 0; c < columns.width; ++c) {
    const std::size_t joint = columns.joint[c];
    const double limit = configuration.limits[joint].acceleration_max;
    const double deceleration = std::abs(last.velocity[joint]) / chunk.dt;
    if (exceeds(deceleration, limit)) {
      return {Reason::kEndNotAtRest, static_cast<std::int32_t>(rows - 1),
              static_cast<std::int32_t>(joint), deceleration, limit};
    }
    if (rows < 3) continue;
    const double acceleration = -last.velocity[joint] / chunk.dt;
    const double jerk = std::abs(acceleration - last.acceleration[joint]) / chunk.dt;
    if (exceeds(jerk, configuration.limits[joint].jerk_max)) {
      return {Reason::kJerkLimit, static_cast<std::int32_t>(rows - 1),
              static_cast<std::int32_t>(joint), jerk, configuration.limits[joint].jerk_max};
    }
  }
  return {};
}

}  // namespace openral::safety
