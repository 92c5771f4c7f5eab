#include "recovery.hpp"

#include <algorithm>
#include <cmath>

#include "tool_motion.hpp"

namespace openral::safety {
namespace {

// How far outside its limits a value lies.
double excess(double value, double low, double high) {
  return std::max({0.0, low - value, value - high});
}

double joint_excess(const Configuration& configuration, const JointArray& position,
                    std::size_t joint) {
  const JointLimits& limits = configuration.limits[joint];
  return excess(position[joint], limits.position_min, limits.position_max);
}

Finding found(std::size_t joint, double value, double limit) {
  return {Reason::kRecoveryDirection, -1, static_cast<std::int32_t>(joint), value, limit};
}

// A point that stays where it is must not look as if it went out by a last digit.
constexpr double kRounding = 1e-12;

Finding check_points_inward(const Configuration& configuration, const JointArray& from,
                            const JointArray& to) {
  const ArmLimits& arm = configuration.arm;
  const ChainPose before = forward(arm.chain, from);
  const ChainPose after = forward(arm.chain, to);
  double sum_before = 0;
  double sum_after = 0;
  for (std::size_t p = 0; p < before.points.size(); ++p) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double old_way =
          excess(before.points[p][i], arm.workspace_min[i], arm.workspace_max[i]);
      const double new_way = excess(after.points[p][i], arm.workspace_min[i], arm.workspace_max[i]);
      if (!(new_way <= old_way + kRounding)) {
        return {Reason::kRecoveryDirection, -1, -1, new_way, old_way};
      }
      sum_before += old_way;
      sum_after += new_way;
    }
  }
  if (sum_before > 0 && !(sum_after < sum_before)) {
    return {Reason::kRecoveryDirection, -1, -1, sum_after, sum_before};
  }
  return {};
}

}  // namespace

Finding check_inside(const Configuration& configuration, const JointArray& position) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const auto joint = static_cast<std::int32_t>(j);
    if (!(position[j] >= limits.position_min)) {
      return {Reason::kStatePositionLimit, -1, joint, position[j], limits.position_min};
    }
    if (!(position[j] <= limits.position_max)) {
      return {Reason::kStatePositionLimit, -1, joint, position[j], limits.position_max};
    }
  }
  if (!configuration.arm.limited) return {};
  return check_workspace(configuration, forward(configuration.arm.chain, position));
}

Finding check_state_in_space(const Configuration& configuration, const JointState& state) {
  if (!configuration.arm.limited) return {};
  return check_workspace(configuration, forward(configuration.arm.chain, state.position),
                         configuration.state_position_margin);
}

Finding check_step_inward(const Configuration& configuration, const JointArray& from,
                          const JointArray& to) {
  const std::size_t count = configuration.joint_count;
  if (std::equal(from.begin(), from.begin() + count, to.begin())) return {};
  for (std::size_t j = 0; j < count; ++j) {
    const double before = joint_excess(configuration, from, j);
    const double after = joint_excess(configuration, to, j);
    const bool inward = before > 0 ? after < before : after == 0;
    if (!inward) return found(j, after, before);
  }
  if (!configuration.arm.limited) return {};
  return check_points_inward(configuration, from, to);
}

Finding check_inward(const Configuration& configuration, const Chunk& rows, const Columns& columns,
                     const JointArray& base) {
  JointArray last = base;
  for (std::size_t row = 0; row < rows.horizon; ++row) {
    JointArray now = base;
    for (std::size_t c = 0; c < columns.width; ++c) {
      now[columns.joint[c]] = rows.at(row, columns.width, c);
    }
    if (row > 0) {
      if (Finding finding = check_step_inward(configuration, last, now); !finding.ok()) {
        finding.row = static_cast<std::int32_t>(row);
        return finding;
      }
    }
    last = now;
  }
  return {};
}

void Recovery::begin(const Configuration& configuration, const JointArray& measured) {
  active_ = true;
  limits_ = configuration;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    JointLimits& limits = limits_.limits[j];
    limits.position_min = std::min(limits.position_min, measured[j]);
    limits.position_max = std::max(limits.position_max, measured[j]);
    limits.velocity_max *= configuration.recovery_speed_factor;
  }
  ArmLimits& arm = limits_.arm;
  arm.tool_speed_max *= configuration.recovery_speed_factor;
  arm.rotation_speed_max *= configuration.recovery_speed_factor;
  const ChainPose pose = forward(arm.chain, measured);
  for (std::size_t p = 0; p < pose.points.size(); ++p) {
    for (std::size_t i = 0; i < 3; ++i) {
      arm.workspace_min[i] = std::min(arm.workspace_min[i], pose.points[p][i]);
      arm.workspace_max[i] = std::max(arm.workspace_max[i], pose.points[p][i]);
    }
  }
}

}  // namespace openral::safety
