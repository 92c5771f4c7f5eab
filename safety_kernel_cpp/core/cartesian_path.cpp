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
  if (finding.ok() && poses.horizon > 2) {
    finding = bound(change(acceleration, change(twist, {}, poses.dt), poses.dt), limits.jerk_max,
                    Reason::kToolJerk, limits.rotation_jerk_max, Reason::kToolRotationJerk);
  }
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
  const double end = static_cast<double>(poses.first_row) + static_cast<double>(poses.horizon - 1);
  // Behind the last row nothing moves.
  const double row = phase < end ? row_into(first_phase) : end;
  const bool same_row = phase < end && row_into(phase) == row;
  const bool in_row = anchor.continues ? same_row : anchor.row_lasts;
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
  // Behind the last row of a timeline is rest.
  const bool goes_on = row + 1 < end || (poses.last && row + 1 <= end);
  if (!finding.ok() || !goes_on) return finding;
  return jerk(acceleration, change(twist, twist_of_row(poses, row + 1), poses.dt));
}

// The change of one tick, with those shortly before it. Within a row the twist varies a little
// about the mean that the admission bounded.
Finding check_change(const Configuration& configuration, const ToolSpeedChanges& changes,
                     const ToolTwist& from, const ToolTwist& to, double dt) {
  const CartesianLimits& limits = configuration.cartesian;
  const ToolTwist by = change(from, to, 1);
  const auto over = [&](Reason reason, std::size_t i, double value, double limit) -> Finding {
    const double acceleration = changes.acceleration(i, value, limit, dt);
    if (!exceeds(acceleration, limit * kTickAllowance)) return {};
    return {reason, -1, -1, acceleration, limit * kTickAllowance};
  };
  Finding finding = over(Reason::kToolAcceleration, 0, length(by.linear), limits.acceleration_max);
  if (!finding.ok()) return finding;
  return over(Reason::kToolRotationAcceleration, 1, length(by.angular),
              limits.rotation_acceleration_max);
}

// As check_splice has it for joints.
Finding check_splice_changes(const Configuration& configuration, const Chunk& poses, double phase,
                             const ToolAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double advance = tick / poses.dt;
  const double end = static_cast<double>(poses.first_row) + static_cast<double>(poses.horizon - 1);
  const double row_after = std::min(row_into(std::min(phase + advance, end)) + 1, end);
  ToolSpeedChanges changes = anchor.changes;
  ToolPose pose = anchor.pose;
  ToolTwist twist = anchor.twist;
  double to = phase;
  for (int command = 1;; ++command) {
    const double from = to;
    if (command > 2 && !poses.last && from + advance > end + kPhaseRounding) return {};
    to = std::min(from + advance, end);
    const ToolPose next = pose_from(interpolate(poses, pose_columns(), to, {}));
    const ToolTwist now = twist_between(pose, next, tick);
    pass_tick(configuration, changes);
    if (Finding finding = check_change(configuration, changes, twist, now, poses.dt);
        !finding.ok()) {
      finding.reason = Reason::kSpliceAcceleration;
      return finding;
    }
    note_change(configuration, twist, now, changes);
    pose = next;
    twist = now;
    if (command > 1 && from >= row_after - kPhaseRounding) return {};
  }
}

}  // namespace

void pass_tick(const Configuration& configuration, ToolSpeedChanges& changes) {
  changes.pass(configuration.tick_seconds() * kTickAllowance);
}

void note_change(const Configuration& configuration, const ToolTwist& from, const ToolTwist& to,
                 ToolSpeedChanges& changes) {
  const ToolTwist by = change(from, to, 1);
  changes.note(0, length(by.linear), configuration.cartesian.acceleration_max);
  changes.note(1, length(by.angular), configuration.cartesian.rotation_acceleration_max);
}

Finding check_tool_splice(const Configuration& configuration, const Chunk& poses, double phase,
                          const ToolAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double advance = tick / poses.dt;
  const double end = static_cast<double>(poses.first_row) + static_cast<double>(poses.horizon - 1);
  const double first_phase = std::min(phase + advance, end);
  const Columns columns = pose_columns();
  const ToolPose first = pose_from(interpolate(poses, columns, first_phase, {}));
  const auto row = static_cast<std::size_t>(first_phase - static_cast<double>(poses.first_row));
  const ToolTwist to_first = twist_between(anchor.pose, first, tick);
  Finding finding = check_twist_limits(configuration, to_first, kTickAllowance);
  if (!finding.ok()) {
    finding.reason =
        finding.reason == Reason::kToolSpeed ? Reason::kSplicePosition : Reason::kSpliceRotation;
    return in_row(finding, row);
  }
  finding = check_splice_changes(configuration, poses, phase, anchor);
  if (!finding.ok()) return in_row(finding, row);
  finding = check_splice_jerk(configuration, poses, phase, first_phase, anchor);
  if (!finding.ok()) return in_row(finding, row);
  finding = check_tool_tracking(configuration, first, anchor.measured);
  if (!finding.ok()) finding.reason = Reason::kSpliceMeasured;
  return in_row(finding, row);
}

Finding check_tool_step(const Configuration& configuration, const ToolPose& from,
                        const ToolTwist& before, const ToolPose& to, double dt,
                        const ToolSpeedChanges& changes) {
  const ToolTwist twist = twist_between(from, to, configuration.tick_seconds());
  Finding finding = check_tool_point(configuration, to.position);
  if (finding.ok()) finding = check_twist_limits(configuration, twist, kTickAllowance);
  if (finding.ok()) finding = check_change(configuration, changes, before, twist, dt);
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
