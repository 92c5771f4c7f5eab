// How hard a gripper may grip.
#include <set>

#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {

const std::vector<NumberField>& gripper_fields() {
  static const std::vector<NumberField> fields = {
      {"force_max_N", "N", 0.1, 1000, "cap of a gripper joint's force, in every command"},
      {"power_max_W", "W", 0.01, 1000, "cap of a gripper joint's force times its speed"},
      {"ticks_max", "ticks", 1, 20, "consecutive ticks of a measurement above a cap that stop"},
  };
  return fields;
}

std::optional<ConfigurationError> read_gripper(const RawConfiguration& raw, Configuration& out) {
  const std::string prefix = "robot.gripper.";
  std::set<std::string> known;
  for (const auto& field : gripper_fields()) known.insert(prefix + field.name);
  if (auto error = refuse_unknown(raw, prefix, known)) return error;
  if (out.gripper_count == 0) return std::nullopt;
  double ticks = 0;
  if (auto error = read_numbers(raw, prefix, gripper_fields(),
                                {&out.gripper.force_max, &out.gripper.power_max, &ticks})) {
    return error;
  }
  out.gripper.ticks_max = static_cast<std::size_t>(ticks);
  return std::nullopt;
}

}  // namespace openral::safety
