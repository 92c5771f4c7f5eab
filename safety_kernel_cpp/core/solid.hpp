// Capsules and boxes: what the collision check takes robot, load and world for.
#pragma once

#include "capacity.hpp"
#include "kinematic_chain.hpp"

namespace openral::safety {

// What is thinner is a mistake, and half of the least number above zero would be none.
constexpr double kThinnest = 0.001;  // [m]

// A capsule is the set of points within `radius` of a segment; a box has no radius. Both are a core
// (segment or box) that is grown by the radius.
struct Solid {
  bool box = false;
  Vector3 centre{};     // [m]
  Vector3 axis{};       // [m] capsule: from the centre to one end of the segment
  Rotation rotation{};  // box: its axes are the columns
  Vector3 half{};       // [m] box: half its edges
  double radius = 0;    // [m] capsule
};

[[nodiscard]] Solid capsule(const Vector3& from, const Vector3& to, double radius);
[[nodiscard]] Solid box(const Vector3& centre, const Rotation& rotation, const Vector3& size);

// The same solid, given in a frame that stands at `at` turned by `rotation`.
[[nodiscard]] Solid placed(const Solid& solid, const Rotation& rotation, const Vector3& at);

// Largest distance [m] of a point of the core from the origin.
[[nodiscard]] double core_reach(const Solid& solid);
// Largest distance [m] of a point of the core from the line through the origin along `unit_axis`.
[[nodiscard]] double core_reach(const Solid& solid, const Vector3& unit_axis);
// Largest distance [m] of a point of the core from its centre.
[[nodiscard]] double core_size(const Solid& solid);

}  // namespace openral::safety
