// Behaviour 18, collision: the ways of a tool that is commanded in space.
#include "swept_tool.hpp"

#include <cmath>
#include <limits>

#include "duo.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

constexpr double kMargin = 0.02;

// The cell without its pedestal, and with a bar of 0.05 m radius instead of the post. The tool
// point is 0.8 m along the forearm, which so reaches from 0.8 m behind it to 0.2 m before it.
RawConfiguration cell_with(const Vector3& from, const Vector3& to) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.vectors["robot.arm.tool_xyz"] = {0.8, 0, 0};
  raw.lists["robot.collision.bodies"] = {"upper", "fore"};
  raw.texts.erase("robot.collision.body.pedestal.link");
  for (const char* field : {"position", "rpy", "size"}) {
    raw.vectors.erase(std::string("robot.collision.body.pedestal.") + field);
  }
  duo::set_capsule(raw, "world.body.post", {from.begin(), from.end()}, {to.begin(), to.end()},
                   0.05);
  return raw;
}

struct Cell {
  explicit Cell(const RawConfiguration& raw, const CollisionWorld* world = nullptr)
      : configuration(duo::configuration(raw)) {
    if (world != nullptr) scene.replace_world(*world);
    tool.prepare();
  }
  Finding check(const ToolPose& from, const ToolPose& to, double margin = kMargin,
                std::size_t granted = 10'000) {
    tool.grant(granted);
    return tool.check(from, to, margin);
  }

  Configuration configuration;
  CollisionScene scene{configuration};
  SweptTool tool{scene, configuration.arm.chain};
};

// An upright post at (0, 1) beside a forearm that lies along x, from (-0.8, y) to (0.2, y): it is
// 1 - y - 0.1 away.
class SweptToolAside : public testing::Test {
 protected:
  [[nodiscard]] static ToolPose at(double y) {
    ToolPose pose;
    pose.position = {0, y, 0.1};
    return pose;
  }
  Cell cell_{cell_with({0, 1, -1}, {0, 1, 1})};
};

TEST_F(SweptToolAside, AWayStraightOnIsDecidedToItsEnd) {
  EXPECT_TRUE(cell_.check(at(0), at(0.879)).ok());
  EXPECT_TRUE(cell_.check(at(0.879), at(0)).ok());
  for (const bool towards : {true, false}) {
    const Finding finding = towards ? cell_.check(at(0), at(0.881)) : cell_.check(at(0.881), at(0));
    EXPECT_EQ(Reason::kCollision, finding.reason);
    EXPECT_LT(finding.value, kMargin);
    EXPECT_GT(finding.value, 0.018);
    EXPECT_EQ(kMargin, finding.limit);
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(-1, finding.joint);
    EXPECT_EQ("fore", cell_.scene.body(static_cast<std::size_t>(finding.body)).name.view());
    EXPECT_EQ("post", cell_.scene.body(static_cast<std::size_t>(finding.other)).name.view());
  }
}

TEST_F(SweptToolAside, AMiddleThatIsTooNearIsFoundAtOnce) {
  const Finding finding = cell_.check(at(0.85), at(0.95));
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_NEAR(0, finding.value, 1e-8);  // at 0.9
}

TEST_F(SweptToolAside, AMarginThatIsJustKeptIsKept) {
  const double distance = cell_.check(at(0.3), at(0.3), 10).value;
  EXPECT_NEAR(0.6, distance, 1e-8);
  EXPECT_TRUE(cell_.check(at(0.3), at(0.3), distance).ok());
  EXPECT_FALSE(cell_.check(at(0.3), at(0.3), std::nextafter(distance, 1)).ok());
  // In the middle of a way it is kept, and on the half that begins at 0.4 it is not.
  const double middle = cell_.check(at((0.4 + 0.2) / 2), at((0.4 + 0.2) / 2), 10).value;
  EXPECT_NEAR(0.55, cell_.check(at(0.4), at(0.2), middle).value, 1e-8);
}

TEST_F(SweptToolAside, WhatIsNoNumberIsTooNear) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Reason::kCollision, cell_.check(at(nan), at(0)).reason);
  EXPECT_EQ(Reason::kCollision, cell_.check(at(0), at(nan)).reason);
}

// One distance for the one pair of a tool that stands: the upper arm's is none of a tool's.
TEST_F(SweptToolAside, EveryDistanceCounts) {
  EXPECT_TRUE(cell_.check(at(0), at(0), kMargin, 1).ok());
  cell_.tool.prepare();  // anew, not once more
  EXPECT_TRUE(cell_.check(at(0), at(0), kMargin, 1).ok());
  Finding finding = cell_.check(at(0), at(0), kMargin, 0);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(0, finding.limit);
  // A way straight on is decided in its middle. One that ends 0.015 m away is not: the whole, its
  // first half and its second half are looked at, and the fourth distance is not granted.
  EXPECT_TRUE(cell_.check(at(0.5), at(0.879), kMargin, 1).ok());
  finding = cell_.check(at(0.5), at(0.885), kMargin, 3);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(3, finding.value);
  EXPECT_EQ(3, finding.limit);
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
}

