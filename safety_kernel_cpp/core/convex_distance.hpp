// The distance between two solids, never more than there is.
#pragma once

#include "solid.hpp"

namespace openral::safety {

// A lower bound [m] of the distance between `a` and `b`, at most kRoundingGuard below it where they
// are apart. Of solids that overlap: at most 0.
//
// Every bound is a certificate: for any unit vector n, two cores are at least
//   min over A of n.x - max over B of n.y
// apart, and both terms are exact for segments and boxes. The closest points only propose n, so an
// error in them can make the answer smaller, never larger.
//
// Two boxes: where they are apart, a closest pair of points can be moved until one of the two lies
// on an edge (a pair inside two faces lies on parallel faces, and slides); where they meet, an edge
// of one meets the other. So their distance is the least of the distances of each one's twelve
// edges to the other.
[[nodiscard]] double separation_bound(const Solid& a, const Solid& b);

// A cheaper lower bound, from the spheres about both centres.
[[nodiscard]] double sphere_bound(const Solid& a, const Solid& b);

// [m] Positions below 1000 m carry less than 1e-12 m of rounding.
inline constexpr double kRoundingGuard = 1e-9;

}  // namespace openral::safety
