// How long a stop may take, and how far it may turn a joint of the arm.
#include "braking.hpp"
#include "configuration_parts.hpp"
#include "field_reader.hpp"
#include "rounding.hpp"

namespace openral::safety {

StopBound longest_stop(const Configuration& configuration) {
  return {"brake.time_max_s", configuration.brake_time_max};
}

std::optional<ConfigurationError> check_stop(const std::string& field, double speed_max,
                                             double acceleration_max, const StopBound& bound) {
  if (!exceeds(speed_max / acceleration_max, bound.time)) return std::nullopt;
  return ConfigurationError{field, text_of(acceleration_max),
                            "at least " + text_of(speed_max / bound.time) +
                                ", so that a stop from " + text_of(speed_max) + " takes " +
                                bound.field + " = " + text_of(bound.time) + " s at most"};
}

std::optional<ConfigurationError> check_stop_turns(const Configuration& configuration) {
  constexpr double kTurn = 1;  // [rad] that check_workspace_way follows in 17 places
  JointArray fastest{};
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    fastest[j] = configuration.limits[j].velocity_max;
  }
  const double time = stop_time(configuration, brake_ticks(configuration, fastest));
  for (const ChainJoint& joint : configuration.arm.chain.joints) {
    const double speed = fastest[joint.joint];
    if (!exceeds(speed * time, kTurn)) continue;
    return ConfigurationError{
        "robot.limits." + std::string(configuration.joints[joint.joint].view()) + ".velocity_max",
        text_of(speed),
        "at most " + text_of(kTurn / time) +
            ", so that the longest stop turns it by 1 rad at most"};
  }
  return std::nullopt;
}

}  // namespace openral::safety