TEST_F(SweptToolAside, WithoutAGrantNothingIsClear) {
  SweptTool tool(cell_.scene, cell_.configuration.arm.chain);
  tool.prepare();
  const Finding finding = tool.check(at(0), at(0), kMargin);
  EXPECT_EQ(Reason::kCollisionEffort, finding.reason);
  EXPECT_EQ(0, finding.value);
  EXPECT_EQ(0, finding.limit);
}

// The tool turns on the spot at the origin. A bar passes the forearm's plane 0.6 m behind it, so
// that a forearm turned by an angle is 0.6 sin(angle) - 0.1 away; what is farthest from the tool
// point, 0.8 m, is taken to move by 0.8 times the angle. On a way of 1.2 rad the last of 128 pieces
// has its middle 0.0046875 rad before its end.
class SweptToolTurn : public testing::TestWithParam<int> {
 protected:
  // About z the bar is upright, about y it lies along y, about x it lies along x and the forearm
  // along -y.
  SweptToolTurn() {
    const RawConfiguration bars[] = {cell_with({-2, -0.6, 0.1}, {2, -0.6, 0.1}),
                                     cell_with({-0.6, -2, 0.1}, {-0.6, 2, 0.1}),
                                     cell_with({-0.6, 0, -1}, {-0.6, 0, 1})};
    cell_ = std::make_unique<Cell>(bars[GetParam()]);
  }
  [[nodiscard]] static ToolPose turned_by(double angle) {
    ToolPose pose;
    pose.position = {0, 0, 0.1};
    const double half = std::sqrt(0.5);
    if (GetParam() == 0) pose.orientation = {0, 0, half, half};
    Vector3 turn{};
    turn[static_cast<std::size_t>(GetParam())] = angle;
    pose.orientation = turned(pose.orientation, turn);
    return pose;
  }
  std::unique_ptr<Cell> cell_;
};

// asin(0.1215 / 0.6): 0.0215 m at the end. 0.6 sin(0.2039 + 0.0046875) - 0.1 - 0.8 * 0.0046875 =
// 0.0205; with six halvings 0.0195.
TEST_P(SweptToolTurn, IsHalvedSevenTimesFromEitherEnd) {
  double end = std::asin(0.1215 / 0.6);
  EXPECT_TRUE(cell_->check(turned_by(end + 1.2), turned_by(end)).ok());
  EXPECT_TRUE(cell_->check(turned_by(end), turned_by(end + 1.2)).ok());
  // From 0.0208 m, 0.0198 is left: not decided, and refused.
  end = std::asin(0.1208 / 0.6);
  const double left = 0.6 * std::sin(end + 0.0046875) - 0.1 - 0.8 * 0.0046875;
  for (const bool towards : {true, false}) {
    const Finding finding = towards ? cell_->check(turned_by(end + 1.2), turned_by(end))
                                    : cell_->check(turned_by(end), turned_by(end + 1.2));
    EXPECT_EQ(Reason::kCollision, finding.reason);
    EXPECT_NEAR(left, finding.value, 1e-8);
  }
}

TEST_P(SweptToolTurn, HasNoTunnel) {
  EXPECT_TRUE(cell_->check(turned_by(0.3), turned_by(0.3)).ok());
  EXPECT_TRUE(cell_->check(turned_by(-0.9), turned_by(-0.9)).ok());
  EXPECT_EQ(Reason::kCollision, cell_->check(turned_by(0.3), turned_by(-0.9)).reason);
}

// q and -q are one orientation.
TEST_P(SweptToolTurn, TakesTheShorterWay) {
  ToolPose from = turned_by(0.4);
  for (double& value : from.orientation) value = -value;
  EXPECT_TRUE(cell_->check(from, turned_by(0.8)).ok());
  EXPECT_TRUE(cell_->check(turned_by(0.8), from).ok());
}

INSTANTIATE_TEST_SUITE_P(AboutEveryAxis, SweptToolTurn, testing::Values(0, 1, 2));

// The load is a rod 0.5 m before the tool point, the crate's near face 1 m before it.
TEST(SweptToolLoad, ALoadIsKeptFromWhatStands) {
  RawConfiguration raw = cell_with({0, 5, -1}, {0, 5, 1});
  raw.flags["world.required"] = true;
  raw.numbers["world.age_max_s"] = 0.05;
  raw.texts["world.frame"] = "base_link";
  auto world = duo::world_with(duo::world_box("crate", {1.1, 0, 0.1}, {0.2, 0.2, 0.2}));
  world->payload[world->payload_count++] = duo::world_capsule("rod", {0.5, 0, 0}, 0.05, 0.2);
  Cell cell(raw, world.get());
  ToolPose here;
  here.position = {0, 0, 0.1};
  ToolPose there = here;
  there.position[0] = 0.42;
  EXPECT_TRUE(cell.check(here, there).ok());  // 1 - 0.92 - 0.05 = 0.03
  there.position[0] = 0.44;
  const Finding finding = cell.check(here, there);
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_EQ("rod", cell.scene.body(static_cast<std::size_t>(finding.body)).name.view());
  EXPECT_EQ("crate", cell.scene.body(static_cast<std::size_t>(finding.other)).name.view());
  // Without a crate and a load nothing is in the way.
  cell.scene.replace_world(*duo::world());
  cell.tool.prepare();
  EXPECT_TRUE(cell.check(here, there, kMargin, 20).ok());
}

}  // namespace
}  // namespace openral::safety
