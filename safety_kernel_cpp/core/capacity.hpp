// Capacities, equal to the bounds of openral_msgs/ActionChunk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace openral::safety {

inline constexpr std::size_t kMaxJoints = 16;
inline constexpr std::size_t kMaxHorizon = 1024;
inline constexpr std::size_t kMaxValues = 16384;
inline constexpr std::size_t kMaxName = 64;
inline constexpr std::size_t kMaxSeparations = 32;  // distances to people that one tick takes
inline constexpr std::size_t kPoseWidth = 7;        // x y z, qx qy qz qw
inline constexpr std::size_t kTwistWidth = 6;       // linear, angular

// One value per joint of the robot configuration, in its order. [rad], [rad/s]; gripper joints [m],
// [m/s].
using JointArray = std::array<double, kMaxJoints>;

// Monotonic time and durations. [ns]
using Nanoseconds = std::int64_t;
inline constexpr double kSecond = 1e9;

}  // namespace openral::safety
