// The robot of the fault matrix: what it takes, and how it obeys.
#pragma once

#include <string>

#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

namespace openral::safety::duo {

inline constexpr ControlMode kPlayedModes[] = {
    ControlMode::kJointPosition, ControlMode::kJointVelocity,  ControlMode::kJointTorque,
    ControlMode::kCartesianPose, ControlMode::kCartesianDelta, ControlMode::kCartesianTwist,
    ControlMode::kBodyTwist,     ControlMode::kGripperPosition};

inline bool drives(ControlMode mode) { return form_of(mode) == Form::kBase; }
inline bool pushes(ControlMode mode) { return form_of(mode) == Form::kTorque; }
inline bool leads_the_tool(ControlMode mode) { return form_of(mode) == Form::kTool; }

// A robot that takes every mode has none that it could refuse as not enabled: the one on which
// `mode` is played lacks this one.
inline ControlMode mode_left_out(ControlMode mode) {
  return pushes(mode) ? ControlMode::kCartesianTwist : ControlMode::kJointTorque;
}

// The small robot in space and on a base, with a distance to people. The jerk limits admit a speed
// that begins or ends to change, and none that turns round at once. The shoulder's torque may
// change by 10 N m a row, 2.5 N m a tick.
inline RawConfiguration raw_of_fault_robot(ControlMode mode) {
  RawConfiguration raw = raw_in_every_mode();
  const RawConfiguration base = raw_with_base();
  raw.numbers.insert(base.numbers.begin(), base.numbers.end());
  raw.lists["robot.modes"].clear();
  for (const ControlMode taken : kPlayedModes) {
    if (taken == mode_left_out(mode)) continue;
    raw.lists["robot.modes"].emplace_back(mode_name(taken));
  }
  raw.lists["skills.allowed"] = {"reach"};
  raw.numbers["robot.limits.shoulder.jerk_max"] = 600;
  raw.numbers["robot.limits.finger.jerk_max"] = 120;
  raw.numbers["robot.torque.shoulder.rate_max"] = 500;
  raw.numbers["robot.torque.power_max_W"] = 4.6;
  keep_from_people(raw);
  raw.numbers["separation.age_max_s"] = 0.095;
  return raw;
}

// Every cell has a kernel of its own; what it is configured with is read twice in all.
inline const Configuration& fault_robot(ControlMode mode) {
  static const Configuration pushed = configuration(raw_of_fault_robot(ControlMode::kJointTorque));
  static const Configuration other = configuration(raw_of_fault_robot(ControlMode::kJointPosition));
  return pushes(mode) ? pushed : other;
}

// At once where it is commanded, by its own inverse kinematics where that is a pose. Under torques
// an arm of unit inertia in oil: 8 N m hold the 0.4 rad/s against 20 N m s/rad, after 0.05 s.
inline void obey(const Command& command, JointState& state) {
  constexpr double kTickSeconds = 0.005;
  if (command.mode == ControlMode::kBodyTwist) return;
  if (command.mode != ControlMode::kJointTorque) {
    obey_poses(command, state);
    return;
  }
  for (std::size_t j = 0; j < 2; ++j) {
    state.velocity[j] += (command.position[j] - 20 * state.velocity[j]) * kTickSeconds;
    state.position[j] += state.velocity[j] * kTickSeconds;
  }
}

}  // namespace openral::safety::duo
