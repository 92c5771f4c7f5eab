// Behaviour 18, collision: distances worked by hand, and a reference that samples points.
#include "convex_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace openral::safety {
namespace {

constexpr Rotation kStraight = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr double kEighth = M_PI / 4;

Solid cube(const Vector3& centre, const Rotation& rotation = kStraight) {
  return box(centre, rotation, {2, 2, 2});
}

// In either order, never above, and no further below than rounding.
void expect_distance(double expected, const Solid& a, const Solid& b) {
  for (const double value : {separation_bound(a, b), separation_bound(b, a)}) {
    EXPECT_LE(value, expected);
    EXPECT_GE(value, expected - 2 * kRoundingGuard);
  }
  EXPECT_LE(sphere_bound(a, b), separation_bound(a, b) + 1e-12);
}

void expect_overlap(const Solid& a, const Solid& b) {
  EXPECT_LT(separation_bound(a, b), 0);
  EXPECT_LT(separation_bound(b, a), 0);
  EXPECT_LT(sphere_bound(a, b), 0);
}

TEST(ConvexDistance, ParallelCapsules) {
  expect_distance(0.7, capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({-1, 1, 0}, {1, 1, 0}, 0.2));
  // Shifted along each other, the segments still face each other; shifted further, they do not.
  expect_distance(0.7, capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({0.5, 1, 0}, {2, 1, 0}, 0.2));
  expect_distance(4.7, capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({4, 4, 0}, {9, 4, 0}, 0.2));
}

// Half a micrometre nearer at one end than in the middle, where the search stays.
TEST(ConvexDistance, NearlyParallelCapsulesAreNotTakenForFurtherApart) {
  const Solid straight = capsule({-1, 0, 0}, {1, 0, 0}, 0.01);
  const Solid leaning = capsule({-1, 0.1 - 5e-7, 0}, {1, 0.1 + 5e-7, 0}, 0.01);
  for (const double value :
       {separation_bound(straight, leaning), separation_bound(leaning, straight)}) {
    EXPECT_LE(value, 0.08 - 5e-7);
    EXPECT_GE(value, 0.08 - 2e-6);
  }
}

TEST(ConvexDistance, CrossingCapsules) {
  expect_distance(0.35, capsule({-1, 0, 0}, {1, 0, 0}, 0.1),
                  capsule({0, -1, 0.5}, {0, 1, 0.5}, 0.05));
}

// One of 0.2 mm, at an eighth of a turn, that a longer one passes half a metre above its quarter.
TEST(ConvexDistance, ACapsuleThatIsNearlyAPoint) {
  expect_distance(0.45, capsule({-1e-4, -1e-4, 0}, {1e-4, 1e-4, 0}, 0.03),
                  capsule({-1, 5e-5, 0.5}, {1, 5e-5, 0.5}, 0.02));
}

TEST(ConvexDistance, CapsulesEndToEnd) {
  expect_distance(1.8, capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({3, 0, 0}, {4, 0, 0}, 0.1));
  // (1, 0, 0) to (4, 4, 0): 3, 4, 5.
  expect_distance(4.8, capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({4, 4, 0}, {4, 9, 0}, 0.1));
}

TEST(ConvexDistance, CapsuleEndToSide) {
  expect_distance(0.5, capsule({-1, 0, 0}, {1, 0, 0}, 0.25),
                  capsule({0.3, 1, 0}, {0.3, 5, 0}, 0.25));
}

TEST(ConvexDistance, SpheresAreCapsulesWithoutLength) {
  expect_distance(4, capsule({0, 0, 0}, {0, 0, 0}, 0.5), capsule({3, 4, 0}, {3, 4, 0}, 0.5));
  expect_distance(1.5, capsule({0, 0, 0}, {0, 0, 0}, 0.25), capsule({-5, 2, 0}, {5, 2, 0}, 0.25));
}

TEST(ConvexDistance, CapsulesThatCross) {
  expect_overlap(capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({0, -1, 0}, {0, 1, 0}, 0.1));
  expect_overlap(capsule({-1, 0, 0}, {1, 0, 0}, 0.1), capsule({0, -1, 0.15}, {0, 1, 0.15}, 0.1));
  expect_overlap(capsule({0, 0, 0}, {0, 0, 0}, 0.1), capsule({0, 0, 0}, {0, 0, 0}, 0.1));
}

TEST(ConvexDistance, CapsuleAboveAFace) {
  expect_distance(0.75, capsule({-0.5, 0, 2}, {0.5, 0, 2}, 0.25), cube({0, 0, 0}));
  // Longer than the face, inclined: its lower end is the nearest.
  expect_distance(0.4, capsule({0.5, 0, 1.5}, {7, 0, 9}, 0.1), cube({0, 0, 0}));
}

TEST(ConvexDistance, CapsuleAlongAnEdge) {
  // From the edge (1, y, 1) to (2, y, 2).
  expect_distance(std::sqrt(2.0) - 0.1, capsule({2, -3, 2}, {2, 3, 2}, 0.1), cube({0, 0, 0}));
}

TEST(ConvexDistance, CapsuleAcrossAnEdge) {
  // The line x + z = 3 passes the edge x = z = 1 at 1 / sqrt 2.
  expect_distance(std::sqrt(0.5) - 0.1, capsule({0, 0, 3}, {3, 0, 0}, 0.1), cube({0, 0, 0}));
}

TEST(ConvexDistance, CapsuleBeforeACorner) {
  expect_distance(std::sqrt(3.0) - 0.2, capsule({2, 2, 2}, {5, 5, 5}, 0.2), cube({0, 0, 0}));
}

TEST(ConvexDistance, CapsuleBeforeATurnedBox) {
  // Turned by an eighth about z, the cube has an edge at x = sqrt 2.
  const Solid turned = cube({0, 0, 0}, from_rpy({0, 0, kEighth}));
  expect_distance(3 - std::sqrt(2.0) - 0.1, capsule({3, 0, -1}, {3, 0, 1}, 0.1), turned);
}

TEST(ConvexDistance, CapsuleInABox) {
  expect_overlap(capsule({-5, 0, 0}, {5, 0, 0}, 0.1), cube({0, 0, 0}));
  expect_overlap(capsule({0, 0, 0}, {0.1, 0, 0}, 0.1), cube({0, 0, 0}));
  expect_overlap(capsule({1.05, 0, -5}, {1.05, 0, 5}, 0.1), cube({0, 0, 0}));
}

TEST(ConvexDistance, BoxesFaceToFace) {
  expect_distance(0.5, cube({0, 0, 0}), cube({0.3, -0.2, 2.5}));
  expect_distance(2, cube({0, 0, 0}), box({0, 0, 4}, kStraight, {20, 20, 2}));
}

TEST(ConvexDistance, BoxesEdgeToEdge) {
  // Edges along x at z = sqrt 2 and along y at z = 4 - sqrt 2.
  expect_distance(4 - 2 * std::sqrt(2.0), cube({0, 0, 0}, from_rpy({kEighth, 0, 0})),
                  cube({0, 0, 4}, from_rpy({0, kEighth, 0})));
}

TEST(ConvexDistance, BoxesCornerToCorner) {
  expect_distance(2 * std::sqrt(3.0), cube({0, 0, 0}), cube({4, 4, 4}));
}

TEST(ConvexDistance, BoxCornerToFace) {
  // Turned so that (1, 1, 1) comes to point along -x: by an eighth about z to (0, sqrt 2, 1), then
  // about x and z.
  const Rotation eighth = from_rpy({0, 0, kEighth});
  const Rotation up = from_rpy({std::atan2(std::sqrt(2.0), 1), 0, 0});
  const Solid turned = cube({0, 0, -5}, product(up, eighth));
  // (0, sqrt 2, 1) has come to (0, 0, sqrt 3), below the face z = -1.
  expect_distance(4 - std::sqrt(3.0), turned, cube({0.2, 0.1, 0}));
}

TEST(ConvexDistance, BoxesThatOverlap) {
  expect_overlap(cube({0, 0, 0}), cube({1.9, 0, 0}));
  expect_overlap(cube({0, 0, 0}), box({0, 0, 0}, kStraight, {0.1, 0.1, 0.1}));
  // A plus: no corner of one lies in the other.
  expect_overlap(box({0, 0, 0}, kStraight, {6, 1, 1}), box({0, 0, 0}, kStraight, {1, 6, 1}));
}

TEST(ConvexDistance, WhatIsNoNumberIsNotApart) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Solid broken = capsule({nan, 0, 5}, {1, 0, 5}, 0.1);
  EXPECT_FALSE(separation_bound(broken, cube({0, 0, 0})) >= 0.01);
  EXPECT_FALSE(separation_bound(broken, capsule({-1, 0, 0}, {1, 0, 0}, 0.1)) >= 0.01);
}

