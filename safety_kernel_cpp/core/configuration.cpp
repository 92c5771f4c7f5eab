#include "configuration.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "arm_configuration.hpp"

namespace openral::safety {
namespace {

using Error = std::optional<ConfigurationError>;

std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

std::string range_of(const NumberField& field) {
  return "[" + text_of(field.low) + ", " + text_of(field.high) + "] " + field.unit;
}

Error read_number(const RawConfiguration& raw, const std::string& name, const NumberField& field,
                  double& out) {
  const auto found = raw.numbers.find(name);
  if (found == raw.numbers.end()) {
    const auto text = raw.texts.find(name);
    return ConfigurationError{name, text == raw.texts.end() ? "missing" : "'" + text->second + "'",
                              range_of(field)};
  }
  if (!std::isfinite(found->second) || found->second < field.low || found->second > field.high) {
    return ConfigurationError{name, text_of(found->second), range_of(field)};
  }
  out = found->second;
  return std::nullopt;
}

Nanoseconds to_nanoseconds(double seconds) {
  return static_cast<Nanoseconds>(std::llround(seconds * kSecond));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

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

// A limit for a joint that the robot does not have is a typing error in a name that has.
Error refuse_unknown_limits(const RawConfiguration& raw, const std::vector<std::string>& joints) {
  const std::string prefix = "robot.limits.";
  const std::set<std::string> known(joints.begin(), joints.end());
  std::set<std::string> fields;
  for (const auto& field : joint_fields()) fields.insert(field.name);
  const auto check = [&](const std::string& name) -> Error {
    if (name.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
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
  for (const auto& [name, value] : raw.numbers) {
    if (auto error = check(name)) return error;
  }
  for (const auto& [name, value] : raw.texts) {
    if (auto error = check(name)) return error;
  }
  return std::nullopt;
}

Error read_modes(const RawConfiguration& raw, Configuration& out) {
  constexpr ControlMode kBounded[] = {ControlMode::kJointPosition, ControlMode::kJointVelocity,
                                      ControlMode::kBodyTwist, ControlMode::kGripperPosition};
  std::vector<std::string> valid;
  for (const ControlMode mode : kBounded) valid.emplace_back(mode_name(mode));
  const auto found = raw.lists.find("modes.enabled");
  if (found == raw.lists.end() || found->second.empty()) {
    return ConfigurationError{"modes.enabled", "missing", joined(valid)};
  }
  for (const auto& name : found->second) {
    bool known = false;
    for (const ControlMode mode : kBounded) {
      if (name != mode_name(mode)) continue;
      out.mode_enabled[static_cast<std::size_t>(mode)] = true;
      known = true;
    }
    if (!known) return ConfigurationError{"modes.enabled", "'" + name + "'", joined(valid)};
  }
  return std::nullopt;
}

// A robot has a base if its file says how it may move; without that, body_twist cannot be enabled.
Error read_base(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "robot.base.";
  std::set<std::string> known;
  for (const auto& field : base_fields()) known.insert(prefix + field.name);
  const auto check = [&](const auto& fields) -> Error {
    for (const auto& [name, value] : fields) {
      if (name.compare(0, prefix.size(), prefix) == 0 && known.count(name) == 0) {
        return ConfigurationError{name, "unknown field", joined({known.begin(), known.end()})};
      }
    }
    return std::nullopt;
  };
  if (auto error = check(raw.numbers)) return error;
  if (auto error = check(raw.texts)) return error;
  if (!out.mode_enabled[static_cast<std::size_t>(ControlMode::kBodyTwist)]) return std::nullopt;
  auto& axes = out.base.axes;
  double* const targets[] = {&axes[0].speed_max,
                             &axes[1].speed_max,
                             &axes[2].speed_max,
                             &axes[0].acceleration_max,
                             &axes[1].acceleration_max,
                             &axes[2].acceleration_max,
                             &out.base.stopping_distance_max,
                             &out.base.command_period};
  std::size_t i = 0;
  for (const auto& field : base_fields()) {
    if (auto error = read_number(raw, prefix + field.name, field, *targets[i++])) return error;
  }
  if (out.base.command_period < out.dt_min || out.base.command_period > out.dt_max) {
    return ConfigurationError{prefix + "command_period_s", text_of(out.base.command_period),
                              "[" + text_of(out.dt_min) + ", " + text_of(out.dt_max) +
                                  "] s, from chunk.dt_min_s to chunk.dt_max_s"};
  }
  return std::nullopt;
}

// FNV-1a, 64 bit (Fowler, Noll, Vo): names a configuration, protects against no attacker.
class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) {
      value_ = (value_ ^ bytes[i]) * 1099511628211ULL;
    }
  }
  void add(const std::string& text) {
    add(text.data(), text.size());
    add("", 1);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

std::uint64_t hash_of(const RawConfiguration& raw) {
  Hash hash;
  for (const auto& [name, value] : raw.numbers) {
    hash.add(name);
    hash.add(&value, sizeof value);
  }
  for (const auto& [name, value] : raw.flags) {
    hash.add(name);
    hash.add(value ? "1" : "0");
  }
  for (const auto& [name, value] : raw.texts) {
    hash.add(name);
    hash.add(value);
  }
  for (const auto& [name, values] : raw.lists) {
    hash.add(name);
    for (const auto& value : values) hash.add(value);
  }
  for (const auto& [name, values] : raw.vectors) {
    hash.add(name);
    for (const double value : values) hash.add(&value, sizeof value);
  }
  return hash.value();
}

Error read_scalars(const RawConfiguration& raw, Configuration& out) {
  std::map<std::string, double> value;
  for (const auto& field : number_fields()) {
    if (auto error = read_number(raw, field.name, field, value[field.name])) return error;
  }
  Times& times = out.times;
  times.tick = to_nanoseconds(1.0 / value["loop.rate_hz"]);
  times.late_tolerance = to_nanoseconds(value["loop.late_tolerance_s"]);
  times.lease = to_nanoseconds(value["lease_s"]);
  times.chunk_age_max = to_nanoseconds(value["chunk.age_max_s"]);
  times.observation_age_max = to_nanoseconds(value["observation.age_max_s"]);
  times.observation_future_max = to_nanoseconds(value["observation.future_max_s"]);
  times.joint_state_age_max = to_nanoseconds(value["joint_state.age_max_s"]);
  times.estop_heartbeat = to_nanoseconds(value["estop.heartbeat_s"]);
  times.estop_cooldown = to_nanoseconds(value["estop.cooldown_s"]);
  out.late_ticks_max = static_cast<std::size_t>(value["loop.late_ticks_max"]);
  out.dt_min = value["chunk.dt_min_s"];
  out.dt_max = value["chunk.dt_max_s"];
  out.horizon_max = static_cast<std::size_t>(value["chunk.horizon_max"]);
  out.frozen_ticks_max = static_cast<std::size_t>(value["observation.frozen_ticks_max"]);
  out.tracking_ticks_max = static_cast<std::size_t>(value["tracking.ticks_max"]);
  out.brake_delay = value["brake.delay_s"];
  out.rest_velocity = value["state.rest_velocity"];
  out.state_position_margin = value["state.position_margin"];
  out.state_velocity_factor = value["state.velocity_factor"];

  // A longer lease would let a robot obey a kernel that is three ticks dead.
  if (times.lease > 3 * times.tick || times.lease < times.tick) {
    const double tick = 1.0 / value["loop.rate_hz"];
    return ConfigurationError{
        "lease_s", text_of(value["lease_s"]),
        "[" + text_of(tick) + ", " + text_of(3 * tick) + "] s, one to three ticks of loop.rate_hz"};
  }
  // Rows closer than a tick would be skipped over without being played.
  if (out.dt_min < out.tick_seconds() || out.dt_min > out.dt_max) {
    return ConfigurationError{"chunk.dt_min_s", text_of(out.dt_min),
                              "[" + text_of(out.tick_seconds()) + ", " + text_of(out.dt_max) +
                                  "] s, from one tick to chunk.dt_max_s"};
  }
  return std::nullopt;
}

}  // namespace

const std::vector<NumberField>& number_fields() {
  static const std::vector<NumberField> fields = {
      {"loop.rate_hz", "Hz", 50, 1000, "rate of the control loop"},
      {"loop.late_tolerance_s", "s", 0.0001, 0.05, "a wake-up later than this is a late tick"},
      {"loop.late_ticks_max", "ticks", 1, 100, "consecutive late ticks that latch the kernel"},
      {"lease_s", "s", 0.001, 0.06, "validity of a motor command, at most three ticks"},
      {"chunk.age_max_s", "s", 0.01, 0.12,
       "a playing timeline without a new chunk stops after this"},
      {"chunk.dt_min_s", "s", 0.001, 0.1, "shortest time between rows"},
      {"chunk.dt_max_s", "s", 0.001, 0.2, "longest time between rows"},
      {"chunk.horizon_max", "rows", 1, 1024, "most rows of a chunk"},
      {"observation.age_max_s", "s", 0.01, 1, "oldest observation that a chunk may rest on"},
      {"observation.future_max_s", "s", 0, 0.02, "an observation stamp this far ahead is refused"},
      {"observation.frozen_ticks_max", "ticks", 2, 10,
       "chunks that repeat an observation stamp this long stop the arm"},
      {"joint_state.age_max_s", "s", 0.01, 0.05, "oldest joint state that motion may rest on"},
      {"tracking.ticks_max", "ticks", 1, 3,
       "consecutive ticks beyond tracking_error_max that stop the arm"},
      {"brake.delay_s", "s", 0, 0.1, "reaction time assumed in the stopping distance"},
      {"state.rest_velocity", "rad/s", 0.0001, 0.1, "a slower joint counts as at rest"},
      {"state.position_margin", "rad", 0, 0.05,
       "a measured position may lie outside its limit by this much"},
      {"state.velocity_factor", "1", 1, 5, "a measured velocity may be this many times its limit"},
      {"estop.heartbeat_s", "s", 0.02, 2, "silence of an e-stop source that counts as asserted"},
      {"estop.cooldown_s", "s", 0, 60, "time between the last assertion and a reset"},
  };
  return fields;
}

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

const std::vector<NumberField>& base_fields() {
  static const std::vector<NumberField> fields = {
      {"linear_speed_max", "m/s", 0, 5, "highest speed forward and back; 0 = none"},
      {"lateral_speed_max", "m/s", 0, 5, "highest speed sideways; 0 = none"},
      {"angular_speed_max", "rad/s", 0, 10, "highest speed about z; 0 = none"},
      {"linear_acceleration_max", "m/s^2", 0.01, 20, "highest acceleration and braking"},
      {"lateral_acceleration_max", "m/s^2", 0.01, 20, "highest acceleration and braking"},
      {"angular_acceleration_max", "rad/s^2", 0.01, 50, "highest acceleration and braking"},
      {"stopping_distance_max", "m", 0.001, 10, "longest way of a stop"},
      {"command_period_s", "s", 0.005, 0.2, "time in which a twist of cmd_vel is reached"},
  };
  return fields;
}

std::optional<ConfigurationError> configure(const RawConfiguration& raw, Configuration& out) {
  out = Configuration{};
  if (auto error = read_scalars(raw, out)) return error;

  const auto robot = raw.texts.find("robot.name");
  if (robot == raw.texts.end() || robot->second.empty() || robot->second.size() > kMaxName) {
    return ConfigurationError{"robot.name", robot == raw.texts.end() ? "missing" : robot->second,
                              "a name of 1 to 64 bytes"};
  }
  out.robot.assign(robot->second);

  std::vector<std::string> joints;
  if (auto error = read_names(raw, "robot.joints", joints)) return error;
  if (auto error = refuse_unknown_limits(raw, joints)) return error;
  out.joint_count = joints.size();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out.joints[j].assign(joints[j]);
    if (auto error = read_limits(raw, joints[j], out.limits[j])) return error;
  }

  if (raw.lists.count("robot.gripper_joints") != 0 &&
      !raw.lists.at("robot.gripper_joints").empty()) {
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
  }

  if (auto error = read_modes(raw, out)) return error;
  if (auto error = read_base(raw, out)) return error;
  const auto skills = raw.lists.find("skills.allowed");
  if (skills != raw.lists.end()) {
    for (const auto& skill : skills->second) {
      if (skill.empty() || skill.size() > kMaxName ||
          !out.skills.push(FixedString<kMaxName>(skill))) {
        return ConfigurationError{"skills.allowed", "'" + skill + "'",
                                  "at most 32 names of 1 to 64 bytes"};
      }
    }
  }
  const auto required = raw.flags.find("estop.required");
  if (required == raw.flags.end()) {
    return ConfigurationError{"estop.required", "missing", "true, false"};
  }
  out.estop_required = required->second;
  if (auto error = read_arm(raw, out)) return error;
  out.hash = hash_of(raw);
  return std::nullopt;
}

}  // namespace openral::safety
