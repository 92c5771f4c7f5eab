#include "step_speed.hpp"

#include <algorithm>
#include <cmath>

namespace openral::safety {

StepSpeed joint_step(const Configuration& configuration, const JointArray& from,
                     const JointArray& to, double dt) {
  StepSpeed step;
  double finger = 0;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    step.moves = step.moves || from[j] != to[j];
  }
  for (std::size_t g = 0; g < configuration.gripper_count; ++g) {
    const std::size_t j = configuration.gripper_joints[g];
    finger = std::max(finger, std::abs(to[j] - from[j]));
  }
  const ChainPose a = forward(configuration.arm.chain, from);
  const ChainPose b = forward(configuration.arm.chain, to);
  double way = 0;
  for (std::size_t p = 0; p < a.points.size(); ++p) {
    way = std::max(way, std::hypot(b.points[p][0] - a.points[p][0], b.points[p][1] - a.points[p][1],
                                   b.points[p][2] - a.points[p][2]));
  }
  step.fastest = (way + finger) / dt;
  return step;
}

StepSpeed measured_step(const Configuration& configuration, const JointState& state) {
  const double tick = configuration.tick_seconds();
  JointArray next = state.position;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const bool stands = std::abs(state.velocity[j]) <= configuration.rest_velocity;
    if (!stands) next[j] += state.velocity[j] * tick;
  }
  return joint_step(configuration, state.position, next, tick);
}

StepSpeed tool_step(const ToolTwist& twist) {
  const double speed = length(twist.linear);
  return {speed, speed != 0 || length(twist.angular) != 0};
}

StepSpeed base_step(const Configuration& configuration, const JointArray& twist) {
  const double turning = std::abs(twist[2]) * configuration.base.radius;
  const bool moves = twist[0] != 0 || twist[1] != 0 || twist[2] != 0;
  return {std::hypot(twist[0], twist[1]) + turning, moves};
}

}  // namespace openral::safety
