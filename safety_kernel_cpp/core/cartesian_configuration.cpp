// How a tool may be commanded in space.
#include <set>

#include "braking.hpp"
#include "cartesian_path.hpp"
#include "configuration_parts.hpp"
#include "field_reader.hpp"
#include "rounding.hpp"
#include "tool_motion.hpp"

namespace openral::safety {
namespace {

// The way of a stop is followed as the shorter turn between its ends.
std::optional<ConfigurationError> check_tool_stop_turn(const Configuration& configuration) {
  constexpr double kTurn = 3;  // [rad] less than half a turn
  const double speed = configuration.arm.rotation_speed_max;
  const ToolTwist fastest{{configuration.arm.tool_speed_max, 0, 0}, {speed, 0, 0}};
  const double time = stop_time(configuration, plan_tool_brake(configuration, fastest).ticks);
  if (!exceeds(speed * kTickAllowance * time, kTurn)) return std::nullopt;
  return ConfigurationError{"robot.arm.rotation_speed_max", text_of(speed),
                            "at most " + text_of(kTurn / time / kTickAllowance) +
                                ", so that the longest stop of the tool turns it by 3 rad at most"};
}

}  // namespace

const std::vector<NumberField>& cartesian_fields() {
  static const std::vector<NumberField> fields = {
      {"acceleration_max", "m/s^2", 0.01, 50, "highest acceleration and braking of the tool point"},
      {"jerk_max", "m/s^3", 0.1, 100000, "highest change of it"},
      {"rotation_acceleration_max", "rad/s^2", 0.01, 200, "highest acceleration of turning"},
      {"rotation_jerk_max", "rad/s^3", 0.1, 100000, "highest change of it"},
      {"tracking_error_max", "m", 0.0001, 0.2, "largest distance of command and measurement"},
      {"rotation_error_max", "rad", 0.0001, 1, "largest angle between command and measurement"},
  };
  return fields;
}

std::optional<ConfigurationError> read_cartesian(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "robot.cartesian.";
  std::set<std::string> known;
  for (const auto& field : cartesian_fields()) known.insert(prefix + field.name);
  if (auto error = refuse_unknown(raw, prefix, known)) return error;
  bool taken = false;
  for (const ControlMode mode :
       {ControlMode::kCartesianPose, ControlMode::kCartesianDelta, ControlMode::kCartesianTwist}) {
    if (!out.takes(mode)) continue;
    taken = true;
    // Where the tool is, only the chain says.
    if (!out.arm.limited) {
      return ConfigurationError{"robot.modes", "'" + std::string(mode_name(mode)) + "'",
                                "Cartesian modes with robot.arm.forward_kinematics: true only"};
    }
  }
  if (!taken) return std::nullopt;
  CartesianLimits& limits = out.cartesian;
  if (auto error = read_numbers(
          raw, prefix, cartesian_fields(),
          {&limits.acceleration_max, &limits.jerk_max, &limits.rotation_acceleration_max,
           &limits.rotation_jerk_max, &limits.tracking_error_max, &limits.rotation_error_max})) {
    return error;
  }
  const StopBound bound = longest_stop(out);
  if (auto error = check_stop(prefix + "acceleration_max", out.arm.tool_speed_max,
                              limits.acceleration_max, bound)) {
    return error;
  }
  if (auto error = check_stop(prefix + "rotation_acceleration_max", out.arm.rotation_speed_max,
                              limits.rotation_acceleration_max, bound)) {
    return error;
  }
  return check_tool_stop_turn(out);
}

}  // namespace openral::safety
