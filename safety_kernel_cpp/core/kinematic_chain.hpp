// Where the links of a serial arm are: forward kinematics.
//
//   const ChainPose pose = forward(chain, q);
//   pose.points[i]          // origin of the i-th moving joint's frame, then the tool point
//   pose.rotation           // of the last link, in the base frame
#pragma once

#include <array>

#include "capacity.hpp"
#include "fixed.hpp"

namespace openral::safety {

using Vector3 = std::array<double, 3>;                  // x, y, z
using Rotation = std::array<std::array<double, 3>, 3>;  // row-major, orthonormal

inline constexpr Rotation kUnturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// What is of another length than 1 is no direction or orientation; within this it is rounding.
inline constexpr double kUnitTolerance = 1e-3;

[[nodiscard]] Rotation product(const Rotation& a, const Rotation& b);
[[nodiscard]] Vector3 rotated(const Rotation& rotation, const Vector3& vector);
// Fixed-axis roll, pitch, yaw as in URDF: Rz(yaw) Ry(pitch) Rx(roll). [rad]
[[nodiscard]] Rotation from_rpy(const Vector3& rpy);
// Angle between two orientations, 0 to pi. [rad]
[[nodiscard]] double angle_between(const Rotation& a, const Rotation& b);

// A revolute joint after a fixed transform from the link before it, as in URDF.
//
// Its rotation R_origin (I + sin q K + (1 - cos q) K^2), K the cross-product matrix of the axis
// (Rodrigues), is kept as constant + sin q * sine + (1 - cos q) * versine.
struct ChainJoint {
  std::size_t joint = 0;  // index in the robot configuration
  Vector3 origin{};       // [m], in the frame before
  Rotation constant{};
  Rotation sine{};
  Rotation versine{};
};

[[nodiscard]] ChainJoint chain_joint(std::size_t joint, const Vector3& xyz, const Vector3& rpy,
                                     const Vector3& unit_axis);

struct Chain {
  FixedVector<ChainJoint, kMaxJoints> joints;  // from the base outwards
  Vector3 tool{};                              // [m], the tool point in the last link's frame
};

struct ChainPose {
  FixedVector<Vector3, kMaxJoints + 1> points;  // per chain joint, then the tool
  Rotation rotation{};

  [[nodiscard]] const Vector3& tool() const { return points[points.size() - 1]; }
};

// The joint's turn from the frame before it, at joint angle `q`. [rad]
[[nodiscard]] Rotation joint_rotation(const ChainJoint& joint, double q);

// `q`: one value per joint of the robot configuration.
[[nodiscard]] ChainPose forward(const Chain& chain, const JointArray& q);

}  // namespace openral::safety
