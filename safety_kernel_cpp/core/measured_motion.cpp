#include "measured_motion.hpp"

#include <algorithm>
#include <cmath>

#include "braking.hpp"
#include "columns.hpp"
#include "rounding.hpp"
#include "tool_motion.hpp"

namespace openral::safety {
namespace {

// Velocities of the arm's joints that move.
JointArray arm_velocity(const Configuration& configuration, const JointState& state) {
  JointArray velocity = state.velocity;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const bool stands = std::abs(velocity[j]) <= configuration.rest_velocity;
    if (stands || is_gripper(configuration, j)) velocity[j] = 0;
  }
  return velocity;
}

JointArray after(const Configuration& configuration, const JointArray& position,
                 const JointArray& velocity, double time) {
  JointArray end = position;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) end[j] += velocity[j] * time;
  return end;
}

Finding check_space(const Configuration& configuration, const JointArray& position,
                    const JointArray& velocity, const JointArray& end, const Tolerance& tolerance) {
  const Chain& chain = configuration.arm.chain;
  const double tick = configuration.tick_seconds();
  const ChainPose pose = forward(chain, position);
  if (Finding finding = check_workspace(configuration, pose, tolerance.margin); !finding.ok()) {
    return finding;
  }
  const ChainPose next = forward(chain, after(configuration, position, velocity, tick));
  if (Finding finding = check_tool_speed(configuration, pose, next, tick, tolerance.speed);
      !finding.ok()) {
    return finding;
  }
  return check_workspace_way(configuration, position, end, tolerance.margin);
}

}  // namespace

Finding check_measured_motion(const Configuration& configuration, const JointState& state,
                              double age, const Tolerance& tolerance) {
  const JointArray velocity = arm_velocity(configuration, state);
  const JointArray end = end_of_measured_stop(configuration, state, age);
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const auto joint = static_cast<std::int32_t>(j);
    if (exceeds(std::abs(velocity[j]), limits.velocity_max)) {
      return {Reason::kMeasuredVelocity, -1, joint, std::abs(velocity[j]), limits.velocity_max};
    }
    const double limit = velocity[j] > 0 ? limits.position_max : limits.position_min;
    // Written so that a NaN fails.
    const bool inside = velocity[j] > 0 ? end[j] <= limit : end[j] >= limit;
    if (velocity[j] != 0 && !inside) return {Reason::kMeasuredViability, -1, joint, end[j], limit};
  }
  if (!configuration.arm.limited) return {};
  return check_space(configuration, state.position, velocity, end, tolerance);
}

JointArray end_of_measured_stop(const Configuration& configuration, const JointState& state,
                                double age) {
  const JointArray velocity = arm_velocity(configuration, state);
  const double time = stop_time(configuration, brake_ticks(configuration, velocity)) + age +
                      configuration.tick_seconds();
  return after(configuration, state.position, velocity, time);
}

JointArray measured_now(const Configuration& configuration, const JointState& state, double age) {
  JointArray position{};
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    position[j] =
        std::min(std::max(state.position[j] + state.velocity[j] * age, limits.position_min),
                 limits.position_max);
  }
  return position;
}

}  // namespace openral::safety
