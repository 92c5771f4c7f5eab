#include "solid.hpp"

#include <algorithm>
#include <cmath>

#include "tool_pose.hpp"

namespace openral::safety {
namespace {

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The largest `measure` of the core's corners: of a convex function, that of the whole core.
template <typename Measure>
double most(const Solid& solid, const Measure& measure) {
  double most = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3 point = solid.centre;
    for (std::size_t i = 0; i < 3; ++i) {
      const double side = (corner >> i & 1) != 0 ? 1 : -1;
      if (!solid.box) {
        point[i] += ((corner & 1) != 0 ? 1 : -1) * solid.axis[i];
        continue;
      }
      for (std::size_t r = 0; r < 3; ++r) point[r] += side * solid.half[i] * solid.rotation[r][i];
    }
    most = std::max(most, measure(point));
  }
  return most;
}

}  // namespace

Solid capsule(const Vector3& from, const Vector3& to, double radius) {
  Solid solid;
  for (std::size_t i = 0; i < 3; ++i) {
    solid.centre[i] = (from[i] + to[i]) / 2;
    solid.axis[i] = (to[i] - from[i]) / 2;
  }
  solid.radius = radius;
  return solid;
}

Solid box(const Vector3& centre, const Rotation& rotation, const Vector3& size) {
  Solid solid;
  solid.box = true;
  solid.centre = centre;
  solid.rotation = rotation;
  for (std::size_t i = 0; i < 3; ++i) solid.half[i] = size[i] / 2;
  return solid;
}

Solid placed(const Solid& solid, const Rotation& rotation, const Vector3& at) {
  Solid out;
  out.box = solid.box;
  out.radius = solid.radius;
  out.half = solid.half;
  out.centre = rotated(rotation, solid.centre);
  for (std::size_t i = 0; i < 3; ++i) out.centre[i] += at[i];
  if (solid.box) {
    out.rotation = product(rotation, solid.rotation);
  } else {
    out.axis = rotated(rotation, solid.axis);
  }
  return out;
}

double core_reach(const Solid& solid) {
  return most(solid, [](const Vector3& point) { return length(point); });
}

double core_reach(const Solid& solid, const Vector3& unit_axis) {
  return most(solid, [&](const Vector3& point) { return length(cross(unit_axis, point)); });
}

double core_size(const Solid& solid) { return length(solid.box ? solid.half : solid.axis); }

}  // namespace openral::safety
