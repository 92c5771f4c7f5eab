#include "tool_pose.hpp"

#include <cmath>

namespace openral::safety {
namespace {

// Hamilton product: the turn b, then the turn a.
Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

double dot(const Quaternion& a, const Quaternion& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

}  // namespace

double length(const Vector3& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double norm(const Quaternion& quaternion) { return std::sqrt(dot(quaternion, quaternion)); }

Quaternion unit(const Quaternion& quaternion) {
  const double size = norm(quaternion);
  return {quaternion[0] / size, quaternion[1] / size, quaternion[2] / size, quaternion[3] / size};
}

Quaternion near(const Quaternion& reference, const Quaternion& quaternion) {
  if (dot(reference, quaternion) >= 0) return quaternion;
  return {-quaternion[0], -quaternion[1], -quaternion[2], -quaternion[3]};
}

// Shepperd (1978): the largest of the four components is found first, so that nothing is divided by
// a small one.
Quaternion quaternion_of(const Rotation& r) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  std::size_t largest = 3;
  double most = trace;
  for (std::size_t i = 0; i < 3; ++i) {
    if (r[i][i] > most) {
      largest = i;
      most = r[i][i];
    }
  }
  Quaternion q{};
  if (largest == 3) {
    q = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1 + trace};
    return unit(q);
  }
  const std::size_t i = largest;
  const std::size_t j = (i + 1) % 3;
  const std::size_t k = (i + 2) % 3;
  q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
  q[j] = r[j][i] + r[i][j];
  q[k] = r[k][i] + r[i][k];
  q[3] = r[k][j] - r[j][k];
  return unit(q);
}

Rotation rotation_of(const Quaternion& quaternion) {
  double square = 0;
  for (const double value : quaternion) square += value * value;
  const double scale = 2 / square;
  const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  return {{{1 - scale * (y * y + z * z), scale * (x * y - z * w), scale * (x * z + y * w)},
           {scale * (x * y + z * w), 1 - scale * (x * x + z * z), scale * (y * z - x * w)},
           {scale * (x * z - y * w), scale * (y * z + x * w), 1 - scale * (x * x + y * y)}}};
}

ToolPose tool_pose(const ChainPose& pose) { return {pose.tool(), quaternion_of(pose.rotation)}; }

Quaternion turned(const Quaternion& quaternion, const Vector3& by) {
  const double angle = length(by);
  // sin(angle / 2) / angle tends to a half.
  const double scale = angle > 1e-9 ? std::sin(angle / 2) / angle : 0.5;
  const Quaternion step = {by[0] * scale, by[1] * scale, by[2] * scale, std::cos(angle / 2)};
  return unit(product(step, quaternion));
}

Vector3 turn_between(const Quaternion& from, const Quaternion& to) {
  const Quaternion back = {-from[0], -from[1], -from[2], from[3]};
  const Quaternion step = near({0, 0, 0, 1}, product(to, back));
  const double sine = std::hypot(step[0], step[1], step[2]);
  // angle / sin(angle / 2) tends to two.
  const double scale = sine > 1e-9 ? 2 * std::atan2(sine, step[3]) / sine : 2;
  return {step[0] * scale, step[1] * scale, step[2] * scale};
}

ToolPose moved(const ToolPose& pose, const ToolTwist& twist, double time) {
  ToolPose out;
  Vector3 turn{};
  for (std::size_t i = 0; i < 3; ++i) {
    out.position[i] = pose.position[i] + twist.linear[i] * time;
    turn[i] = twist.angular[i] * time;
  }
  out.orientation = turned(pose.orientation, turn);
  return out;
}

ToolTwist twist_between(const ToolPose& from, const ToolPose& to, double time) {
  ToolTwist twist;
  const Vector3 turn = turn_between(from.orientation, to.orientation);
  for (std::size_t i = 0; i < 3; ++i) {
    twist.linear[i] = (to.position[i] - from.position[i]) / time;
    twist.angular[i] = turn[i] / time;
  }
  return twist;
}

}  // namespace openral::safety
