// Behaviour 18, collision: what lies between two rows is seen too.
#include "swept_collision.hpp"

#include <cmath>
#include <string>

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
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
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

// A line of 0.8 rad is halved seven times: the last piece is 0.00625 rad long, and from its middle,
// 0.003125 rad before its end, nothing of the forearm, 2 m away, moves by more than 0.00625 m. The
// end may be 0.0223 m away from the post: 1.5 sin(asin(0.1223 / 1.5) + 0.003125) - 0.1 = 0.02697 in
// the middle, 0.02072 left. With six halvings 0.0191 would be left.
TEST_F(SweptCollisionTest, ALineIsHalvedSevenTimesFromEitherEnd) {
  double end = kDown + std::asin(0.1223 / 1.5);
  EXPECT_TRUE(check({end + 0.8, 0, 0}, {end, 0, 0}).ok());
  EXPECT_TRUE(check({end, 0, 0}, {end + 0.8, 0, 0}).ok());
  // From 0.0210 m, 0.0194 are left: that is not decided, and refused.
  const double phi = std::asin(0.1210 / 1.5);
  end = kDown + phi;
  const double left = 1.5 * std::sin(phi + 0.003125) - 0.1 - 0.00625;
  for (const bool towards : {true, false}) {
    const JointArray away = {end + 0.8, 0, 0};
    const Finding finding = towards ? check(away, {end, 0, 0}) : check({end, 0, 0}, away);
    EXPECT_EQ(Reason::kCollision, finding.reason);
    EXPECT_NEAR(left, finding.value, 1e-8);
    EXPECT_EQ(0.02, finding.limit);
  }
}

// 1.5 sin 0.06 - 0.1 in the middle.
TEST_F(SweptCollisionTest, AMiddleThatIsTooNearIsFoundAtOnce) {
  const Finding finding = check({kDown + 0.09, 0, 0}, {kDown + 0.03, 0, 0});
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_NEAR(1.5 * std::sin(0.06) - 0.1, finding.value, 1e-8);
}

// The distance itself as the margin: it is kept, and one that is greater by a last digit is not.
TEST_F(SweptCollisionTest, AMarginThatIsJustKeptIsKept) {
  const JointArray place = {kDown + 0.3, 0, 0};
  const double distance = nearest(place).value;
  // Known there: 8 and the three pairs.
  sweep_->grant(12);
  EXPECT_TRUE(sweep_->check(place, place, distance).ok());
  EXPECT_EQ(Reason::kCollision, check(place, place, std::nextafter(distance, 1)).reason);
  // Known with another elbow, so that the forearm is looked at here.
  sweep_->forget();
  EXPECT_TRUE(check({place[0], 0.9, 0}, {place[0], 0.9, 0}).ok());
  EXPECT_TRUE(check(place, place, distance).ok());
  // In the middle of a line it is kept, and on the half that leads on it is not: at a quarter of
  // 0.04 rad.
  const double from = kDown + 0.28;
  const double to = kDown + 0.32;
  const double middle = nearest({(from + to) / 2, 0, 0}).value;
  const Finding finding = check({from, 0, 0}, {to, 0, 0}, middle);
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_NEAR(1.5 * std::sin(0.29) - 0.1, finding.value, 1e-8);
}

TEST_F(SweptCollisionTest, WorkThatDoesNotEndIsRefused) {
  sweep_->grant(20);
  const Finding finding = sweep_->check({kDown + 0.1808, 0, 0}, {kDown + 0.0808, 0, 0}, 0.02);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(20, finding.value);
  EXPECT_EQ(20, finding.limit);
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
}

TEST_F(SweptCollisionTest, WithoutAGrantNothingIsClear) {
  const Finding finding = sweep_->check({0, 0, 0}, {0, 0, 0}, 0.02);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(0, finding.limit);
}

// A position of the arm counts 8, each of the three pairs 1, and one must be left.
TEST_F(SweptCollisionTest, APlaceThatIsNewCostsItsPairs) {
  sweep_->grant(11);
  EXPECT_EQ(Reason::kCollisionEffort, sweep_->check({0, 0, 0}, {0, 0, 0}, 0.02).reason);
  sweep_->forget();
  sweep_->grant(12);
  EXPECT_TRUE(sweep_->check({0, 0, 0}, {0, 0, 0}, 0.02).ok());
}

