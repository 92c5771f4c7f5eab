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

// 20 ticks of 5 ms lead as far as 50 ms at full speed, after 5 ms of reaction.
TEST(Braking, AStopLeadsAsFarAsHalfItsTime) {
  const Configuration configuration = duo::configuration();
  EXPECT_NEAR(0.055, stop_time(configuration, 20), 1e-15);
  EXPECT_NEAR(0.005, stop_time(configuration, 0), 1e-15);
}

TEST(Braking, TicksAreWholeAndBounded) {
  EXPECT_EQ(0u, whole_ticks(0));
  EXPECT_EQ(3u, whole_ticks(3));
  EXPECT_EQ(3u, whole_ticks(3 * (1 + 1e-12)));  // rounding
  EXPECT_EQ(4u, whole_ticks(3.001));
  EXPECT_EQ(1'000'000u, whole_ticks(HUGE_VAL));
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
