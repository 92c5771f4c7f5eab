#include "cartesian_path.hpp"

#include <algorithm>
#include <cmath>

#include "braking.hpp"
#include "rounding.hpp"
#include "timeline.hpp"
#include "tool_motion.hpp"

namespace openral::safety {
namespace {

Vector3 difference(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

ToolTwist change(const ToolTwist& from, const ToolTwist& to, double time) {
  ToolTwist rate;
  for (std::size_t i = 0; i < 3; ++i) {
    rate.linear[i] = (to.linear[i] - from.linear[i]) / time;
    rate.angular[i] = (to.angular[i] - from.angular[i]) / time;
  }
  return rate;
}

// Length of each half of a twist, or of one of its derivatives.
Finding bound(const ToolTwist& twist, double linear_max, Reason linear, double angular_max,
              Reason angular) {
  const double speed = length(twist.linear);
  if (exceeds(speed, linear_max)) return {linear, -1, -1, speed, linear_max};
  const double turning = length(twist.angular);
  if (exceeds(turning, angular_max)) return {angular, -1, -1, turning, angular_max};
  return {};
}

}  // namespace

ToolPose pose_row(const Chunk& poses, std::size_t row) {
  ToolPose pose;
  for (std::size_t i = 0; i < 3; ++i) pose.position[i] = poses.at(row, kPoseWidth, i);
  for (std::size_t i = 0; i < 4; ++i) pose.orientation[i] = poses.at(row, kPoseWidth, 3 + i);
  return pose;
}

void set_pose_row(Chunk& poses, std::size_t row, const ToolPose& pose) {
  double* values = &poses.values[row * kPoseWidth];
  std::copy(pose.position.begin(), pose.position.end(), values);
  std::copy(pose.orientation.begin(), pose.orientation.end(), values + 3);
}

Columns pose_columns() {
  Columns columns;
  columns.width = kPoseWidth;
  for (std::size_t i = 0; i < kPoseWidth; ++i) columns.joint[i] = i;
  return columns;
}

ToolPose pose_from(const JointArray& values) {
  ToolPose pose;
  for (std::size_t i = 0; i < 3; ++i) pose.position[i] = values[i];
  for (std::size_t i = 0; i < 4; ++i) pose.orientation[i] = values[3 + i];
  pose.orientation = unit(pose.orientation);
  return pose;
}

ToolBrake plan_tool_brake(const Configuration& configuration, const ToolTwist& twist) {
  const CartesianLimits& limits = configuration.cartesian;
  const double tick = configuration.tick_seconds();
  const double most = std::max(length(twist.linear) / (limits.acceleration_max * tick),
                               length(twist.angular) / (limits.rotation_acceleration_max * tick));
  return {twist, whole_ticks(most), 0};
}

ToolTwist next_brake_twist(ToolBrake& brake) {
  ToolTwist twist;
  if (brake.at_rest()) return twist;
  ++brake.done;
  const double factor =
      static_cast<double>(brake.ticks - brake.done) / static_cast<double>(brake.ticks);
  for (std::size_t i = 0; i < 3; ++i) {
    twist.linear[i] = brake.twist.linear[i] * factor;
    twist.angular[i] = brake.twist.angular[i] * factor;
  }
  return twist;
}

Finding check_tool_point(const Configuration& configuration, const Vector3& point) {
  const ArmLimits& arm = configuration.arm;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(point[i] >= arm.workspace_min[i])) {
      return {Reason::kWorkspace, -1, -1, point[i], arm.workspace_min[i]};
    }
    if (!(point[i] <= arm.workspace_max[i])) {
      return {Reason::kWorkspace, -1, -1, point[i], arm.workspace_max[i]};
    }
  }
  return {};
}

Finding check_twist_limits(const Configuration& configuration, const ToolTwist& twist,
                           double allowance) {
  const ArmLimits& arm = configuration.arm;
  return bound(twist, arm.tool_speed_max * allowance, Reason::kToolSpeed,
               arm.rotation_speed_max * allowance, Reason::kToolRotation);
}

Finding check_twist_change(const Configuration& configuration, const ToolTwist& from,
                           const ToolTwist& to, double time, double allowance) {
  const CartesianLimits& limits = configuration.cartesian;
  return bound(change(from, to, time), limits.acceleration_max * allowance,
               Reason::kToolAcceleration, limits.rotation_acceleration_max * allowance,
               Reason::kToolRotationAcceleration);
}

Finding check_tool_stop(const Configuration& configuration, const ToolPose& pose,
                        const ToolTwist& twist) {
  const double time = stop_time(configuration, plan_tool_brake(configuration, twist).ticks);
  Finding finding = check_tool_point(configuration, moved(pose, twist, time).position);
  if (!finding.ok()) finding.reason = Reason::kViability;
  return finding;
}

Finding check_poses(const Configuration& configuration, const Chunk& poses) {
  const CartesianLimits& limits = configuration.cartesian;
  ToolPose last;
  ToolTwist twist;
  ToolTwist acceleration;
  for (std::size_t row = 0; row < poses.horizon; ++row) {
    const ToolPose pose = pose_row(poses, row);
    Finding finding = check_tool_point(configuration, pose.position);
    if (finding.ok() && row > 0) {
      const ToolTwist now = twist_between(last, pose, poses.dt);
      const ToolTwist rate = change(twist, now, poses.dt);
      finding = check_twist_limits(configuration, now, 1);
      if (finding.ok() && row > 1) {
        finding = check_twist_change(configuration, twist, now, poses.dt, 1);
      }
      if (finding.ok() && row > 2) {
        finding = bound(change(acceleration, rate, poses.dt), limits.jerk_max, Reason::kToolJerk,
                        limits.rotation_jerk_max, Reason::kToolRotationJerk);
      }
      if (finding.ok()) finding = check_tool_stop(configuration, pose, now);
      twist = now;
      acceleration = rate;
    }
    if (!finding.ok()) return in_row(finding, row);
    last = pose;
  }
  if (!poses.last) return {};
  Finding finding = check_twist_change(configuration, twist, {}, poses.dt, 1);
  if (!finding.ok()) finding.reason = Reason::kEndNotAtRest;
  return in_row(finding, static_cast<std::size_t>(poses.horizon) - 1);
}

