// The robot's joints, their limits, and which of them are grippers.
#include <set>

#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {
namespace {

using Error = std::optional<ConfigurationError>;

Error read_names(const RawConfiguration& raw, const std::string& field,
                 std::vector<std::string>& out) {
  const auto found = raw.lists.find(field);
  if (found == raw.lists.end() || found->second.empty()) {
    return ConfigurationError{field, "missing", "1 to 16 distinct joint names"};
  }
  std::set<std::string> seen;
  for (const auto& name : found->second) {
    if (name.empty() || name.size() > kMaxName || name.find('.') != std::string::npos) {
      return ConfigurationError{field, "'" + name + "'", "names of 1 to 64 bytes without a dot"};
    }
    if (!seen.insert(name).second) {
      return ConfigurationError{field, "'" + name + "' twice", "distinct joint names"};
    }
  }
  if (found->second.size() > kMaxJoints) {
    return ConfigurationError{field, std::to_string(found->second.size()) + " names",
                              "1 to 16 distinct joint names"};
  }
  out = found->second;
  return std::nullopt;
}

Error read_limits(const RawConfiguration& raw, const std::string& joint, JointLimits& out) {
  const std::string prefix = "robot.limits." + joint + ".";
  double* const targets[] = {&out.position_min,      &out.position_max, &out.velocity_max,
                             &out.acceleration_max,  &out.jerk_max,     &out.step_max,
                             &out.tracking_error_max};
  std::size_t i = 0;
  for (const auto& field : joint_fields()) {
    if (auto error = read_number(raw, prefix + field.name, field, *targets[i++])) return error;
  }
  if (out.position_min >= out.position_max) {
    return ConfigurationError{prefix + "position_min", text_of(out.position_min),
                              "below position_max = " + text_of(out.position_max)};
  }
  return std::nullopt;
}

// What counts as standing and as inside has one number for every joint, of radians and of metres:
// a gripper's short and slow travel must not disappear in it.
Error check_margins(const Configuration& configuration, const std::string& joint,
                    const JointLimits& limits) {
  const double rest_max = limits.velocity_max / 2;
  if (configuration.rest_velocity > rest_max) {
    return ConfigurationError{
        "state.rest_velocity", text_of(configuration.rest_velocity),
        "at most " + text_of(rest_max) + ", half of velocity_max of '" + joint + "'"};
  }
  const double margin_max = (limits.position_max - limits.position_min) / 2;
  if (configuration.state_position_margin > margin_max) {
    return ConfigurationError{
        "state.position_margin", text_of(configuration.state_position_margin),
        "at most " + text_of(margin_max) + ", half of the travel of '" + joint + "'"};
  }
  return std::nullopt;
}

// A limit for a joint that the robot does not have is a typing error in a name that has.
Error refuse_unknown_limits(const RawConfiguration& raw, const std::vector<std::string>& joints) {
  const std::string prefix = "robot.limits.";
  const std::set<std::string> known(joints.begin(), joints.end());
  std::set<std::string> fields;
  for (const auto& field : joint_fields()) fields.insert(field.name);
  const auto check = [&](const std::string& name) -> Error {
    const auto dot = name.find('.', prefix.size());
    const std::string joint = name.substr(prefix.size(), dot - prefix.size());
    if (known.count(joint) == 0) {
      return ConfigurationError{name, "a limit for unknown joint '" + joint + "'", joined(joints)};
    }
    const std::string field = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (fields.count(field) == 0) {
      return ConfigurationError{name, "unknown field", joined({fields.begin(), fields.end()})};
    }
    return std::nullopt;
  };
  const auto check_all = [&](const auto& given) -> Error {
    for (auto field = given.lower_bound(prefix); field != given.end(); ++field) {
      if (field->first.compare(0, prefix.size(), prefix) != 0) break;
      if (auto error = check(field->first)) return error;
    }
    return std::nullopt;
  };
  if (auto error = check_all(raw.numbers)) return error;
  return check_all(raw.texts);
}

Error read_grippers(const RawConfiguration& raw, const std::vector<std::string>& joints,
                    Configuration& out) {
  const auto found = raw.lists.find("robot.gripper_joints");
  if (found == raw.lists.end() || found->second.empty()) return std::nullopt;
  std::vector<std::string> grippers;
  if (auto error = read_names(raw, "robot.gripper_joints", grippers)) return error;
  for (const auto& name : grippers) {
    std::size_t index = 0;
    while (index < joints.size() && joints[index] != name) ++index;
    if (index == joints.size()) {
      return ConfigurationError{"robot.gripper_joints", "'" + name + "'", joined(joints)};
    }
    out.gripper_joints[out.gripper_count++] = index;
  }
  return std::nullopt;
}

}  // namespace

const std::vector<NumberField>& joint_fields() {
  static const std::vector<NumberField> fields = {
      {"position_min", "rad or m", -100, 100, "lowest position"},
      {"position_max", "rad or m", -100, 100, "highest position"},
      {"velocity_max", "rad/s or m/s", 0.0001, 100, "highest speed"},
      {"acceleration_max", "rad/s^2 or m/s^2", 0.0001, 1000, "highest acceleration and braking"},
      {"jerk_max", "rad/s^3 or m/s^3", 0.0001, 100000, "highest change of acceleration"},
      {"step_max", "rad or m", 0.00001, 1, "largest change between two rows"},
      {"tracking_error_max", "rad or m", 0.0001, 1,
       "largest distance between command and measurement"},
  };
  return fields;
}

std::optional<ConfigurationError> read_joints(const RawConfiguration& raw, Configuration& out) {
  std::vector<std::string> joints;
  if (auto error = read_names(raw, "robot.joints", joints)) return error;
  if (auto error = refuse_unknown_limits(raw, joints)) return error;
  out.joint_count = joints.size();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out.joints[j].assign(joints[j]);
    JointLimits& limits = out.limits[j];
    if (auto error = read_limits(raw, joints[j], limits)) return error;
    if (auto error = check_stop("robot.limits." + joints[j] + ".acceleration_max",
                                limits.velocity_max, limits.acceleration_max, longest_stop(out))) {
      return error;
    }
    if (auto error = check_margins(out, joints[j], limits)) return error;
  }
  return read_grippers(raw, joints, out);
}

}  // namespace openral::safety