// With the shoulder at 0.8 and the elbow at 0.3 the nearest two by their spheres are the upper arm
// and the post, sqrt(0.348^2 + 1.859^2 + 0.1^2) - 0.5 - 1 - 0.1 = 0.29 m. 0.05 rad of both joints
// move nothing by more than 0.15 m.
TEST_F(SweptCollisionTest, WhatIsKnownNearbyCostsNothing) {
  ASSERT_TRUE(check({0.8, 0.3, 0}, {0.8, 0.3, 0}).ok());
  sweep_->grant(1);
  EXPECT_TRUE(sweep_->check({0.85, 0.25, 0}, {0.75, 0.35, 0}, 0.02).ok());
  EXPECT_TRUE(sweep_->check({0.75, 0.3, 0}, {0.75, 0.3, 0}, 0.02).ok());
}

// The stretched arm along x has its upper arm 1.4 m away from the post and its forearm's sphere
// 0.52 m away from it, 0.77 m from the pedestal. To a shoulder angle of -1.07 the upper arm moves
// by 1.07 m, which leaves 0.3 m, the forearm by 2.1 m: its two pairs are looked at in the middle of
// the line, for 8 + 2.
TEST_F(SweptCollisionTest, AFewPairsInDoubtAreLookedAtAlone) {
  for (const std::size_t granted : {10, 11}) {
    ASSERT_TRUE(check({0, 0, 0}, {0, 0, 0}).ok());
    sweep_->grant(granted);
    const Finding finding = sweep_->check({-1.07, 0, 0}, {-1.06, 0, 0}, 0.02);
    EXPECT_EQ(granted == 11, finding.ok());
  }
  // Once the work is used up, not even a collision is looked for: the forearm points through the
  // post from (cos 1.3, -sin 1.3).
  const JointArray through = {-1.3, std::atan2(std::sin(1.3) - 1.5, -std::cos(1.3)) + 1.3, 0};
  for (const std::size_t granted : {10, 11}) {
    ASSERT_TRUE(check({0, 0, 0}, {0, 0, 0}).ok());
    sweep_->grant(granted);
    EXPECT_EQ(granted == 11 ? Reason::kCollision : Reason::kCollisionEffort,
              sweep_->check(through, through, 0.02).reason);
  }
}

// At a shoulder angle of 2 all three pairs are in doubt: the arm is looked at there anew, for 8 +
// 3, and known from then on.
TEST_F(SweptCollisionTest, ManyPairsInDoubtAreKnownAnew) {
  ASSERT_TRUE(check({0, 0, 0}, {0, 0, 0}).ok());
  sweep_->grant(12);
  EXPECT_TRUE(sweep_->check({1.99, 0, 0}, {2.01, 0, 0}, 0.02).ok());
  sweep_->grant(1);
  EXPECT_TRUE(sweep_->check({2.02, 0, 0}, {2.02, 0, 0}, 0.02).ok());
}

TEST_F(SweptCollisionTest, WhatIsNoNumberIsRefused) {
  // Also where the distances nearby are known already.
  for (int i = 0; i < 2; ++i) {
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      EXPECT_EQ(Reason::kNotFinite, check({bad, 0, 0}, {0, 0, 0}).reason);
      const Finding finding = check({0, 0, 0}, {0, bad, 0});
      EXPECT_EQ(Reason::kNotFinite, finding.reason);
      EXPECT_EQ(-1, finding.row);
      EXPECT_EQ(1, finding.joint);
    }
    EXPECT_TRUE(check({0, 0, 0}, {0, 0, 0}).ok());
  }
}

// ---- other cells

// A cell with its sweep.
struct Sweep {
  explicit Sweep(const RawConfiguration& raw, const CollisionWorld* world = nullptr)
      : configuration(duo::configuration(raw)) {
    if (world != nullptr) scene.replace_world(*world);
  }
  Finding check(const JointArray& from, const JointArray& to, std::size_t granted = 100'000) {
    sweep->grant(granted);
    return sweep->check(from, to, 0.02);
  }
  [[nodiscard]] Finding nearest(const JointArray& at) const {
    return nearest_pair(scene, configuration.arm.chain, at);
  }
  void expect(const Finding& finding, const char* body, const char* other) const {
    EXPECT_EQ(Reason::kCollision, finding.reason);
    EXPECT_EQ(body, scene.body(static_cast<std::size_t>(finding.body)).name.view());
    EXPECT_EQ(other, scene.body(static_cast<std::size_t>(finding.other)).name.view());
  }

  Configuration configuration;
  CollisionScene scene{configuration};
  std::unique_ptr<SweptCollision> sweep =
      std::make_unique<SweptCollision>(scene, configuration.arm.chain);
};

// The post stands at half of the upper arm's length.
RawConfiguration raw_with_a_near_post() {
  RawConfiguration raw = duo::raw_in_a_cell();
  duo::set_capsule(raw, "world.body.post", {0, -0.5, -1}, {0, -0.5, 1}, 0.05);
  return raw;
}