namespace {

ToolTwist sum(const ToolTwist& a, const ToolTwist& b) {
  ToolTwist out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.linear[i] = a.linear[i] + b.linear[i];
    out.angular[i] = a.angular[i] + b.angular[i];
  }
  return out;
}

// The row that the first command lies in goes on from the one that is in progress, and the next row
// from it; the later ones have their own two rows before them in the chunk.
Finding check_splice_jerk(const Configuration& configuration, const Chunk& poses, double phase,
                          double first_phase, const ToolAnchor& anchor) {
  const CartesianLimits& limits = configuration.cartesian;
  const double row = row_into(first_phase);
  const bool in_row = anchor.continues && row_into(phase) == row;
  const ToolTwist before = in_row ? anchor.row.acceleration_before : anchor.row.acceleration;
  const ToolTwist begun = in_row ? anchor.row.acceleration : ToolTwist{};
  const ToolTwist twist = twist_of_row(poses, row);
  const ToolTwist acceleration = sum(begun, change(anchor.row.twist, twist, poses.dt));
  const auto jerk = [&](const ToolTwist& from, const ToolTwist& to) {
    return bound(change(from, to, poses.dt), limits.jerk_max, Reason::kSpliceJerk,
                 limits.rotation_jerk_max, Reason::kSpliceJerk);
  };
  Finding finding = bound(acceleration, limits.acceleration_max, Reason::kSpliceAcceleration,
                          limits.rotation_acceleration_max, Reason::kSpliceAcceleration);
  if (finding.ok()) finding = jerk(before, acceleration);
  if (finding.ok()) {
    // Rows that do not lie where the last command was are met within one tick.
    const ToolPose entry = pose_from(interpolate(poses, pose_columns(), phase, {}));
    const ToolTwist to_entry = twist_between(anchor.pose, entry, configuration.tick_seconds());
    finding = jerk(before, sum(acceleration, change({}, to_entry, poses.dt)));
  }
  const double end = static_cast<double>(poses.first_row) + static_cast<double>(poses.horizon - 1);
  if (!finding.ok() || !(row + 1 < end)) return finding;
  return jerk(acceleration, change(twist, twist_of_row(poses, row + 1), poses.dt));
}

}  // namespace

Finding check_tool_splice(const Configuration& configuration, const Chunk& poses, double phase,
                          const ToolAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double advance = tick / poses.dt;
  const double end = static_cast<double>(poses.first_row) + static_cast<double>(poses.horizon - 1);
  const double first_phase = std::min(phase + advance, end);
  const double second_phase = std::min(first_phase + advance, end);
  const Columns columns = pose_columns();
  const ToolPose first = pose_from(interpolate(poses, columns, first_phase, {}));
  const ToolPose second = pose_from(interpolate(poses, columns, second_phase, {}));
  const auto row = static_cast<std::size_t>(first_phase - static_cast<double>(poses.first_row));
  const ToolTwist to_first = twist_between(anchor.pose, first, tick);
  const ToolTwist to_second = twist_between(first, second, tick);
  Finding finding = check_twist_limits(configuration, to_first, kTickAllowance);
  if (!finding.ok()) {
    finding.reason =
        finding.reason == Reason::kToolSpeed ? Reason::kSplicePosition : Reason::kSpliceRotation;
    return in_row(finding, row);
  }
  // Rows change speed by at most a dt from one to the next; so may the switch.
  finding = check_twist_change(configuration, anchor.twist, to_first, poses.dt, kTickAllowance);
  if (finding.ok()) {
    finding = check_twist_change(configuration, to_first, to_second, poses.dt, kTickAllowance);
  }
  if (!finding.ok()) {
    finding.reason = Reason::kSpliceAcceleration;
    return in_row(finding, row);
  }
  finding = check_splice_jerk(configuration, poses, phase, first_phase, anchor);
  if (!finding.ok()) return in_row(finding, row);
  finding = check_tool_tracking(configuration, first, anchor.measured);
  if (!finding.ok()) finding.reason = Reason::kSpliceMeasured;
  return in_row(finding, row);
}

Finding check_tool_step(const Configuration& configuration, const ToolPose& from,
                        const ToolTwist& before, const ToolPose& to, double dt) {
  const ToolTwist twist = twist_between(from, to, configuration.tick_seconds());
  Finding finding = check_tool_point(configuration, to.position);
  if (finding.ok()) finding = check_twist_limits(configuration, twist, kTickAllowance);
  if (finding.ok()) finding = check_twist_change(configuration, before, twist, dt, kTickAllowance);
  if (finding.ok()) finding = check_tool_stop(configuration, to, twist);
  return finding;
}

Finding check_tool_tracking(const Configuration& configuration, const ToolPose& command,
                            const ToolPose& measured) {
  const CartesianLimits& limits = configuration.cartesian;
  const ToolTwist error = {difference(command.position, measured.position),
                           turn_between(measured.orientation, command.orientation)};
  return bound(error, limits.tracking_error_max, Reason::kTrackingError, limits.rotation_error_max,
               Reason::kTrackingError);
}

}  // namespace openral::safety
