#include "kinematic_chain.hpp"

#include <cmath>

#include "panda_chain.hpp"

namespace openral::safety {
namespace {

constexpr double kRight = M_PI / 2;

void expect_near(const Vector3& expected, const Vector3& value) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(expected[i], value[i], 1e-12) << i;
}

void expect_near(const Rotation& expected, const Rotation& value) {
  for (std::size_t r = 0; r < 3; ++r) expect_near(expected[r], value[r]);
}

// An arm of two links of 1 m in the plane z = 0:   base --(0)-- 1 m --(1)-- 1 m -- tool
Chain planar() {
  Chain chain;
  (void)chain.joints.push(chain_joint(0, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}));
  (void)chain.joints.push(chain_joint(1, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}));
  chain.tool = {1, 0, 0};
  return chain;
}

TEST(KinematicChain, PlanarArmStretchedAndBent) {
  const ChainPose stretched = forward(planar(), {0, 0});
  ASSERT_EQ(3u, stretched.points.size());
  expect_near({0, 0, 0}, stretched.points[0]);
  expect_near({1, 0, 0}, stretched.points[1]);
  expect_near({2, 0, 0}, stretched.tool());
  // First link along y, second along -x again turned by 90 degrees: (0, 1), then (-1, 1).
  const ChainPose bent = forward(planar(), {kRight, kRight});
  expect_near({0, 1, 0}, bent.points[1]);
  expect_near({-1, 1, 0}, bent.tool());
  expect_near({{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, bent.rotation);
}

TEST(KinematicChain, RollPitchYawAboutFixedAxes) {
  // Roll by 90 degrees takes y to z, yaw by 90 degrees takes x to y; roll is first.
  expect_near({0, 0, 1}, rotated(from_rpy({kRight, 0, 0}), {0, 1, 0}));
  expect_near({0, 0, -1}, rotated(from_rpy({0, kRight, 0}), {1, 0, 0}));
  expect_near({0, 1, 0}, rotated(from_rpy({0, 0, kRight}), {1, 0, 0}));
  // z rolls to -y, which yaws to x.
  expect_near({1, 0, 0}, rotated(from_rpy({kRight, 0, kRight}), {0, 0, 1}));
}

TEST(KinematicChain, AnyAxis) {
  // A third of a turn about the diagonal takes x to y, y to z, z to x.
  const double d = 1 / std::sqrt(3.0);
  Chain chain;
  (void)chain.joints.push(chain_joint(0, {0, 0, 0}, {0, 0, 0}, {d, d, d}));
  chain.tool = {1, 2, 3};
  expect_near({3, 1, 2}, forward(chain, {2 * M_PI / 3}).tool());
  // A quarter about a = (2, 3, 6) / 7: r = (a . p) a + a x p, with a . p = 26 / 7 and
  // a x p = (3 * 3 - 6 * 2, 6 * 1 - 2 * 3, 2 * 2 - 3 * 1) / 7 = (-3, 0, 1) / 7.
  Chain askew;
  (void)askew.joints.push(chain_joint(0, {0, 0, 0}, {0, 0, 0}, {2.0 / 7, 3.0 / 7, 6.0 / 7}));
  askew.tool = {1, 2, 3};
  expect_near({(52 - 21) / 49.0, 78 / 49.0, (156 + 7) / 49.0}, forward(askew, {M_PI / 2}).tool());
}

TEST(KinematicChain, AngleBetween) {
  const Rotation none = from_rpy({0, 0, 0});
  EXPECT_NEAR(0, angle_between(none, none), 1e-15);
  EXPECT_NEAR(1e-9, angle_between(none, from_rpy({1e-9, 0, 0})), 1e-18);
  EXPECT_NEAR(0.3, angle_between(from_rpy({0, 0.5, 0}), from_rpy({0, 0.8, 0})), 1e-12);
  EXPECT_NEAR(M_PI, angle_between(none, from_rpy({0, 0, M_PI})), 1e-9);
}

// Worked from the drawing in Franka's specification: the stretched arm is 0.333 + 0.316 + 0.384 =
// 1.033 m high at the wrist, which lies over the base; the flange is 0.088 m before it and looks
// down, so the tool is 0.2104 m lower.
TEST(KinematicChain, PandaStretchedUp) {
  const ChainPose pose = forward(panda::chain(), {});
  ASSERT_EQ(8u, pose.points.size());
  expect_near({0, 0, 0.333}, pose.points[0]);
  expect_near({0, 0, 0.649}, pose.points[2]);
  expect_near({0.0825, 0, 0.649}, pose.points[3]);
  expect_near({0, 0, 1.033}, pose.points[4]);
  expect_near({0, 0, 1.033}, pose.points[5]);
  expect_near({0.088, 0, 1.033}, pose.points[6]);
  expect_near({0.088, 0, 0.8226}, pose.tool());
  expect_near({{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, pose.rotation);
}

// The elbow bent by 90 degrees, the upper arm up: the forearm lies along x, 0.649 + 0.0825 m high,
// and begins 0.0825 m before the axis of the base.  x = 0.0825 + 0.384.  With the wrist turned by
// 90 degrees the flange looks down, 0.088 m further.
TEST(KinematicChain, PandaForearmLevel) {
  const ChainPose pose = forward(panda::chain(), {0, 0, 0, -kRight, 0, kRight, 0});
  expect_near({0.4665, 0, 0.7315}, pose.points[4]);
  expect_near({0.5545, 0, 0.7315}, pose.points[6]);
  expect_near({0.5545, 0, 0.7315 - 0.2104}, pose.tool());
  // A quarter of a turn of the base takes x to y.
  expect_near({0, 0.5545, 0.5211},
              forward(panda::chain(), {kRight, 0, 0, -kRight, 0, kRight, 0}).tool());
}

}  // namespace
}  // namespace openral::safety