TEST(SweptCollisionCells, TheFirstPairIsSeenWhileTheOthersAreFar) {
  Sweep cell(raw_with_a_near_post());
  cell.expect(cell.check({kDown + 0.05, 0, 0}, {kDown - 0.05, 0, 0}), "upper", "post");
}

// Known far away, all pairs are in doubt; from the place looked at anew the first is still seen.
TEST(SweptCollisionCells, TheFirstPairIsSeenFromAPlaceThatIsKnownAnew) {
  Sweep cell(raw_with_a_near_post());
  ASSERT_TRUE(cell.check({1.5, 0, 0}, {1.5, 0, 0}).ok());
  cell.expect(cell.check({kDown + 0.3, 0, 0}, {kDown - 0.3, 0, 0}), "upper", "post");
}

// Two pairs, fewer than are ever known anew: 8 + 2 the first time, nothing nearby.
TEST(SweptCollisionCells, TheFirstPlaceIsKnownHoweverFewThePairs) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.lists["robot.collision.bodies"] = {"upper", "fore"};
  raw.texts.erase("robot.collision.body.pedestal.link");
  for (const char* field : {"position", "rpy", "size"}) {
    raw.vectors.erase(std::string("robot.collision.body.pedestal.") + field);
  }
  Sweep cell(raw);
  ASSERT_TRUE(cell.check({0, 0, 0}, {0, 0, 0}, 11).ok());
  EXPECT_TRUE(cell.check({0.01, 0, 0}, {0.01, 0, 0}, 1).ok());
}

// Seventeen pairs: five crates are far, and of two the forearm alone may come near. With the post
// and the pedestal four pairs are in doubt at -1.06, of which five would be too many.
TEST(SweptCollisionCells, HowManyPairsMayBeInDoubtGrowsWithTheirNumber) {
  auto world = duo::world();
  const auto add = [&](double x, double y) {
    world->bodies[world->body_count] = duo::world_box(
        ("crate" + std::to_string(world->body_count)).c_str(), {x, y, 0.1}, {0.2, 0.2, 0.2});
    ++world->body_count;
  };
  for (const double y : {-2.0, -1.0, 0.0, 1.0, 2.0}) add(5, y);
  add(2, 1.6);
  add(2, -1.6);
  Sweep cell(duo::raw_in_a_world(), world.get());
  ASSERT_EQ(17u, cell.scene.pairs().size());
  ASSERT_TRUE(cell.check({0, 0, 0}, {0, 0, 0}, 26).ok());
  EXPECT_TRUE(cell.check({-1.07, 0, 0}, {-1.06, 0, 0}, 13).ok());
}

// ---- a load that reaches back along the forearm: 0.1 m behind the elbow and 0.23 m beside it. It
// is 0.23 - 0.05 - 0.1 = 0.08 m away from the upper arm, and swings over it when the elbow bends:
// at 1 rad it lies 0.251 sin(1.981 + 1) = 0.040 m beside it, at 2 rad 0.187 m on the other side.

class SweptLoad : public testing::Test {
 protected:
  static std::unique_ptr<CollisionWorld> world() {
    auto world = duo::world();
    world->payload[world->payload_count++] = duo::world_capsule("load", {-1.1, 0.23, 0}, 0.1, 0.4);
    return world;
  }

  Sweep cell_{duo::raw_in_a_world(), world().get()};
};

TEST_F(SweptLoad, IsKeptFromAnEarlierLink) {
  EXPECT_TRUE(cell_.check({0, 0, 0}, {0, 0, 0}).ok());
  cell_.expect(cell_.check({0, 1, 0}, {0, 1, 0}), "load", "upper");
  cell_.expect(cell_.nearest({0, 0, 0}), "load", "upper");
  EXPECT_NEAR(0.08, cell_.nearest({0, 0, 0}).value, 1e-8);
}

TEST_F(SweptLoad, IsSeenOnItsWayThroughAnEarlierLink) {
  EXPECT_TRUE(cell_.check({0, 2, 0}, {0, 2, 0}).ok());
  cell_.expect(cell_.check({0, 0, 0}, {0, 2, 0}), "load", "upper");
}

// A joint that moves both moves neither towards the other: the shoulder's turn costs nothing.
TEST_F(SweptLoad, TurnsWithItsArmAsOne) {
  ASSERT_TRUE(cell_.check({0, 0, 0}, {0, 0, 0}).ok());
  EXPECT_TRUE(cell_.check({0, 0, 0}, {0.2, 0, 0}, 1).ok());
}

}  // namespace
}  // namespace openral::safety
