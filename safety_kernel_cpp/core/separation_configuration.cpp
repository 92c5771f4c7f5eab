// Whether, and how, the distance to people bounds the speed.
#include <set>

#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {

const std::vector<NumberField>& separation_fields() {
  static const std::vector<NumberField> fields = {
      {"deceleration", "m/s^2", 0.01, 20, "of the tool in a stop, at least"},
      {"reaction_s", "s", 0, 2, "from the measurement to the beginning of the stop"},
      {"margin", "m", 0, 5, "intrusion distance and uncertainties, C + Z"},
      {"human_speed", "m/s", 0, 5, "speed towards the robot; ISO 13855: 1.6"},
      {"age_max_s", "s", 0.01, 1, "an older measurement counts as touch"},
  };
  return fields;
}

std::optional<ConfigurationError> read_separation(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "separation.";
  std::set<std::string> known = {prefix + "enabled"};
  for (const auto& field : separation_fields()) known.insert(prefix + field.name);
  if (auto error = refuse_unknown(raw, prefix, known)) return error;
  bool enabled = false;
  if (auto error = read_flag(raw, prefix + "enabled", enabled)) return error;
  if (!enabled) return std::nullopt;
  // The speed that it bounds is the tool's.
  if (!out.arm.limited) {
    return ConfigurationError{prefix + "enabled", "true",
                              "false, or robot.arm.forward_kinematics: true"};
  }
  SeparationLimits& separation = out.separation;
  double age_max = 0;
  if (auto error = read_numbers(raw, prefix, separation_fields(),
                                {&separation.deceleration, &separation.reaction, &separation.margin,
                                 &separation.human_speed, &age_max})) {
    return error;
  }
  separation.age_max = to_nanoseconds(age_max);
  // A measurement counts until the tick in which it is too old, and people come nearer meanwhile.
  const Nanoseconds oldest = separation.age_max + out.times.tick;
  if (to_nanoseconds(separation.reaction) < oldest) {
    return ConfigurationError{prefix + "reaction_s", text_of(separation.reaction),
                              "[" + text_of(static_cast<double>(oldest) / kSecond) +
                                  ", 2] s, at least separation.age_max_s and a tick"};
  }
  separation.enabled = true;
  return std::nullopt;
}

}  // namespace openral::safety
