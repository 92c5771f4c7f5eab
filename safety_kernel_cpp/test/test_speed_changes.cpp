// Behaviour 14 whatever the rows are: changes of speed take time.
#include "speed_changes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "rounding.hpp"

namespace openral::safety {
namespace {

constexpr double kMax = 10;   // [rad/s^2]
constexpr double kDt = 0.02;  // [s] in which a speed may change by 0.2 rad/s

double acceleration(const JointSpeedChanges& changes, double change) {
  return changes.acceleration(1, change, kMax, kDt);
}

TEST(SpeedChanges, OneAloneIsSpreadOverARow) {
  const JointSpeedChanges changes;
  EXPECT_NEAR(10, acceleration(changes, 0.2), 1e-12);
  EXPECT_NEAR(10, acceleration(changes, -0.2), 1e-12);
  EXPECT_NEAR(5, changes.acceleration(1, 0.2, kMax, 2 * kDt), 1e-12);
}

// 0.2 rad/s take 20 ms. 5 ms later 15 of them are left, 10 ms later 10.
TEST(SpeedChanges, OneShortlyAfterAnotherAddsToWhatIsLeftOfIt) {
  JointSpeedChanges changes;
  changes.note(1, 0.2, kMax);
  EXPECT_NEAR(11, acceleration(changes, 0.02), 1e-12);
  changes.pass(0.005);
  EXPECT_NEAR(17.5, acceleration(changes, 0.2), 1e-12);
  EXPECT_NEAR(10, acceleration(changes, -0.05), 1e-12);
  changes.pass(0.005);
  EXPECT_NEAR(10, acceleration(changes, 0.1), 1e-12);
  // There and back are two changes.
  changes.note(1, -0.1, kMax);
  EXPECT_NEAR(15, acceleration(changes, 0.1), 1e-12);
  // What is over is over, and no more than that.
  changes.pass(1);
  EXPECT_NEAR(10, acceleration(changes, 0.2), 1e-12);
}

TEST(SpeedChanges, EachSpeedHasItsOwn) {
  JointSpeedChanges changes;
  changes.note(0, 1, kMax);
  EXPECT_NEAR(1, acceleration(changes, 0.02), 1e-12);
  EXPECT_NEAR(51, changes.acceleration(0, 0.02, kMax, kDt), 1e-12);
}

// Rows of 0.1 s took 1 rad/s; those of 0.02 s that follow may go on with that speed at once.
TEST(SpeedChanges, ASpeedThatStaysIsNoChangeWhateverWasTaken) {
  JointSpeedChanges changes;
  changes.note(1, 1, kMax);
  EXPECT_EQ(0, acceleration(changes, 0));
  EXPECT_EQ(0, acceleration(changes, 1e-13));  // of a difference of positions
  EXPECT_EQ(0, acceleration(changes, -1e-8));
  EXPECT_TRUE(exceeds(acceleration(changes, 1.1e-8), kMax));
}

TEST(SpeedChanges, NoNumberExceeds) {
  const JointSpeedChanges changes;
  EXPECT_TRUE(exceeds(acceleration(changes, std::numeric_limits<double>::quiet_NaN()), kMax));
}

}  // namespace
}  // namespace openral::safety
