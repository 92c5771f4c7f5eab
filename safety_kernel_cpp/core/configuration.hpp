// The limits and times in force: read once at start, then constant.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capacity.hpp"
#include "collision_bodies.hpp"
#include "control_mode.hpp"
#include "fixed.hpp"
#include "kinematic_chain.hpp"
#include "separation.hpp"

namespace openral::safety {

// Limits of one joint. [rad], [s]; gripper joints [m], [s].
struct JointLimits {
  double position_min = 0;
  double position_max = 0;
  double velocity_max = 0;
  double acceleration_max = 0;
  double jerk_max = 0;
  double step_max = 0;            // between two rows of a chunk
  double tracking_error_max = 0;  // between command and measurement
};

// Times of the kernel. [ns]
struct Times {
  Nanoseconds tick = 0;
  Nanoseconds lease = 0;
  Nanoseconds late_tolerance = 0;          // a wake-up later than this is a late tick
  Nanoseconds chunk_age_max = 0;           // since a chunk was received
  Nanoseconds observation_age_max = 0;     // since the observation behind a chunk was received
  Nanoseconds observation_future_max = 0;  // an observation stamp ahead of the robot's own stamps
  Nanoseconds joint_state_age_max = 0;
  Nanoseconds estop_heartbeat = 0;  // silence that counts as asserted
  Nanoseconds estop_cooldown = 0;   // between the last assertion and a reset
};

// Limits of the arm in space, in the frame of its base. Without them (`limited` false) only joints
// are bounded.
struct ArmLimits {
  bool limited = false;
  Chain chain;
  Vector3 workspace_min{};        // [m] corners of the box that holds every link point
  Vector3 workspace_max{};        // [m]
  double tool_speed_max = 0;      // [m/s] of the tool point
  double rotation_speed_max = 0;  // [rad/s] of the last link
};

// One axis of a mobile base: forward, to the left [m/s], about z [rad/s].
struct BaseAxis {
  double speed_max = 0;         // 0 = the base does not have this axis
  double acceleration_max = 0;  // and deceleration
};
inline constexpr std::size_t kBaseAxes = 3;

// Limits of a mobile base; read only where body_twist is enabled.
struct BaseLimits {
  std::array<BaseAxis, kBaseAxes> axes{};
  double stopping_distance_max = 0;  // [m]
  double stopping_time_max = 0;      // [s] from full speed of any axis
  double radius = 0;                 // [m] of its farthest point from the axis that it turns about
  double command_period = 0;         // [s] in which a twist of cmd_vel is reached
};

// Limits of a tool that is commanded in space, beside those of ArmLimits; read only where a
// Cartesian mode is one of the robot's.
struct CartesianLimits {
  double acceleration_max = 0;           // [m/s^2] of the tool point, and its braking
  double jerk_max = 0;                   // [m/s^3]
  double rotation_acceleration_max = 0;  // [rad/s^2] and braking
  double rotation_jerk_max = 0;          // [rad/s^3]
  double tracking_error_max = 0;         // [m] between command and measurement
  double rotation_error_max = 0;         // [rad]
};

// Limits of joint torques; read only where joint_torque is one of the robot's modes.
struct JointTorqueLimits {
  double effort_max = 0;  // [N m], gripper joints [N]
  double rate_max = 0;    // [N m/s], gripper joints [N/s]
};
struct TorqueLimits {
  std::array<JointTorqueLimits, kMaxJoints> joints{};
  double power_max = 0;  // [W] of all joints together
};

// Limits of each gripper joint; read only where there is one.
struct GripperLimits {
  double force_max = 0;       // [N]
  double power_max = 0;       // [W]
  std::size_t ticks_max = 0;  // consecutive, of a measurement above a cap, then stop
};

struct Configuration {
  FixedString<kMaxName> robot;
  std::size_t joint_count = 0;
  std::array<FixedString<kMaxName>, kMaxJoints> joints;
  std::array<JointLimits, kMaxJoints> limits{};
  std::size_t gripper_count = 0;
  std::array<std::size_t, kMaxJoints> gripper_joints{};  // indices into `joints`
  GripperLimits gripper;
  ArmLimits arm;
  CartesianLimits cartesian;
  TorqueLimits torque;
  BaseLimits base;
  SeparationLimits separation;
  CollisionLimits collision;
  std::array<bool, 9> mode_enabled{};             // by mode byte
  FixedVector<FixedString<kMaxName>, 32> skills;  // allowed skill_ids; empty = any
  Times times;
  double dt_min = 0;            // [s] between rows
  double dt_max = 0;            // [s]
  std::size_t horizon_max = 0;  // rows
  double brake_delay = 0;       // [s] T_delay of the viability check
  double brake_time_max = 0;    // [s] of a stop from full speed of any joint, or of the tool
  // One number each for joints that turn and for joints and points that travel.
  double rest_velocity = 0;            // [rad/s], [m/s]: below it a joint is at rest
  double state_position_margin = 0;    // [rad], [m]: a measurement may exceed a limit by this much
  double state_velocity_factor = 1;    // a measured velocity may be this many times the limit
  std::size_t late_ticks_max = 0;      // consecutive, then latch
  std::size_t tracking_ticks_max = 0;  // consecutive, then stop
  std::size_t frozen_ticks_max = 0;    // repeated observation stamp, then stop
  double recovery_speed_factor = 1;    // of every speed limit, on the way back inside
  bool hash_required = false;          // refuse chunks that name no configuration
  bool estop_required = false;         // refuse to arm before any source has spoken
  std::uint64_t hash = 0;              // of everything above, see configuration_hash.hpp

  [[nodiscard]] bool takes(ControlMode mode) const {
    return mode_enabled[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] double tick_seconds() const { return static_cast<double>(times.tick) / kSecond; }
};

// What was read from the parameter files: fields by dotted name, before any check.
struct RawConfiguration {
  std::map<std::string, double> numbers;
  std::map<std::string, bool> flags;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<std::string>> lists;
  std::map<std::string, std::vector<double>> vectors;
};

// A field that makes the configuration unusable. The kernel refuses to start on it.
struct ConfigurationError {
  std::string field;
  std::string value;
  std::string valid;

  [[nodiscard]] std::string text() const { return field + " = " + value + ", valid: " + valid; }
};

// A number that the configuration needs; the shell declares one parameter per entry.
struct NumberField {
  const char* name;
  const char* unit;
  double low;
  double high;
  const char* description;
};
[[nodiscard]] const std::vector<NumberField>& number_fields();
[[nodiscard]] const std::vector<NumberField>&
joint_fields();  // names relative to robot.limits.<joint>.
[[nodiscard]] const std::vector<NumberField>& base_fields();       // names relative to robot.base.
[[nodiscard]] const std::vector<NumberField>& gripper_fields();    // relative to robot.gripper.
[[nodiscard]] const std::vector<NumberField>& cartesian_fields();  // relative to robot.cartesian.
[[nodiscard]] const std::vector<NumberField>& torque_fields();     // relative to robot.torque.
[[nodiscard]] const std::vector<NumberField>&
joint_torque_fields();  // relative to robot.torque.<joint>.
[[nodiscard]] const std::vector<NumberField>& separation_fields();  // relative to separation.

// Checks every field and fills `out`. Answers the first error found, or nothing.
// Runs once before the loop, so it may allocate.
[[nodiscard]] std::optional<ConfigurationError> configure(const RawConfiguration& raw,
                                                          Configuration& out);

}  // namespace openral::safety
