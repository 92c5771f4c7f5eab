#include "arm_configuration.hpp"

#include <cmath>
#include <set>

#include "columns.hpp"
#include "field_reader.hpp"

namespace openral::safety {
namespace {

using Error = std::optional<ConfigurationError>;

const std::string kPrefix = "robot.arm.";
const std::string kFlag = kPrefix + "forward_kinematics";
const std::string kJoints = kPrefix + "joints";
const std::string kChain = kPrefix + "chain.";

Error read_chain_joint(const RawConfiguration& raw, const std::string& name, std::size_t index,
                       Chain& chain) {
  std::array<Vector3, 3> values{};
  std::size_t i = 0;
  for (const VectorField& field : chain_vector_fields()) {
    if (auto error = read_vector(raw, kChain + name + "." + field.name, field, values[i++])) {
      return error;
    }
  }
  Vector3& axis = values[2];
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(std::abs(length - 1) <= kUnitTolerance)) {
    return ConfigurationError{kChain + name + ".axis", "of length " + text_of(length),
                              "a unit vector, within 0.001"};
  }
  for (double& value : axis) value /= length;
  if (!chain.joints.push(chain_joint(index, values[0], values[1], axis))) {
    return ConfigurationError{kJoints, "more joints than there is room for", "1 to 16 joints"};
  }
  return std::nullopt;
}

std::string names_of(const Configuration& configuration) {
  std::string text;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    text += (text.empty() ? "" : ", ") + std::string(configuration.joints[j].view());
  }
  return text;
}

Error read_chain(const RawConfiguration& raw, Configuration& out) {
  const auto found = raw.lists.find(kJoints);
  const std::string valid = "from the base outwards, each once, no gripper: " + names_of(out);
  if (found == raw.lists.end() || found->second.empty()) {
    return ConfigurationError{kJoints, "missing", valid};
  }
  std::set<std::size_t> seen;
  for (const std::string& name : found->second) {
    std::size_t index = 0;
    while (index < out.joint_count && out.joints[index] != FixedString<kMaxName>(name)) ++index;
    if (index == out.joint_count || is_gripper(out, index) || !seen.insert(index).second) {
      return ConfigurationError{kJoints, "'" + name + "'", valid};
    }
    if (auto error = read_chain_joint(raw, name, index, out.arm.chain)) return error;
  }
  // A joint that the chain leaves out would move the arm unseen.
  for (std::size_t j = 0; j < out.joint_count; ++j) {
    if (seen.count(j) == 0 && !is_gripper(out, j)) {
      return ConfigurationError{kJoints, "without '" + std::string(out.joints[j].view()) + "'",
                                valid};
    }
  }
  return std::nullopt;
}

std::set<std::string> known_fields(const Configuration& configuration) {
  std::set<std::string> known = {kFlag, kJoints};
  for (const NumberField& field : arm_number_fields()) known.insert(kPrefix + field.name);
  for (const VectorField& field : arm_vector_fields()) known.insert(kPrefix + field.name);
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (is_gripper(configuration, j)) continue;
    for (const VectorField& field : chain_vector_fields()) {
      known.insert(kChain + std::string(configuration.joints[j].view()) + "." + field.name);
    }
  }
  return known;
}

}  // namespace

std::optional<ConfigurationError> read_vector(const RawConfiguration& raw, const std::string& name,
                                              const VectorField& field, Vector3& out) {
  const auto refuse = [&](const std::string& value) {
    const std::string bound = text_of(field.magnitude);
    return ConfigurationError{
        name, value, "3 numbers of [-" + bound + ", " + bound + "] " + std::string(field.unit)};
  };
  const auto found = raw.vectors.find(name);
  if (found == raw.vectors.end()) return refuse("missing");
  if (found->second.size() != 3) return refuse(std::to_string(found->second.size()) + " numbers");
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = found->second[i];
    // Written so that a NaN is refused.
    if (!(std::abs(value) <= field.magnitude)) return refuse(text_of(value));
    out[i] = value;
  }
  return std::nullopt;
}

const std::vector<VectorField>& arm_vector_fields() {
  static const std::vector<VectorField> fields = {
      {"tool_xyz", "m", 2, "the tool point in the last link's frame"},
      {"workspace_min", "m", 10, "lowest corner of the box that holds every link point"},
      {"workspace_max", "m", 10, "highest corner of that box"},
  };
  return fields;
}

const std::vector<VectorField>& chain_vector_fields() {
  static const std::vector<VectorField> fields = {
      {"xyz", "m", 2, "the joint's frame in the frame before it, as in URDF"},
      {"rpy", "rad", 6.2832, "its fixed-axis roll, pitch and yaw, as in URDF"},
      {"axis", "1", 1, "the unit vector that the joint turns about"},
  };
  return fields;
}

const std::vector<NumberField>& arm_number_fields() {
  static const std::vector<NumberField> fields = {
      {"tool_speed_max", "m/s", 0.001, 2, "highest speed of the tool point"},
      {"rotation_speed_max", "rad/s", 0.001, 10, "highest speed of the last link's turning"},
  };
  return fields;
}

std::optional<ConfigurationError> read_arm(const RawConfiguration& raw, Configuration& out) {
  if (auto error = refuse_unknown(raw, kPrefix, known_fields(out))) return error;
  bool limited = false;
  if (auto error = read_flag(raw, kFlag, limited)) return error;
  if (!limited) return std::nullopt;
  if (auto error = read_chain(raw, out)) return error;
  ArmLimits& arm = out.arm;
  Vector3* const vectors[] = {&arm.chain.tool, &arm.workspace_min, &arm.workspace_max};
  std::size_t i = 0;
  for (const VectorField& field : arm_vector_fields()) {
    if (auto error = read_vector(raw, kPrefix + field.name, field, *vectors[i++])) return error;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (arm.workspace_min[axis] >= arm.workspace_max[axis]) {
      return ConfigurationError{kPrefix + "workspace_min", text_of(arm.workspace_min[axis]),
                                "below workspace_max = " + text_of(arm.workspace_max[axis])};
    }
  }
  if (auto error = read_numbers(raw, kPrefix, arm_number_fields(),
                                {&arm.tool_speed_max, &arm.rotation_speed_max})) {
    return error;
  }
  arm.limited = true;
  return std::nullopt;
}

}  // namespace openral::safety
