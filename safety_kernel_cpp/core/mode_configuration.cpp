// Which control modes the robot takes.
#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {

std::optional<ConfigurationError> read_modes(const RawConfiguration& raw, Configuration& out) {
  constexpr ControlMode kBounded[] = {ControlMode::kJointPosition,  ControlMode::kJointVelocity,
                                      ControlMode::kJointTorque,    ControlMode::kCartesianPose,
                                      ControlMode::kCartesianDelta, ControlMode::kCartesianTwist,
                                      ControlMode::kBodyTwist,      ControlMode::kGripperPosition};
  std::vector<std::string> valid;
  for (const ControlMode mode : kBounded) valid.emplace_back(mode_name(mode));
  const auto found = raw.lists.find("robot.modes");
  if (found == raw.lists.end() || found->second.empty()) {
    return ConfigurationError{"robot.modes", "missing", joined(valid)};
  }
  for (const auto& name : found->second) {
    bool known = false;
    for (const ControlMode mode : kBounded) {
      if (name != mode_name(mode)) continue;
      out.mode_enabled[static_cast<std::size_t>(mode)] = true;
      known = true;
    }
    if (!known) return ConfigurationError{"robot.modes", "'" + name + "'", joined(valid)};
  }
  return std::nullopt;
}

}  // namespace openral::safety
