// Behaviour 18, collision: what bodies are, and how far they reach.
#include "solid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace openral::safety {
namespace {

// A quarter about z: x becomes y, y becomes -x.
const Rotation kQuarter = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};

void expect_near(const Vector3& expected, const Vector3& got) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(expected[i], got[i], 1e-12) << i;
}

TEST(Solid, ACapsuleIsItsMiddleHalfItsAxisAndItsRadius) {
  const Solid rod = capsule({1, 2, 3}, {5, 8, 13}, 0.5);
  EXPECT_FALSE(rod.box);
  expect_near({3, 5, 8}, rod.centre);
  expect_near({2, 3, 5}, rod.axis);
  EXPECT_EQ(0.5, rod.radius);
}

TEST(Solid, ABoxIsItsMiddleItsTurnAndHalfItsEdges) {
  const Solid crate = box({1, 2, 3}, kQuarter, {4, 6, 10});
  EXPECT_TRUE(crate.box);
  expect_near({1, 2, 3}, crate.centre);
  expect_near({2, 3, 5}, crate.half);
  EXPECT_EQ(kQuarter, crate.rotation);
  EXPECT_EQ(0, crate.radius);
}

// A quarter about z brings (1, 2, 3) to (-2, 1, 3).
TEST(Solid, PlacedInAFrameThatIsTurnedAndElsewhere) {
  const Solid rod = placed(capsule({0, 0, 0}, {2, 4, 6}, 0.5), kQuarter, {10, 20, 30});
  EXPECT_FALSE(rod.box);
  expect_near({8, 21, 33}, rod.centre);
  expect_near({-2, 1, 3}, rod.axis);
  EXPECT_EQ(0.5, rod.radius);
  const Solid crate = placed(box({1, 2, 3}, kQuarter, {4, 6, 10}), kQuarter, {10, 20, 30});
  EXPECT_TRUE(crate.box);
  expect_near({8, 21, 33}, crate.centre);
  expect_near({2, 3, 5}, crate.half);
  // Two quarters: x becomes -x, y becomes -y.
  expect_near({-1, 0, 0}, crate.rotation[0]);
  expect_near({0, -1, 0}, crate.rotation[1]);
  expect_near({0, 0, 1}, crate.rotation[2]);
}

// (3, 4, 12) is 13 away from the origin. The radius is not the core's.
TEST(Solid, ACapsuleReachesToItsFartherEnd) {
  EXPECT_NEAR(13, core_reach(capsule({1, 2, 2}, {3, 4, 12}, 9)), 1e-12);
  EXPECT_NEAR(13, core_reach(capsule({3, 4, 12}, {1, 2, 2}, 9)), 1e-12);
  EXPECT_EQ(0, core_reach(capsule({0, 0, 0}, {0, 0, 0}, 9)));
}

// With half edges of 1, 2 and 3 about (1, 1, 3) the farthest corner is (2, 3, 6), 7 away; it is
// another one in every octant.
TEST(Solid, ABoxReachesToItsFarthestCorner) {
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) {
        const Solid crate = box({x, y, 3 * z}, kUnturned, {2, 4, 6});
        EXPECT_NEAR(7, core_reach(crate), 1e-12);
        // From the z axis (2, 3), from the x axis (3, 6), from the y axis (2, 6).
        EXPECT_NEAR(std::sqrt(13.0), core_reach(crate, {0, 0, 1}), 1e-12);
        EXPECT_NEAR(std::sqrt(45.0), core_reach(crate, {1, 0, 0}), 1e-12);
        EXPECT_NEAR(std::sqrt(40.0), core_reach(crate, {0, 1, 0}), 1e-12);
      }
    }
  }
  // Turned by a quarter, its edges along x and y change places: (1 + 2, 1 + 1, 6).
  EXPECT_NEAR(7, core_reach(box({1, 1, 3}, kQuarter, {2, 4, 6})), 1e-12);
  EXPECT_NEAR(std::sqrt(45.0), core_reach(box({1, 1, 3}, kQuarter, {2, 4, 6}), {0, 1, 0}), 1e-12);
  // A third of a turn about the diagonal, x to y to z to x: half edges of 3, 1 and 2, (4, 2, 5).
  const Rotation third = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_NEAR(std::sqrt(45.0), core_reach(box({1, 1, 3}, third, {2, 4, 6})), 1e-12);
}

// (2, 3, 6) / 7 times (2, 5, 1) is (-27, 10, 4) / 7, of length sqrt(845) / 7.
TEST(Solid, AReachFromAnAxisIsMeasuredAcrossIt) {
  const Vector3 axis = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  EXPECT_NEAR(std::sqrt(845.0) / 7, core_reach(capsule({0, 0, 0}, {2, 5, 1}, 1), axis), 1e-12);
  // What lies on the axis is not away from it.
  EXPECT_NEAR(0, core_reach(capsule({-2, -3, -6}, {4, 6, 12}, 1), axis), 1e-12);
}

// Half an axis of (1, 2, 2), half edges of (2, 3, 6).
TEST(Solid, TheSizeIsFromTheMiddleToTheFarthestPoint) {
  EXPECT_NEAR(3, core_size(capsule({5, 5, 5}, {7, 9, 9}, 1)), 1e-12);
  EXPECT_NEAR(7, core_size(box({5, 5, 5}, kQuarter, {4, 6, 12})), 1e-12);
}

}  // namespace
}  // namespace openral::safety
