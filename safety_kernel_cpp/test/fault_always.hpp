// What holds in every cell of the fault matrix, whatever the fault: rows within their limits,
// nothing while nothing may move, an epoch that never falls, evidence that names a place or none.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fault_rig.hpp"
#include "tool_pose.hpp"

namespace openral::safety::duo {

inline constexpr double kTickTime = 0.005;  // [s]
inline constexpr double kRounding = 1e-9;

inline void check_twist_command(const Configuration& robot, const Command& command,
                                const Command* before) {
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    const BaseAxis& axis = robot.base.axes[i];
    ASSERT_LE(std::abs(command.position[i]), axis.speed_max + kRounding);
    if (before == nullptr || before->mode != command.mode) continue;
    ASSERT_LE(std::abs(command.position[i] - before->position[i]),
              axis.acceleration_max * kTickTime + kRounding);
  }
}

// The torque before the first one is none.
inline void check_torque_command(const Configuration& robot, const Command& command,
                                 const Command* before) {
  const bool follows = before != nullptr && before->mode == command.mode;
  for (std::size_t j = 0; j < 3; ++j) {
    const JointTorqueLimits& limits = robot.torque.joints[j];
    ASSERT_LE(std::abs(command.position[j]), limits.effort_max);
    const double change = command.position[j] - (follows ? before->position[j] : 0);
    ASSERT_LE(std::abs(change), limits.rate_max * kTickTime + kRounding);
  }
}

inline ToolPose pose_of(const Command& command) {
  ToolPose pose;
  std::copy_n(command.position.begin(), 3, pose.position.begin());
  std::copy_n(command.position.begin() + 3, 4, pose.orientation.begin());
  return pose;
}

inline ToolTwist twist_of(const Command& command) {
  ToolTwist twist;
  std::copy_n(command.velocity.begin(), 3, twist.linear.begin());
  std::copy_n(command.velocity.begin() + 3, 3, twist.angular.begin());
  return twist;
}

inline Vector3 difference(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// A tick may have 1 % more than a row: within one segment its speed varies about the mean. Speed
// may change by what a row of 0.02 s allows, in a stop by what a tick does. A stop goes on from the
// last pose, whatever the epoch.
inline void check_pose_command(const Configuration& robot, const Command& command,
                               const Command* before) {
  constexpr double kAllowance = 1.0101;
  const ToolPose pose = pose_of(command);
  const ToolTwist twist = twist_of(command);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_GE(pose.position[i], robot.arm.workspace_min[i]);
    ASSERT_LE(pose.position[i], robot.arm.workspace_max[i]);
  }
  ASSERT_NEAR(1, norm(pose.orientation), kRounding);
  ASSERT_LE(length(twist.linear), robot.arm.tool_speed_max * kAllowance);
  ASSERT_LE(length(twist.angular), robot.arm.rotation_speed_max * kAllowance);
  if (before == nullptr || before->mode != command.mode) return;
  const ToolTwist step = twist_between(pose_of(*before), pose, kTickTime);
  ASSERT_LE(length(difference(step.linear, twist.linear)), 1e-6);
  ASSERT_LE(length(difference(step.angular, twist.angular)), 1e-6);
  const ToolTwist last = twist_of(*before);
  const double time = command.braking ? kTickTime : kDt;
  ASSERT_LE(length(difference(twist.linear, last.linear)),
            robot.cartesian.acceleration_max * time * kAllowance);
  ASSERT_LE(length(difference(twist.angular, last.angular)),
            robot.cartesian.rotation_acceleration_max * time * kAllowance);
}

// A stop that takes joints over that were not commanded goes on from where they are by now and as
// fast as they are measured to be: no step back, no jump of speed. The gripper keeps its grip.
inline void check_take_over(const Configuration& robot, const Seen& seen) {
  const double age = static_cast<double>(seen.now - seen.measured.received) / kSecond;
  for (std::size_t j = 0; j < 2; ++j) {
    const JointLimits& limits = robot.limits[j];
    const double measured = seen.measured.velocity[j];
    const double now = seen.measured.position[j] + measured * age;
    const double ahead =
        seen.command.position[j] - std::clamp(now, limits.position_min, limits.position_max);
    ASSERT_LE(std::abs(seen.command.velocity[j] - measured),
              limits.acceleration_max * kTickTime + kRounding);
    ASSERT_NEAR(seen.command.velocity[j] * kTickTime, ahead, kRounding);
  }
}

// Where the joints were not commanded, a stop begins as fast as they are measured to be; from there
// on it only slows down.
inline void check_joint_command(const Configuration& robot, const Seen& seen, const Command* before,
                                bool joints_only) {
  const Command& command = seen.command;
  const bool follows =
      before != nullptr && before->mode == command.mode && before->epoch == command.epoch;
  const bool slows = follows && command.braking && before->braking;
  if (before != nullptr && before->mode != command.mode && command.braking) {
    check_take_over(robot, seen);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const JointLimits& limits = robot.limits[j];
    const double value = command.position[j];
    const double speed = std::abs(command.velocity[j]);
    double fastest = limits.velocity_max;
    if (slows) fastest = std::max(fastest, std::abs(before->velocity[j]));
    if (!follows && command.braking && !joints_only) {
      fastest = std::max(fastest, std::abs(seen.measured.velocity[j]));
    }
    ASSERT_GE(value, limits.position_min);
    ASSERT_LE(value, limits.position_max);
    ASSERT_LE(speed, fastest + kRounding);
    if (!follows) continue;
    ASSERT_LE(std::abs(value - before->position[j]), fastest * kTickTime + kRounding);
    if (!slows) continue;
    ASSERT_LE(std::abs(command.velocity[j] - before->velocity[j]),
              limits.acceleration_max * kTickTime + kRounding);
  }
}

inline void check_command(const FaultRig& rig, const Seen& seen, const Command* before) {
  const Configuration& robot = rig.configuration();
  switch (form_of(seen.command.mode)) {
    case Form::kBase:
      return check_twist_command(robot, seen.command, before);
    case Form::kTorque:
      return check_torque_command(robot, seen.command, before);
    case Form::kTool:
      return check_pose_command(robot, seen.command, before);
    case Form::kJoints: {
      const bool joints_only = !leads_the_tool(rig.mode()) && !pushes(rig.mode());
      return check_joint_command(robot, seen, before, joints_only);
    }
  }
}

inline void check_always(const FaultRig& rig) {
  State state = rig.state_before;
  std::uint64_t epoch = rig.epoch_before;
  const Command* before = rig.command_before ? &*rig.command_before : nullptr;
  for (const Seen& seen : rig.seen) {
    ASSERT_GE(seen.epoch, epoch);
    ASSERT_LE(seen.epoch, epoch + 3);
    if (seen.emit && state != State::kHolding && state != State::kActive) {
      ASSERT_TRUE(state == State::kBraking || seen.arm.success);
    }
    if (state == State::kLatched && !seen.reset.success) {
      ASSERT_EQ(State::kLatched, seen.state);
      ASSERT_FALSE(seen.emit);
    }
    for (const Report& report : seen.reports) {
      ASSERT_GE(report.finding.row, -1);
      ASSERT_GE(report.finding.joint, -1);
      ASSERT_LT(report.finding.joint, 3);
      ASSERT_LE(report.epoch, seen.epoch);
    }
    state = seen.state;
    epoch = seen.epoch;
    if (!seen.emit) continue;
    ASSERT_LE(seen.command.epoch, seen.epoch);
    check_command(rig, seen, before);
    if (testing::Test::HasFatalFailure()) return;
    before = &seen.command;
  }
}

}  // namespace openral::safety::duo
