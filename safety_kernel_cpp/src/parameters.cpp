#include "parameters.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "../core/arm_configuration.hpp"
#include "../core/collision_configuration.hpp"

namespace openral::safety {
namespace {

std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

// Type and range are checked by configure(), whose messages name field, value and range alike.
rclcpp::ParameterValue declare(rclcpp::Node& node, const std::string& name,
                               const std::string& description) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.name = name;
  descriptor.description = description;
  descriptor.read_only = true;
  descriptor.dynamic_typing = true;
  return node.declare_parameter(name, rclcpp::ParameterValue(), descriptor);
}

// What was given, as an error quotes it.
std::string shown(const rclcpp::ParameterValue& value) {
  switch (value.get_type()) {
    case rclcpp::PARAMETER_NOT_SET:
      return "missing";
    case rclcpp::PARAMETER_BOOL:
      return value.get<bool>() ? "true" : "false";
    case rclcpp::PARAMETER_INTEGER:
      return std::to_string(value.get<std::int64_t>());
    case rclcpp::PARAMETER_DOUBLE:
      return text_of(value.get<double>()) + " (a decimal)";
    case rclcpp::PARAMETER_STRING:
      return "'" + value.get<std::string>() + "'";
    default:
      return "a list";
  }
}

// A whole number from `low` to `high`.
std::int64_t read_integer(rclcpp::Node& node, const std::string& name, std::int64_t low,
                          std::int64_t high, const std::string& description) {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  const auto value = declare(node, name, description + ", " + range);
  if (value.get_type() == rclcpp::PARAMETER_INTEGER) {
    const auto number = value.get<std::int64_t>();
    if (number >= low && number <= high) return number;
  }
  throw ParameterError(name + " = " + shown(value) + ", valid: a whole number, " + range);
}

std::string describe(const NumberField& field) {
  return std::string(field.description) + " [" + field.unit + "], " + text_of(field.low) + " to " +
         text_of(field.high);
}

void store_number(RawConfiguration& raw, const std::string& name,
                  const rclcpp::ParameterValue& value) {
  switch (value.get_type()) {
    case rclcpp::PARAMETER_NOT_SET:
      return;
    case rclcpp::PARAMETER_DOUBLE:
      raw.numbers[name] = value.get<double>();
      return;
    case rclcpp::PARAMETER_INTEGER:
      raw.numbers[name] = static_cast<double>(value.get<std::int64_t>());
      return;
    case rclcpp::PARAMETER_STRING:
      raw.texts[name] = value.get<std::string>();
      return;
    default:
      raw.texts[name] = shown(value);
  }
}

void read_list(rclcpp::Node& node, RawConfiguration& raw, const std::string& name,
               const std::string& description) {
  const auto value = declare(node, name, description);
  if (value.get_type() == rclcpp::PARAMETER_NOT_SET) return;
  if (value.get_type() != rclcpp::PARAMETER_STRING_ARRAY) {
    throw ParameterError(name + " = " + shown(value) + ", valid: a list of names");
  }
  raw.lists[name] = value.get<std::vector<std::string>>();
}

void read_flag(rclcpp::Node& node, RawConfiguration& raw, const std::string& name,
               const std::string& description) {
  const auto value = declare(node, name, description);
  if (value.get_type() == rclcpp::PARAMETER_NOT_SET) return;
  if (value.get_type() != rclcpp::PARAMETER_BOOL) {
    throw ParameterError(name + " = " + shown(value) + ", valid: true, false");
  }
  raw.flags[name] = value.get<bool>();
}

// Limits are declared as they are given: a name that the robot does not have must reach
// configure().
void read_limits(rclcpp::Node& node, RawConfiguration& raw) {
  const std::string prefix = "robot.limits.";
  for (const auto& [name, value] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    std::string description;
    for (const auto& field : joint_fields()) {
      const std::string suffix = std::string(".") + field.name;
      if (name.size() > suffix.size() &&
          name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
        description = describe(field);
      }
    }
    store_number(raw, name, declare(node, name, description));
  }
}

void store_vector(RawConfiguration& raw, const std::string& name,
                  const rclcpp::ParameterValue& value) {
  if (value.get_type() == rclcpp::PARAMETER_NOT_SET) return;
  if (value.get_type() == rclcpp::PARAMETER_DOUBLE_ARRAY) {
    raw.vectors[name] = value.get<std::vector<double>>();
  } else if (value.get_type() == rclcpp::PARAMETER_INTEGER_ARRAY) {
    const auto numbers = value.get<std::vector<std::int64_t>>();
    raw.vectors[name].assign(numbers.begin(), numbers.end());
  } else {
    throw ParameterError(name + " = " + shown(value) + ", valid: 3 numbers");
  }
}

std::string describe(const VectorField& field) {
  const std::string most = text_of(field.magnitude);
  return std::string(field.description) + " [" + field.unit + "], each -" + most + " to " + most;
}

using Descriptions = std::map<std::string, std::string>;  // by name

Descriptions described(const std::string& prefix, const std::vector<NumberField>& fields) {
  Descriptions descriptions;
  for (const auto& field : fields) descriptions[prefix + field.name] = describe(field);
  return descriptions;
}

Descriptions torque_descriptions(const std::string& prefix,
                                 const std::vector<std::string>& joints) {
  Descriptions descriptions = described(prefix, torque_fields());
  for (const auto& joint : joints) {
    descriptions.merge(described(prefix + joint + ".", joint_torque_fields()));
  }
  return descriptions;
}

// Numbers below `prefix`: what is given is declared, known or not, so that configure() can refuse
// it.
void read_numbers_below(rclcpp::Node& node, RawConfiguration& raw, const std::string& prefix,
                        Descriptions numbers, const std::string& read_already = "") {
  for (const auto& [name, value] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    if (name.compare(0, prefix.size(), prefix) != 0 || name == read_already) continue;
    store_number(raw, name, declare(node, name, numbers[name]));
  }
}

// Caps of a gripper that has no joints bound nothing: the name of the joints is misspelt.
void read_gripper_numbers(rclcpp::Node& node, RawConfiguration& raw) {
  const std::string prefix = "robot.gripper.";
  read_numbers_below(node, raw, prefix, described(prefix, gripper_fields()));
  const auto joints = raw.lists.find("robot.gripper_joints");
  if (joints != raw.lists.end() && !joints->second.empty()) return;
  for (const auto& [name, value] : raw.numbers) {
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    throw ParameterError(name + " = " + text_of(value) +
                         " without robot.gripper_joints, valid: neither or both");
  }
}

// As the limits: what is given is declared, known or not, so that configure() can refuse it.
void read_arm_parameters(rclcpp::Node& node, RawConfiguration& raw) {
  const std::string prefix = "robot.arm.";
  read_flag(node, raw, prefix + "forward_kinematics",
            "bound the tool's speed and the workspace, true or false");
  read_list(node, raw, prefix + "joints", "the joints of the arm, from the base outwards");
  std::map<std::string, std::string> vectors;
  std::map<std::string, std::string> numbers;
  for (const auto& field : arm_vector_fields()) vectors[prefix + field.name] = describe(field);
  for (const auto& field : arm_number_fields()) numbers[prefix + field.name] = describe(field);
  for (const auto& joint : raw.lists["robot.joints"]) {
    for (const auto& field : chain_vector_fields()) {
      vectors[prefix + "chain." + joint + "." + field.name] = describe(field);
    }
  }
  for (const auto& [name, value] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    const bool read = name == prefix + "forward_kinematics" || name == prefix + "joints";
    if (read || name.compare(0, prefix.size(), prefix) != 0) continue;
    if (vectors.count(name) != 0) {
      store_vector(raw, name, declare(node, name, vectors[name]));
    } else {
      store_number(raw, name, declare(node, name, numbers[name]));
    }
  }
}

// Bodies have names of the user's: what is given is declared and kept by its type, known or not, so
// that configure() can refuse it.
void read_all_below(rclcpp::Node& node, RawConfiguration& raw, const std::string& prefix) {
  for (const auto& [name, given] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    const auto value = declare(node, name, describe_collision_field(name));
    switch (value.get_type()) {
      case rclcpp::PARAMETER_BOOL:
        raw.flags[name] = value.get<bool>();
        break;
      case rclcpp::PARAMETER_STRING_ARRAY:
        raw.lists[name] = value.get<std::vector<std::string>>();
        break;
      case rclcpp::PARAMETER_DOUBLE_ARRAY:
      case rclcpp::PARAMETER_INTEGER_ARRAY:
        store_vector(raw, name, value);
        break;
      default:
        store_number(raw, name, value);
    }
  }
}

void read_loop_options(rclcpp::Node& node, LoopOptions& options) {
  const auto realtime =
      declare(node, "loop.realtime", "ask for SCHED_FIFO and locked memory, true or false");
  if (realtime.get_type() != rclcpp::PARAMETER_BOOL) {
    throw ParameterError("loop.realtime = " + shown(realtime) + ", valid: true, false");
  }
  options.realtime = realtime.get<bool>();
  // The middleware's threads run two below the loop, and SCHED_FIFO begins at 1.
  options.priority = static_cast<int>(
      read_integer(node, "loop.priority", 3, 98, "SCHED_FIFO priority of the loop"));
}

}  // namespace

