// How a mobile base may move.
#include <set>

#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {

const std::vector<NumberField>& base_fields() {
  static const std::vector<NumberField> fields = {
      {"linear_speed_max", "m/s", 0, 5, "highest speed forward and back; 0 = none"},
      {"lateral_speed_max", "m/s", 0, 5, "highest speed sideways; 0 = none"},
      {"angular_speed_max", "rad/s", 0, 10, "highest speed about z; 0 = none"},
      {"linear_acceleration_max", "m/s^2", 0.01, 20, "highest acceleration and braking"},
      {"lateral_acceleration_max", "m/s^2", 0.01, 20, "highest acceleration and braking"},
      {"angular_acceleration_max", "rad/s^2", 0.01, 50, "highest acceleration and braking"},
      {"stopping_distance_max", "m", 0.001, 10, "longest way of a stop"},
      {"stopping_time_max_s", "s", 0.01, 5, "longest stop from full speed of any axis"},
      {"radius", "m", 0.01, 5, "from the axis of turning to its farthest point"},
      {"command_period_s", "s", 0.005, 0.2, "time in which a twist of cmd_vel is reached"},
  };
  return fields;
}

std::optional<ConfigurationError> read_base(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "robot.base.";
  std::set<std::string> known;
  for (const auto& field : base_fields()) known.insert(prefix + field.name);
  if (auto error = refuse_unknown(raw, prefix, known)) return error;
  if (!out.mode_enabled[static_cast<std::size_t>(ControlMode::kBodyTwist)]) return std::nullopt;
  auto& axes = out.base.axes;
  if (auto error = read_numbers(
          raw, prefix, base_fields(),
          {&axes[0].speed_max, &axes[1].speed_max, &axes[2].speed_max, &axes[0].acceleration_max,
           &axes[1].acceleration_max, &axes[2].acceleration_max, &out.base.stopping_distance_max,
           &out.base.stopping_time_max, &out.base.radius, &out.base.command_period})) {
    return error;
  }
  const char* const names[] = {"linear", "lateral", "angular"};
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    if (auto error = check_stop(prefix + names[i] + "_acceleration_max", axes[i].speed_max,
                                axes[i].acceleration_max,
                                {prefix + "stopping_time_max_s", out.base.stopping_time_max})) {
      return error;
    }
  }
  if (out.base.command_period < out.dt_min || out.base.command_period > out.dt_max) {
    return ConfigurationError{prefix + "command_period_s", text_of(out.base.command_period),
                              "[" + text_of(out.dt_min) + ", " + text_of(out.dt_max) +
                                  "] s, from chunk.dt_min_s to chunk.dt_max_s"};
  }
  return std::nullopt;
}

}  // namespace openral::safety
