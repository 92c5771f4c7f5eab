// Where a tool is and how it is turned, and the small algebra of turning.
#pragma once

#include <array>

#include "kinematic_chain.hpp"

namespace openral::safety {

using Quaternion = std::array<double, 4>;  // x, y, z, w; unit; q and -q are the same turn

struct ToolPose {
  Vector3 position{};  // [m]
  Quaternion orientation = {0, 0, 0, 1};
};

// Or a change of pose: [m], rotation vector [rad].
struct ToolTwist {
  Vector3 linear{};   // [m/s]
  Vector3 angular{};  // [rad/s]
};

[[nodiscard]] double length(const Vector3& vector);
[[nodiscard]] Vector3 cross(const Vector3& a, const Vector3& b);
[[nodiscard]] double norm(const Quaternion& quaternion);
[[nodiscard]] Quaternion unit(const Quaternion& quaternion);
// Of the two quaternions of one turn, the one that is nearer to `reference`.
[[nodiscard]] Quaternion near(const Quaternion& reference, const Quaternion& quaternion);
[[nodiscard]] Quaternion quaternion_of(const Rotation& rotation);
[[nodiscard]] Rotation rotation_of(const Quaternion& quaternion);
[[nodiscard]] ToolPose tool_pose(const ChainPose& pose);

// `quaternion` turned further by a rotation vector of the base frame.
[[nodiscard]] Quaternion turned(const Quaternion& quaternion, const Vector3& by);
// The rotation vector of the base frame that leads from one to the other, of at most pi.
[[nodiscard]] Vector3 turn_between(const Quaternion& from, const Quaternion& to);

// `pose` moved by `twist` for `time`; with time 1, by a change of pose.
[[nodiscard]] ToolPose moved(const ToolPose& pose, const ToolTwist& twist, double time);
// The even motion that leads from one pose to the other in `time`.
[[nodiscard]] ToolTwist twist_between(const ToolPose& from, const ToolPose& to, double time);

}  // namespace openral::safety
