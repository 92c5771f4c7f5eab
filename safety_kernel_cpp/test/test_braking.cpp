#include "braking.hpp"

#include <cmath>

#include "duo.hpp"

namespace openral::safety {
namespace {

TEST(Braking, TicksFollowTheSlowestJoint) {
  const Configuration configuration = duo::configuration();
  // A tick changes the shoulder's speed by at most 10 * 0.005 = 0.05, the elbow's by 0.025.
  EXPECT_EQ(0u, brake_ticks(configuration, {0, 0, 0}));
  EXPECT_EQ(20u, brake_ticks(configuration, {1, 0, 0}));
  EXPECT_EQ(20u, brake_ticks(configuration, {0, -0.5, 0}));
  EXPECT_EQ(4u, brake_ticks(configuration, {0.2, 0.05, 0}));
  EXPECT_EQ(5u, brake_ticks(configuration, {0.201, 0, 0}));
  EXPECT_EQ(1u, brake_ticks(configuration, {1e-6, 0, 0}));
}

TEST(Braking, KeepsTheDirectionAndEveryDeceleration) {
  const Configuration configuration = duo::configuration();
  Brake brake = plan_brake(configuration, {0.8, -0.5, 0.02});
  ASSERT_EQ(20u, brake.ticks);  // the elbow's 0.5 / 0.025
  JointArray last = brake.velocity;
  JointArray way{};
  while (!brake.at_rest()) {
    const JointArray velocity = next_brake_velocity(brake);
    // One factor for all: the ratio of two joints stays 0.8 : -0.5.
    EXPECT_NEAR(velocity[0] * -0.5, velocity[1] * 0.8, 1e-12);
    EXPECT_LE(std::abs(velocity[0] - last[0]), 0.05 + 1e-12);
    EXPECT_LE(std::abs(velocity[1] - last[1]), 0.025 + 1e-12);
    for (std::size_t j = 0; j < 3; ++j) way[j] += velocity[j] * 0.005;
    last = velocity;
  }
  EXPECT_EQ(0, last[0]);
  EXPECT_EQ(0, last[1]);
  // v T (n - 1) / 2 = 0.8 * 0.005 * 19 / 2
  EXPECT_NEAR(0.038, way[0], 1e-12);
  EXPECT_NEAR(-0.02375, way[1], 1e-12);
  EXPECT_EQ(JointArray{}, next_brake_velocity(brake));
}

}  // namespace
}  // namespace openral::safety
