#include "tool_pose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "generator.hpp"

namespace openral::safety {
namespace {

constexpr Quaternion kIdentity = {0, 0, 0, 1};
const double kHalf = std::sqrt(0.5);

void expect_near(const Quaternion& expected, const Quaternion& got, double within = 1e-12) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(expected[i], got[i], within) << i;
}
void expect_near(const Vector3& expected, const Vector3& got, double within = 1e-12) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(expected[i], got[i], within) << i;
}

// A quarter about z, and the half turns, of which each needs another of the four formulas.
TEST(ToolPose, QuaternionOfARotation) {
  expect_near({0, 0, kHalf, kHalf}, quaternion_of(from_rpy({0, 0, M_PI / 2})));
  expect_near({1, 0, 0, 0}, quaternion_of(from_rpy({M_PI, 0, 0})));
  expect_near({0, 1, 0, 0}, near({0, 1, 0, 0}, quaternion_of(from_rpy({0, M_PI, 0}))));
  expect_near({0, 0, 1, 0}, quaternion_of(from_rpy({0, 0, M_PI})));
  expect_near(kIdentity, quaternion_of(from_rpy({0, 0, 0})));
}

// A half turn about (cos e, sin e, 0), 2 u u^T - 1: dividing by the small component would lose half
// the digits.
TEST(ToolPose, QuaternionOfARotationNearAnAxis) {
  const double c = std::cos(1e-7);
  const double s = std::sin(1e-7);
  const Rotation half = {
      {{2 * c * c - 1, 2 * c * s, 0}, {2 * c * s, 2 * s * s - 1, 0}, {0, 0, -1}}};
  expect_near({c, s, 0, 0}, quaternion_of(half));
}

// A third of a turn back about the diagonal, x to z to y to x: all four components are as large.
TEST(ToolPose, QuaternionOfARotationWithoutALargestComponent) {
  expect_near({-0.5, -0.5, -0.5, 0.5}, quaternion_of({{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}));
}

// Of (1, 2, 3, 4), whose square is 30, by the formula of Shepperd: r_xy = 2 (xy - zw) / 30 = -10 /
// 15.
TEST(ToolPose, RotationOfAQuaternionOfAnyLength) {
  const Rotation rotation = rotation_of({1, 2, 3, 4});
  expect_near(Vector3{2.0 / 15, -10.0 / 15, 11.0 / 15}, rotation[0]);
  expect_near(Vector3{14.0 / 15, 5.0 / 15, 2.0 / 15}, rotation[1]);
  expect_near(Vector3{-5.0 / 15, 10.0 / 15, 10.0 / 15}, rotation[2]);
}

TEST(ToolPose, StandsUprightAtTheOriginIfNothingIsSaid) {
  expect_near(kIdentity, ToolPose{}.orientation);
  expect_near(Vector3{0, 0, 0}, ToolPose{}.position);
}

TEST(ToolPose, TurnBetweenIsTheShorterWayInTheBaseFrame) {
  const Quaternion quarter = {0, 0, kHalf, kHalf};
  expect_near({0, 0, M_PI / 2}, turn_between(kIdentity, quarter));
  expect_near({0, 0, -M_PI / 2}, turn_between(quarter, kIdentity));
  // -q is the same orientation.
  expect_near({0, 0, M_PI / 2}, turn_between(kIdentity, {0, 0, -kHalf, -kHalf}));
  // Nearly half a turn, in either direction about every axis.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double angle : {-3.0, 3.0}) {
      Vector3 turn{};
      turn[axis] = angle;
      expect_near(turn, turn_between(kIdentity, turned(kIdentity, turn)));
    }
  }
  // From a tool that is turned by a quarter about z, a quarter about the base's x.
  expect_near({M_PI / 2, 0, 0}, turn_between(quarter, {0.5, -0.5, 0.5, 0.5}));
}

TEST(ToolPose, TurnedByAVectorOfTheBaseFrame) {
  expect_near({0, 0, kHalf, kHalf}, turned(kIdentity, {0, 0, M_PI / 2}));
  expect_near({0.5, -0.5, 0.5, 0.5}, turned({0, 0, kHalf, kHalf}, {M_PI / 2, 0, 0}));
  expect_near(kIdentity, turned(kIdentity, {0, 0, 0}));
  // sin(5e-11) = 5e-11: small turns keep their digits.
  EXPECT_NEAR(5e-11, turned(kIdentity, {1e-10, 0, 0})[0], 1e-22);
  EXPECT_NEAR(1e-10, turn_between(kIdentity, {5e-11, 0, 0, 1})[0], 1e-22);
}

TEST(ToolPose, NearChoosesTheSign) {
  expect_near({0, 0, -kHalf, -kHalf}, near({0, 0, 0, -1}, {0, 0, kHalf, kHalf}));
  expect_near({0, 0, kHalf, kHalf}, near(kIdentity, {0, 0, kHalf, kHalf}));
  // Half a turn is as near with either sign.
  expect_near({1, 0, 0, 0}, near(kIdentity, {1, 0, 0, 0}));
}

TEST(ToolPose, TheCrossProduct) {
  // (3 * 4 - 6 * 5, 6 * 7 - 2 * 4, 2 * 5 - 3 * 7)
  expect_near({-18, 34, -11}, cross({2, 3, 6}, {7, 5, 4}));
}

TEST(ToolPose, UnitAndNorm) {
  EXPECT_NEAR(5, norm({3, 0, 0, 4}), 1e-12);
  expect_near({0.6, 0, 0, 0.8}, unit({3, 0, 0, 4}));
}

// Law: what a twist moves is the twist between, and quaternions agree with rotation matrices.
TEST(ToolPose, MovedAndTwistBetweenAreInverse) {
  for (int seed = 0; seed < 1000; ++seed) {
    duo::Random random(static_cast<std::uint64_t>(seed));
    const auto any = [&](double range) {
      return Vector3{random.real(-range, range), random.real(-range, range),
                     random.real(-range, range)};
    };
    const Rotation rotation = from_rpy(any(3));
    const ToolPose from = {any(1), quaternion_of(rotation)};
    const ToolTwist twist = {any(1), any(1.5)};
    const ToolPose to = moved(from, twist, 0.5);
    const ToolTwist back = twist_between(from, to, 0.5);
    expect_near(twist.linear, back.linear, 1e-9);
    expect_near(twist.angular, back.angular, 1e-9);
    EXPECT_NEAR(1, norm(to.orientation), 1e-12);
    // Two turns after each other are the product of their matrices.
    const Rotation second = from_rpy(any(3));
    const Quaternion both = quaternion_of(product(second, rotation));
    const Quaternion by_vector =
        turned(from.orientation, turn_between(kIdentity, quaternion_of(second)));
    expect_near(near(both, by_vector), both, 1e-9);
  }
}

}  // namespace
}  // namespace openral::safety