void read_parameters(rclcpp::Node& node, Configuration& configuration, LoopOptions& options,
                     RawConfiguration* given) {
  RawConfiguration raw;
  for (const auto& field : number_fields()) {
    store_number(raw, field.name, declare(node, field.name, describe(field)));
  }
  const auto robot = declare(node, "robot.name", "name that chunks must carry");
  if (robot.get_type() == rclcpp::PARAMETER_STRING) {
    raw.texts["robot.name"] = robot.get<std::string>();
  } else if (robot.get_type() != rclcpp::PARAMETER_NOT_SET) {
    throw ParameterError("robot.name = " + shown(robot) + ", valid: a name");
  }
  read_list(node, raw, "robot.joints", "joint names in the order of every command");
  read_list(node, raw, "robot.gripper_joints", "the joints of gripper chunks");
  read_list(node, raw, "robot.modes", "control modes of the robot; every other one is refused");
  read_list(node, raw, "skills.allowed", "skill_ids that may be admitted; left out = any");
  read_flag(node, raw, "estop.required", "refuse to arm before any e-stop source has spoken");
  read_flag(node, raw, "provenance.hash_required",
            "refuse chunks that do not name the configuration they were made under");
  read_limits(node, raw);
  read_arm_parameters(node, raw);
  read_numbers_below(node, raw, "robot.base.", described("robot.base.", base_fields()));
  read_gripper_numbers(node, raw);
  read_numbers_below(node, raw, "robot.cartesian.",
                     described("robot.cartesian.", cartesian_fields()));
  read_numbers_below(node, raw, "robot.torque.",
                     torque_descriptions("robot.torque.", raw.lists["robot.joints"]));
  read_flag(node, raw, "separation.enabled",
            "bound the tool's speed by the distance on topic separation, true or false");
  read_numbers_below(node, raw, "separation.", described("separation.", separation_fields()),
                     "separation.enabled");
  read_all_below(node, raw, "robot.collision.");
  read_all_below(node, raw, "world.");
  if (const auto error = configure(raw, configuration)) throw ParameterError(error->text());
  read_loop_options(node, options);
  if (given != nullptr) *given = raw;
}

