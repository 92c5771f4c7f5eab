#include "tool_motion.hpp"

#include <algorithm>
#include <cmath>

#include "braking.hpp"
#include "rounding.hpp"

namespace openral::safety {

Finding check_workspace(const Configuration& configuration, const ChainPose& pose, double margin) {
  const ArmLimits& arm = configuration.arm;
  for (std::size_t p = 0; p < pose.points.size(); ++p) {
    const bool tool = p + 1 == pose.points.size();
    const auto joint = tool ? -1 : static_cast<std::int32_t>(arm.chain.joints[p].joint);
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = pose.points[p][i];
      const double low = arm.workspace_min[i] - margin;
      const double high = arm.workspace_max[i] + margin;
      if (!(value >= low)) return {Reason::kWorkspace, -1, joint, value, low};
      if (!(value <= high)) return {Reason::kWorkspace, -1, joint, value, high};
    }
  }
  return {};
}

Finding check_workspace_way(const Configuration& configuration, const JointArray& from,
                            const JointArray& to, double margin) {
  constexpr double kTurn = 0.06;           // [rad] of a joint, from place to place
  constexpr std::size_t kMostPlaces = 64;  // more than any stop of a valid configuration needs
  const Chain& chain = configuration.arm.chain;
  double turn = 0;
  for (const ChainJoint& joint : chain.joints) {
    turn = std::max(turn, std::abs(to[joint.joint] - from[joint.joint]));
  }
  const std::size_t places =
      std::min(kMostPlaces, std::max<std::size_t>(1, whole_ticks(turn / kTurn)));
  for (std::size_t place = 1; place <= places; ++place) {
    const double part = static_cast<double>(place) / static_cast<double>(places);
    JointArray at = to;
    for (const ChainJoint& joint : chain.joints) {
      const std::size_t j = joint.joint;
      if (place < places) at[j] = from[j] + (to[j] - from[j]) * part;
    }
    if (Finding finding = check_workspace(configuration, forward(chain, at), margin);
        !finding.ok()) {
      return finding;
    }
  }
  return {};
}

Finding check_tool_speed(const Configuration& configuration, const ChainPose& from,
                         const ChainPose& to, double dt, double allowance) {
  const ArmLimits& arm = configuration.arm;
  const Vector3& a = from.tool();
  const Vector3& b = to.tool();
  const double way = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  if (exceeds(way / dt, arm.tool_speed_max * allowance)) {
    return {Reason::kToolSpeed, -1, -1, way / dt, arm.tool_speed_max};
  }
  const double turn = angle_between(from.rotation, to.rotation) / dt;
  if (exceeds(turn, arm.rotation_speed_max * allowance)) {
    return {Reason::kToolRotation, -1, -1, turn, arm.rotation_speed_max};
  }
  return {};
}

Finding check_tool_motion(const Configuration& configuration, const ChainPose& from,
                          const ChainPose& to, const JointArray& position,
                          const JointArray& velocity, double dt, double allowance) {
  if (Finding finding = check_workspace(configuration, to); !finding.ok()) return finding;
  if (Finding finding = check_tool_speed(configuration, from, to, dt, allowance); !finding.ok()) {
    return finding;
  }
  const double time = stop_time(configuration, brake_ticks(configuration, velocity));
  JointArray end = position;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) end[j] += velocity[j] * time;
  return check_workspace_way(configuration, position, end);
}

bool arm_moves(const Configuration& configuration, const JointArray& from, const JointArray& to) {
  for (const ChainJoint& joint : configuration.arm.chain.joints) {
    if (from[joint.joint] != to[joint.joint]) return true;
  }
  return false;
}

}  // namespace openral::safety
