#include "kinematic_chain.hpp"

#include <cmath>

namespace openral::safety {

Rotation product(const Rotation& a, const Rotation& b) {
  Rotation out;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
    }
  }
  return out;
}

Vector3 rotated(const Rotation& rotation, const Vector3& vector) {
  Vector3 out;
  for (std::size_t r = 0; r < 3; ++r) {
    out[r] = rotation[r][0] * vector[0] + rotation[r][1] * vector[1] + rotation[r][2] * vector[2];
  }
  return out;
}

Rotation from_rpy(const Vector3& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]);
  const double cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
  const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  return {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
           {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
           {-sp, cp * sr, cp * cr}}};
}

double angle_between(const Rotation& a, const Rotation& b) {
  // With D = a^T b: trace D = 1 + 2 cos, and D - D^T holds 2 sin along the axis. Together they are
  // exact at small angles, where the arc cosine alone loses half the digits.
  const Rotation transposed = {
      {{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
  const Rotation d = product(transposed, b);
  const double x = d[2][1] - d[1][2];
  const double y = d[0][2] - d[2][0];
  const double z = d[1][0] - d[0][1];
  return std::atan2(std::sqrt(x * x + y * y + z * z), d[0][0] + d[1][1] + d[2][2] - 1);
}

ChainJoint chain_joint(std::size_t joint, const Vector3& xyz, const Vector3& rpy,
                       const Vector3& unit_axis) {
  const Rotation cross = {{{0, -unit_axis[2], unit_axis[1]},
                           {unit_axis[2], 0, -unit_axis[0]},
                           {-unit_axis[1], unit_axis[0], 0}}};
  ChainJoint out;
  out.joint = joint;
  out.origin = xyz;
  out.constant = from_rpy(rpy);
  out.sine = product(out.constant, cross);
  out.versine = product(out.sine, cross);
  return out;
}

Rotation joint_rotation(const ChainJoint& joint, double q) {
  const double sine = std::sin(q);
  const double versine = 1 - std::cos(q);
  Rotation out;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      out[r][c] = joint.constant[r][c] + sine * joint.sine[r][c] + versine * joint.versine[r][c];
    }
  }
  return out;
}

ChainPose forward(const Chain& chain, const JointArray& q) {
  ChainPose pose;
  pose.rotation = kUnturned;
  Vector3 at{};
  const auto go = [&](const Vector3& by) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& row = pose.rotation[i];
      at[i] += row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
    }
    (void)pose.points.push(at);
  };
  // In place: the product of two copies took longer than the sums in it.
  const auto turn = [&](const Rotation& by) {
    for (auto& row : pose.rotation) {
      const double x = row[0], y = row[1], z = row[2];
      for (std::size_t c = 0; c < 3; ++c) row[c] = x * by[0][c] + y * by[1][c] + z * by[2][c];
    }
  };
  for (const ChainJoint& joint : chain.joints) {
    go(joint.origin);
    turn(joint_rotation(joint, q[joint.joint]));
  }
  go(chain.tool);
  return pose;
}

}  // namespace openral::safety
