// Checks of the measured state: inside its limits, where it was commanded, at rest.
#pragma once

#include <cmath>

#include "capacity.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "reason.hpp"

namespace openral::safety {

// Position and speed of a measurement, with the margins of sensors and of a servo's overshoot.
[[nodiscard]] inline Finding check_state(const Configuration& configuration,
                                         const JointState& state) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const auto joint = static_cast<std::int32_t>(j);
    const double low = limits.position_min - configuration.state_position_margin;
    const double high = limits.position_max + configuration.state_position_margin;
    const double speed_max = limits.velocity_max * configuration.state_velocity_factor;
    if (!(state.position[j] >= low)) {
      return {Reason::kStatePositionLimit, -1, joint, state.position[j], low};
    }
    if (!(state.position[j] <= high)) {
      return {Reason::kStatePositionLimit, -1, joint, state.position[j], high};
    }
    if (!(std::abs(state.velocity[j]) <= speed_max)) {
      return {Reason::kStateVelocityLimit, -1, joint, std::abs(state.velocity[j]), speed_max};
    }
  }
  return {};
}

[[nodiscard]] inline Finding check_rest(const Configuration& configuration,
                                        const JointState& state) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (!(std::abs(state.velocity[j]) <= configuration.rest_velocity)) {
      return {Reason::kNotAtRest, -1, static_cast<std::int32_t>(j), std::abs(state.velocity[j]),
              configuration.rest_velocity};
    }
  }
  return {};
}

// Distance between command and measurement, worst joint relative to its tolerance.
[[nodiscard]] inline Finding check_tracking(const Configuration& configuration,
                                            const JointArray& command, const JointState& state) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const double error = std::abs(command[j] - state.position[j]);
    const double limit = configuration.limits[j].tracking_error_max;
    if (!(error <= limit)) {
      return {Reason::kTrackingError, -1, static_cast<std::int32_t>(j), error, limit};
    }
  }
  return {};
}

// Where the arm is anchored when it is armed: where it is. A joint that lies outside its limit by
// no more than the sensor margin is anchored on the limit, since no command may lie outside.
[[nodiscard]] inline JointArray anchor_of(const Configuration& configuration,
                                          const JointState& state) {
  JointArray anchor{};
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    anchor[j] = std::min(std::max(state.position[j], configuration.limits[j].position_min),
                         configuration.limits[j].position_max);
  }
  return anchor;
}

}  // namespace openral::safety
