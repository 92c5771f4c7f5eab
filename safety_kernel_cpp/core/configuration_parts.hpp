// The parts that configure() reads, one after the other.
#pragma once

#include <optional>
#include <string>

#include "configuration.hpp"

namespace openral::safety {

// How long a stop may take, and the field that says so.
struct StopBound {
  std::string field;
  double time = 0;  // [s]
};
// Of the arm: its joints and its tool.
[[nodiscard]] StopBound longest_stop(const Configuration& configuration);
// That a stop from full speed takes no longer; else `field`, its acceleration, is refused.
[[nodiscard]] std::optional<ConfigurationError> check_stop(const std::string& field,
                                                           double speed_max,
                                                           double acceleration_max,
                                                           const StopBound& bound);
// That the longest stop turns no joint of the arm by more than a radian. After the arm.
[[nodiscard]] std::optional<ConfigurationError> check_stop_turns(
    const Configuration& configuration);

// Each needs what stands above it in `out`, and answers the first error found, or nothing.
[[nodiscard]] std::optional<ConfigurationError> read_joints(const RawConfiguration& raw,
                                                            Configuration& out);
[[nodiscard]] std::optional<ConfigurationError> read_modes(const RawConfiguration& raw,
                                                           Configuration& out);
// A robot has a base if its file says how it may move; without that, body_twist is no mode of it.
[[nodiscard]] std::optional<ConfigurationError> read_base(const RawConfiguration& raw,
                                                          Configuration& out);
// Where there are gripper joints.
[[nodiscard]] std::optional<ConfigurationError> read_gripper(const RawConfiguration& raw,
                                                             Configuration& out);
// Where a Cartesian mode is one of the robot's: after the arm, whose chain it needs.
[[nodiscard]] std::optional<ConfigurationError> read_cartesian(const RawConfiguration& raw,
                                                               Configuration& out);
// Where joint_torque is one of the robot's modes: after the gripper and the arm.
[[nodiscard]] std::optional<ConfigurationError> read_torque(const RawConfiguration& raw,
                                                            Configuration& out);
// The speed that it bounds is the tool's: after the arm.
[[nodiscard]] std::optional<ConfigurationError> read_separation(const RawConfiguration& raw,
                                                                Configuration& out);

}  // namespace openral::safety
