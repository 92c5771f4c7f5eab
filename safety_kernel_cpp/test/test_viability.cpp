#include "viability.hpp"

#include <cmath>

#include "braking.hpp"
#include "duo.hpp"

namespace openral::safety {
namespace {

TEST(Viability, StoppingDistanceToTheLimit) {
  const Configuration configuration = duo::configuration();
  // Elbow at 0.5 rad/s: 20 ticks; 0.5 * (0.05 + 0.005) = 0.0275 rad.
  EXPECT_TRUE(check_viability(configuration, {0, 0.9724, 0.04}, {0, 0.5, 0}).ok());
  const Finding high = check_viability(configuration, {0, 0.9726, 0.04}, {0, 0.5, 0});
  EXPECT_EQ(Reason::kViability, high.reason);
  EXPECT_EQ(1, high.joint);
  EXPECT_NEAR(1.0001, high.value, 1e-12);
  EXPECT_EQ(1, high.limit);
  EXPECT_TRUE(check_viability(configuration, {0, -0.9724, 0.04}, {0, -0.5, 0}).ok());
  EXPECT_EQ(-1, check_viability(configuration, {0, -0.9726, 0.04}, {0, -0.5, 0}).limit);
}

TEST(Viability, ASlowJointWaitsForTheSlowestStop) {
  const Configuration configuration = duo::configuration();
  // Alone, the finger at 0.01 m/s needs one tick. Beside the elbow's 20 ticks it travels 0.01 *
  // 0.055 = 0.00055 m.
  EXPECT_TRUE(check_viability(configuration, {0, 0, 0.0398}, {0, 0, 0.01}).ok());
  const Finding finding = check_viability(configuration, {0, 0, 0.0398}, {0, 0.5, 0.01});
  EXPECT_EQ(Reason::kViability, finding.reason);
  EXPECT_EQ(2, finding.joint);
}

TEST(Viability, AtRestEverywhereInside) {
  const Configuration configuration = duo::configuration();
  EXPECT_TRUE(check_viability(configuration, {2, -1, 0}, {0, 0, 0}).ok());
}

TEST(Viability, NaNIsNotViable) {
  const Configuration configuration = duo::configuration();
  EXPECT_FALSE(check_viability(configuration, {std::nan(""), 0, 0}, {0.1, 0, 0}).ok());
}

// The elbow and the shoulder at full speed, each by itself: 20 ticks and the delay are 0.055 s.
TEST(Viability, AStopMayEndOnTheLimitItself) {
  for (const std::size_t joint : {0, 1}) {
    Configuration configuration = duo::configuration();
    JointArray velocity{};
    velocity[joint] = joint == 0 ? 1 : 0.5;
    const double time = stop_time(configuration, brake_ticks(configuration, velocity));
    EXPECT_NEAR(0.055, time, 1e-15);
    const double way = velocity[joint] * time;
    JointLimits& limits = configuration.limits[joint];
    for (const double sign : {-1.0, 1.0}) {
      velocity[joint] = sign * std::abs(velocity[joint]);
      limits.position_min = -way;
      limits.position_max = way;
      EXPECT_TRUE(check_viability(configuration, {}, velocity).ok());
      limits.position_min = -std::nextafter(way, 0);
      limits.position_max = std::nextafter(way, 0);
      EXPECT_EQ(joint,
                static_cast<std::size_t>(check_viability(configuration, {}, velocity).joint));
    }
  }
}

}  // namespace
}  // namespace openral::safety