// ---- an independent reference: points of one core, and the distance of a point from the other

double outside(double x, double half) { return std::max(std::abs(x) - half, 0.0); }

double from_core(const Vector3& point, const Solid& solid) {
  Vector3 d = {point[0] - solid.centre[0], point[1] - solid.centre[1], point[2] - solid.centre[2]};
  if (solid.box) {
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x =
          d[0] * solid.rotation[0][i] + d[1] * solid.rotation[1][i] + d[2] * solid.rotation[2][i];
      square += std::pow(outside(x, solid.half[i]), 2);
    }
    return std::sqrt(square);
  }
  double least = std::numeric_limits<double>::infinity();
  for (int i = -100; i <= 100; ++i) {
    least = std::min(least,
                     std::hypot(d[0] - i / 100.0 * solid.axis[0], d[1] - i / 100.0 * solid.axis[1],
                                d[2] - i / 100.0 * solid.axis[2]));
  }
  return least;
}

// Of `a`'s points, on a lattice with 12 steps a direction; above the distance by a step's diagonal
// at most.
double sampled(const Solid& a, const Solid& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = -6; i <= 6; ++i) {
    for (int j = -6; j <= (a.box ? 6 : -6); ++j) {
      for (int k = -6; k <= (a.box ? 6 : -6); ++k) {
        Vector3 point = a.centre;
        for (std::size_t r = 0; r < 3; ++r) {
          point[r] += a.box ? (i * a.half[0] * a.rotation[r][0] + j * a.half[1] * a.rotation[r][1] +
                               k * a.half[2] * a.rotation[r][2]) /
                                  6
                            : i * a.axis[r] / 6;
        }
        least = std::min(least, from_core(point, b));
      }
    }
  }
  return least - a.radius - b.radius;
}