RecordOptions read_record_options(rclcpp::Node& node) {
  RecordOptions options;
  const auto path =
      declare(node, "record_path", "file for a record that kernel_replay reads; empty: none");
  if (path.get_type() != rclcpp::PARAMETER_NOT_SET) {
    if (path.get_type() != rclcpp::PARAMETER_STRING) {
      throw ParameterError("record_path = " + shown(path) + ", valid: a path, or empty");
    }
    options.path = path.get<std::string>();
  }
  constexpr std::int64_t kMegabytesMax = 1'000'000;
  const std::int64_t size = read_integer(node, "record_size_max_mb", 1, kMegabytesMax,
                                         "the record ends at this size, an hour takes 1300 [MB]");
  options.bytes_max = static_cast<std::uint64_t>(size) * 1'000'000;
  return options;
}

void refuse_unread_parameters(rclcpp::Node& node) {
  // The pose at rest stands in the robot's file for the nodes that move it there. Launch tools set
  // the others for any node.
  const std::set<std::string> others = {"robot.home", "use_sim_time",
                                        "start_type_description_service"};
  const std::string qos = "qos_overrides.";
  for (const auto& [name, value] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    if (node.has_parameter(name) || others.count(name) != 0) continue;
    if (name.compare(0, qos.size(), qos) == 0) continue;
    throw ParameterError(
        name + " = " + shown(value) +
        " is read by nobody, valid: a name of config/safety_kernel.yaml or of the robot's file");
  }
}

}  // namespace openral::safety
