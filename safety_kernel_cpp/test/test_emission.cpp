// Behaviours 14 to 17 and 21: a row is checked again before it leaves, by itself.
#include "emission.hpp"

#include <cmath>

#include "duo.hpp"
#include "duo_in_space.hpp"

namespace openral::safety {
namespace {

// A tick of 5 ms; rows of 0.02 s, in which the shoulder may change its speed by 0.2 rad/s, the
// elbow by 0.1 rad/s and the finger by 0.04 m/s.
class Emission : public testing::Test {
 protected:
  [[nodiscard]] Finding check(const JointArray& from, const JointArray& before,
                              const JointArray& to) const {
    return check_emission(configuration_, from, before, to, duo::kDt, {});
  }
  void expect(const Finding& finding, Reason reason, int joint, double value, double limit) const {
    EXPECT_EQ(reason_name(reason), reason_name(finding.reason));
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(joint, finding.joint);
    EXPECT_NEAR(value, finding.value, 1e-9);
    EXPECT_NEAR(limit, finding.limit, 1e-9);
  }
  Configuration configuration_ = duo::configuration();
};

TEST_F(Emission, ARowThatStandsLeaves) {
  EXPECT_TRUE(check({0, 0, 0.02}, {}, {0, 0, 0.02}).ok());
  // On either end of every range.
  EXPECT_TRUE(check({-2, -1, 0}, {}, {-2, -1, 0}).ok());
  EXPECT_TRUE(check({2, 1, 0.04}, {}, {2, 1, 0.04}).ok());
}

TEST_F(Emission, PositionOfEveryJoint) {
  expect(check({2, 0, 0.02}, {}, {2.0001, 0, 0.02}), Reason::kRowCheck, 0, 2.0001, 2);
  expect(check({-2, 0, 0.02}, {}, {-2.0001, 0, 0.02}), Reason::kRowCheck, 0, -2.0001, -2);
  expect(check({0, 1, 0.02}, {}, {0, 1.0001, 0.02}), Reason::kRowCheck, 1, 1.0001, 1);
  expect(check({0, -1, 0.02}, {}, {0, -1.0001, 0.02}), Reason::kRowCheck, 1, -1.0001, -1);
  expect(check({0, 0, 0.04}, {}, {0, 0, 0.0401}), Reason::kRowCheck, 2, 0.0401, 0.04);
  EXPECT_EQ(Reason::kRowCheck, check({}, {}, {0, std::nan(""), 0.02}).reason);
  EXPECT_EQ(Reason::kRowCheck, check({0, std::nan(""), 0}, {}, {}).reason);
}

// 5 mrad in a tick are 1 rad/s; they are as many from 0.9 rad/s on.
TEST_F(Emission, SpeedOfEveryJoint) {
  EXPECT_TRUE(check({0, 0, 0.02}, {1, 0, 0}, {0.005, 0, 0.02}).ok());
  expect(check({0, 0, 0.02}, {1, 0, 0}, {0.00505, 0, 0.02}), Reason::kRowCheck, 0, 1.01, 1);
  expect(check({0, 0, 0.02}, {-1, 0, 0}, {-0.00505, 0, 0.02}), Reason::kRowCheck, 0, 1.01, 1);
  expect(check({0, 0, 0.02}, {0, 0.5, 0}, {0, 0.00255, 0.02}), Reason::kRowCheck, 1, 0.51, 0.5);
  // 0.1 m/s of 0.1.
  EXPECT_TRUE(check({0, 0, 0.02}, {0, 0, 0.1}, {0, 0, 0.0205}).ok());
  expect(check({0, 0, 0.02}, {0, 0, 0.1}, {0, 0, 0.02051}), Reason::kRowCheck, 2, 0.102, 0.1);
}

// 1 mrad in a tick is 0.2 rad/s, 10 rad/s^2 from rest in a row's time.
TEST_F(Emission, ChangeOfSpeedOfEveryJoint) {
  EXPECT_TRUE(check({0, 0, 0.02}, {}, {0.001, 0, 0.02}).ok());
  expect(check({0, 0, 0.02}, {}, {0.00101, 0, 0.02}), Reason::kRowCheck, 0, 10.1, 10);
  expect(check({0, 0, 0.02}, {}, {-0.00101, 0, 0.02}), Reason::kRowCheck, 0, 10.1, 10);
  // From 0.1 rad/s to -0.11.
  expect(check({0, 0, 0.02}, {0.1, 0, 0}, {-0.00055, 0, 0.02}), Reason::kRowCheck, 0, 10.5, 10);
  EXPECT_TRUE(check({0, 0, 0.02}, {0.1, 0, 0}, {-0.0005, 0, 0.02}).ok());
  expect(check({0, 0, 0.02}, {}, {0, 0.00051, 0.02}), Reason::kRowCheck, 1, 5.1, 5);
  // From 0.3 rad/s to 0.5, and from 0.5 to 0.3.
  expect(check({0, 0, 0.02}, {0, 0.3, 0}, {0, 0.0025, 0.02}), Reason::kRowCheck, 1, 10, 5);
  expect(check({0, 0, 0.02}, {0, 0.5, 0}, {0, 0.0015, 0.02}), Reason::kRowCheck, 1, 10, 5);
  expect(check({0, 0, 0.02}, {}, {0, 0, 0.02021}), Reason::kRowCheck, 2, 2.1, 2);
  // Rows that lie twice as far apart change twice as much.
  EXPECT_TRUE(
      check_emission(configuration_, {0, 0, 0.02}, {}, {0.002, 0, 0.02}, 2 * duo::kDt, {}).ok());
}

// 40 N at 0.1 m/s are 4 W.
TEST_F(Emission, PowerOfTheGripper) {
  configuration_.gripper.power_max = 4;
  EXPECT_TRUE(check({0, 0, 0.02}, {0, 0, 0.1}, {0, 0, 0.0205}).ok());
  configuration_.gripper.power_max = 3.9;
  expect(check({0, 0, 0.02}, {0, 0, 0.1}, {0, 0, 0.0205}), Reason::kGripperPower, 2, 4, 3.9);
  // The shoulder is no gripper.
  EXPECT_TRUE(check({0, 0, 0.02}, {1, 0, 0}, {0.005, 0, 0.02}).ok());
}

// At 0.6 rad/s 12 ticks and 0.6 (12 * 0.005 / 2 + 0.005) = 0.021 rad.
TEST_F(Emission, RoomToStop) {
  EXPECT_TRUE(check({1.9759, 0, 0.02}, {0.6, 0, 0}, {1.9789, 0, 0.02}).ok());
  expect(check({1.9761, 0, 0.02}, {0.6, 0, 0}, {1.9791, 0, 0.02}), Reason::kViability, 0, 2.0001,
         2);
}

// The stretched arm in a box that ends at x = 1.9: where it does not move, it may stand outside.
TEST_F(Emission, TheArmInSpaceWhereItMoves) {
  configuration_ = duo::configuration(duo::raw_in_space());
  configuration_.arm.workspace_max[0] = 1.9;
  EXPECT_TRUE(check({0, 0, 0.02}, {}, {0, 0, 0.0201}).ok());
  expect(check({0, 0, 0.02}, {}, {0, 0.0001, 0.02}), Reason::kWorkspace, -1, 1 + std::cos(0.0001),
         1.9);
  configuration_.arm.limited = false;
  EXPECT_TRUE(check({0, 0, 0.02}, {}, {0, 0.0001, 0.02}).ok());
}

// 4 sin(0.0015) m in 5 ms are a hair under 1.2 m/s, of which a tick may have 1.01 times; 0.61 rad/s
// would be 1.22 m/s.
TEST_F(Emission, SpeedOfTheTool) {
  configuration_ = duo::configuration(duo::raw_in_space());
  EXPECT_TRUE(check({0, 0, 0.02}, {0.6, 0, 0}, {0.003, 0, 0.02}).ok());
  EXPECT_TRUE(check({0, 0, 0.02}, {0.6, 0, 0}, {0.00302, 0, 0.02}).ok());
  expect(check({0, 0, 0.02}, {0.6, 0, 0}, {0.00305, 0, 0.02}), Reason::kToolSpeed, -1,
         4 * std::sin(0.001525) / 0.005, 1.2);
}

// y = 1.2 at a shoulder of 0.643501: the stop from 0.6 rad/s goes 0.021 rad on.
TEST_F(Emission, TheEndOfTheStopInSpace) {
  configuration_ = duo::configuration(duo::raw_in_space());
  EXPECT_TRUE(check({0.6194, 0, 0.02}, {0.6, 0, 0}, {0.6224, 0, 0.02}).ok());
  expect(check({0.6196, 0, 0.02}, {0.6, 0, 0}, {0.6226, 0, 0.02}), Reason::kWorkspace, -1,
         2 * std::sin(0.6436), 1.2);
}

}  // namespace
}  // namespace openral::safety
