// How joints may be driven by torques.
#include <set>

#include "columns.hpp"
#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {

const std::vector<NumberField>& torque_fields() {
  static const std::vector<NumberField> fields = {
      {"power_max_W", "W", 0.1, 100000, "cap of |torque x velocity|, all joints together"},
  };
  return fields;
}

const std::vector<NumberField>& joint_torque_fields() {
  static const std::vector<NumberField> fields = {
      {"effort_max", "N m or N", 0.001, 10000, "highest torque beside gravity's"},
      {"rate_max", "N m/s or N/s", 0.001, 1000000, "highest change of torque"},
  };
  return fields;
}

std::optional<ConfigurationError> read_torque(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "robot.torque.";
  const auto prefix_of = [&](std::size_t joint) {
    return prefix + std::string(out.joints[joint].view()) + ".";
  };
  std::set<std::string> known;
  for (const auto& field : torque_fields()) known.insert(prefix + field.name);
  for (std::size_t j = 0; j < out.joint_count; ++j) {
    for (const auto& field : joint_torque_fields()) known.insert(prefix_of(j) + field.name);
  }
  if (auto error = refuse_unknown(raw, prefix, known)) return error;
  if (!out.takes(ControlMode::kJointTorque)) return std::nullopt;
  if (auto error = read_numbers(raw, prefix, torque_fields(), {&out.torque.power_max})) {
    return error;
  }
  for (std::size_t j = 0; j < out.joint_count; ++j) {
    JointTorqueLimits& limits = out.torque.joints[j];
    if (auto error = read_numbers(raw, prefix_of(j), joint_torque_fields(),
                                  {&limits.effort_max, &limits.rate_max})) {
      return error;
    }
    if (is_gripper(out, j) && limits.effort_max > out.gripper.force_max) {
      return ConfigurationError{
          prefix_of(j) + "effort_max", text_of(limits.effort_max),
          "at most robot.gripper.force_max_N = " + text_of(out.gripper.force_max)};
    }
  }
  return std::nullopt;
}

}  // namespace openral::safety
