#include "solid.hpp"

#include <algorithm>
#include <array>

#include "tool_pose.hpp"

namespace openral::safety {
namespace {

// From the core's centre to three of its faces, or to an end of its segment.
std::array<Vector3, 3> halves_of(const Solid& solid) {
  std::array<Vector3, 3> halves{};
  if (!solid.box) {
    halves[0] = solid.axis;
    return halves;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t r = 0; r < 3; ++r) halves[i][r] = solid.half[i] * solid.rotation[r][i];
  }
  return halves;
}

// The largest `measure` of the core's corners: of a convex function, that of the whole core.
template <typename Measure>
double most(const Solid& solid, const Measure& measure) {
  const std::array<Vector3, 3> halves = halves_of(solid);
  double most = 0;
  for (const double p : {-1.0, 1.0}) {
    for (const double q : {-1.0, 1.0}) {
      for (const double s : {-1.0, 1.0}) {
        Vector3 corner{};
        for (std::size_t i = 0; i < 3; ++i) {
          corner[i] = solid.centre[i] + p * halves[0][i] + q * halves[1][i] + s * halves[2][i];
        }
        most = std::max(most, measure(corner));
      }
    }
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
