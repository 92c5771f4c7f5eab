// Behaviour 18, collision: what lies between two rows is seen too.
#include "swept_collision.hpp"

#include <cmath>

#include "duo.hpp"
#include "duo_in_a_cell.hpp"
#include "nearest_pair.hpp"

namespace openral::safety {
namespace {

constexpr double kDown = -M_PI / 2;

class SweptCollisionTest : public testing::Test {
 protected:
  Finding check(const JointArray& from, const JointArray& to, double margin = 0.02) {
    sweep_->grant(100'000);
    return sweep_->check(from, to, margin);
  }
  Finding nearest(const JointArray& at) {
    return nearest_pair(scene_, configuration_.arm.chain, at);
  }
  Configuration configuration_ = duo::configuration(duo::raw_in_a_cell());
  CollisionScene scene_{configuration_};
  std::unique_ptr<SweptCollision> sweep_ =
      std::make_unique<SweptCollision>(scene_, configuration_.arm.chain);
};

// 1.5 sin 0.3 - 0.1 = 0.34328 to the post; the stretched forearm is 0.1 - 0.05 + 0.05 = 0.1 m above
// the pedestal's top and 1 m beside it.
TEST_F(SweptCollisionTest, DistancesOfTheStretchedArm) {
  const Finding near_post = nearest({kDown + 0.3, 0, 0});
  EXPECT_EQ("fore", scene_.body(near_post.body).name.view());
  EXPECT_EQ("post", scene_.body(near_post.other).name.view());
  EXPECT_NEAR(1.5 * std::sin(0.3) - 0.1, near_post.value, 1e-8);
  // Up there the elbow at (0, 1) is as near to the pedestal (0, 0.1) as the forearm comes:
  // 0.9 m across, 0.15 m above its top at z = -0.05.
  const Finding far = nearest({-kDown, 0, 0});
  EXPECT_EQ("pedestal", scene_.body(far.other).name.view());
  EXPECT_NEAR(std::hypot(0.9, 0.15) - 0.05, far.value, 1e-8);
}

TEST_F(SweptCollisionTest, APlaceIsTooNearByItself) {
  // asin(0.12 / 1.5) = 0.08009.
  EXPECT_TRUE(check({kDown + 0.0802, 0, 0}, {kDown + 0.0802, 0, 0}).ok());
  const Finding finding = check({kDown + 0.0800, 0, 0}, {kDown + 0.0800, 0, 0});
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_EQ("fore", scene_.body(finding.body).name.view());
  EXPECT_EQ("post", scene_.body(finding.other).name.view());
  EXPECT_NEAR(1.5 * std::sin(0.08) - 0.1, finding.value, 1e-8);
  EXPECT_EQ(0.02, finding.limit);
}

// Both ends are 0.34 m away from the post, and the way between leads through it.
TEST_F(SweptCollisionTest, NoTunnelBetweenTwoRows) {
  const JointArray before = {kDown - 0.3, 0, 0};
  const JointArray behind = {kDown + 0.3, 0, 0};
  EXPECT_TRUE(check(before, before).ok());
  EXPECT_TRUE(check(behind, behind).ok());
  EXPECT_EQ(Reason::kCollision, check(before, behind).reason);
  // The middle is not where they meet.
  EXPECT_EQ(Reason::kCollision, check(before, {kDown + 1.7, 0, 0}).reason);
}

// The elbow unfolds: the tool's way is straight in joint space and no straight line in the cell.
TEST_F(SweptCollisionTest, FollowsJointsNotStraightLinesOfTheTool) {
  EXPECT_TRUE(check({kDown + 0.4, 0.9, 0}, {kDown + 0.4, 0, 0}).ok());
  EXPECT_EQ(Reason::kCollision, check({kDown + 0.4, 0.9, 0}, {kDown + 0.4, -0.9, 0}).reason);
}

// What is known at one place is not used where it says nothing.
TEST_F(SweptCollisionTest, ForgetsNothingOnALongWay) {
  double shoulder = 1.5;
  for (; shoulder > kDown + 0.1; shoulder -= 0.02) {
    ASSERT_TRUE(check({shoulder, 0, 0}, {shoulder - 0.015, 0, 0}).ok()) << shoulder;
  }
  EXPECT_EQ(Reason::kCollision, check({shoulder, 0, 0}, {shoulder - 0.05, 0, 0}).reason);
}

TEST_F(SweptCollisionTest, DecidesNearTheMargin) {
  // A way along the post at 1.5 sin phi - 0.1 >= 0.0205 needs phi >= 0.08042; a line of 0.1 rad
  // that ends there is decided to half a millimetre.
  EXPECT_TRUE(check({kDown + 0.1808, 0, 0}, {kDown + 0.0808, 0, 0}).ok());
  EXPECT_EQ(Reason::kCollision, check({kDown + 0.18, 0, 0}, {kDown + 0.0797, 0, 0}).reason);
}

TEST_F(SweptCollisionTest, WorkThatDoesNotEndIsRefused) {
  sweep_->grant(20);
  const Finding finding = sweep_->check({kDown + 0.1808, 0, 0}, {kDown + 0.0808, 0, 0}, 0.02);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(20, finding.limit);
}

TEST_F(SweptCollisionTest, WhatIsNoNumberIsRefused) {
  // Also where the distances nearby are known already.
  for (int i = 0; i < 2; ++i) {
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      EXPECT_EQ(Reason::kNotFinite, check({bad, 0, 0}, {0, 0, 0}).reason);
      const Finding finding = check({0, 0, 0}, {0, bad, 0});
      EXPECT_EQ(Reason::kNotFinite, finding.reason);
      EXPECT_EQ(1, finding.joint);
    }
    EXPECT_TRUE(check({0, 0, 0}, {0, 0, 0}).ok());
  }
}

}  // namespace
}  // namespace openral::safety