Solid any_solid(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&](double scale) {
    return Vector3{scale * number(engine), scale * number(engine), scale * number(engine)};
  };
  if (number(engine) > 0) return capsule(vector(1), vector(1), 0.01 + std::abs(number(engine)) / 5);
  const auto edge = [&] { return 0.02 + std::abs(number(engine)); };
  return box(vector(1), from_rpy(vector(3)), {edge(), edge(), edge()});
}

// Law: never more than a pair of points shows, and no less than the lattice is coarse.
TEST(ConvexDistance, IsNeverMoreThanSampledPointsShow) {
  std::mt19937_64 engine(18);
  int apart = 0;
  for (int seed = 0; seed < 400; ++seed) {
    const Solid a = any_solid(engine);
    const Solid b = any_solid(engine);
    const double bound = separation_bound(a, b);
    const double seen = sampled(a, b);
    const double step = (a.box ? core_size(a) / 3 : core_size(a) / 6) + (b.box ? 0 : 0.02);
    ASSERT_LE(bound, seen) << seed;
    ASSERT_GE(bound, seen - step - 1e-9) << seed;
    ASSERT_LE(sphere_bound(a, b), std::max(bound, 0.0) + 1e-12) << seed;
    apart += bound > 0.1 ? 1 : 0;
  }
  EXPECT_GT(apart, 40);
}

}  // namespace
}  // namespace openral::safety
