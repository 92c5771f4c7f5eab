// Behaviour 18, collision, where the robot itself turns poses or torques into motion of its joints.
#include <cmath>

#include "bench.hpp"
#include "duo_in_a_cell.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

constexpr double kDown = -M_PI / 2;

// The cell for every mode of an arm, with the post at (x, y).
RawConfiguration raw(double x, double y) {
  RawConfiguration raw = duo::raw_in_every_mode();
  const RawConfiguration cell = duo::raw_in_a_world();
  raw.flags["robot.collision.enabled"] = true;
  raw.flags["world.required"] = true;
  raw.numbers.insert(cell.numbers.begin(), cell.numbers.end());
  raw.texts.insert(cell.texts.begin(), cell.texts.end());
  raw.lists.insert(cell.lists.begin(), cell.lists.end());
  raw.vectors.insert(cell.vectors.begin(), cell.vectors.end());
  for (const char* field : {"workspace_min", "workspace_max"}) {
    raw.vectors[std::string("robot.arm.") + field] =
        cell.vectors.at(std::string("robot.arm.") + field);
  }
  duo::set_capsule(raw, "world.body.post", {x, y, -1}, {x, y, 1}, 0.05);
  return raw;
}

class CollisionModes : public testing::Test {
 protected:
  explicit CollisionModes(double x = 0, double y = -1.5) : bench_(raw(x, y)) {
    bench_.follows = false;
  }
  // Every tick brings a fresh world.
  void hear(CollisionWorld& world) {
    world.received = bench_.now + duo::kTick;
    world.stamp = bench_.now;
    bench_.inputs.world = &world;
  }
  void arm(double shoulder, double elbow) {
    bench_.measured.position = {shoulder, elbow, 0.04};
    hear(*empty_);
    bench_.start();
  }
  void send(Chunk& chunk) {
    hear(*empty_);
    bench_.send(chunk);
  }
  void expect_collision(const char* body, const char* other) {
    EXPECT_EQ("collision", bench_.reason_text());
    EXPECT_EQ(body, bench_.status().bodies.body.view());
    EXPECT_EQ(other, bench_.status().bodies.other.view());
  }

  duo::Bench bench_;
  std::unique_ptr<CollisionWorld> empty_ = duo::world();
};

// ---- poses: the tool's link is the forearm, which reaches back from the tool

// The tool stands at (2 cos 0.3, 0); the post is half a metre to its left.
class CollisionPoses : public CollisionModes {
 protected:
  CollisionPoses() : CollisionModes(2 * std::cos(0.3), 0.5) { arm(duo::kShoulder, duo::kElbow); }

  // To the left at up to 0.4 m/s.
  [[nodiscard]] static std::unique_ptr<Chunk> leftwards(int cruise) {
    return duo::poses(duo::leftwards(duo::trapezoid(2, cruise)));
  }
};

// Row r is at 0.012 + 0.008 (r - 2); at 0.4 m/s a stop takes 8 ticks, so it and the delay go
// 0.4 (8 * 0.005 / 2 + 0.005) = 0.01 m further. The forearm's end is 0.5 - 0.1 - s away from the
// post: the margin of 0.02 is broken for s > 0.37, from row 47 (0.372) on.
TEST_F(CollisionPoses, AToolsWayIsRefusedWhereItsStopWouldMeetThePost) {
  send(*leftwards(50));
  expect_collision("fore", "post");
  EXPECT_EQ(47, bench_.status().finding.row);
  EXPECT_EQ(0.02, bench_.status().finding.limit);
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(CollisionPoses, AToolsWayThatEndsBeforeThePostIsAdmitted) {
  send(*leftwards(40));
  EXPECT_EQ("", bench_.reason_text());
  EXPECT_EQ(State::kActive, bench_.state());
}

TEST_F(CollisionPoses, NoTunnelBetweenTwoPoses) {
  Configuration configuration = duo::configuration(raw(2 * std::cos(0.3), 0.5));
  const CollisionScene scene(configuration);
  SweptTool tool(scene, configuration.arm.chain);
  tool.prepare();
  ToolPose before;
  before.position = {1.9107, 0, 0.1};
  ToolPose behind = before;
  behind.position[1] = 1;
  const auto check = [&](const ToolPose& from, const ToolPose& to) {
    tool.grant(10'000);
    return tool.check(from, to, 0.02);
  };
  EXPECT_TRUE(check(before, before).ok());
  EXPECT_TRUE(check(behind, behind).ok());
  EXPECT_EQ(Reason::kCollision, check(before, behind).reason);
  // Turned on the spot by 0.6 rad to the left of the post, the forearm reaches back through it.
  ToolPose turned = behind;
  turned.position = {2.5, 0.5, 0.1};
  turned.orientation = {0, 0, std::sin(0.3), std::cos(0.3)};
  ToolPose back = turned;
  back.orientation[2] *= -1;
  EXPECT_TRUE(check(turned, turned).ok());
  EXPECT_TRUE(check(back, back).ok());
  EXPECT_EQ(Reason::kCollision, check(turned, back).reason);
  // A turn of 0.3 rad is decided in halves: 1 m away from the tool point it is 0.3 m long.
  ToolPose less = turned;
  less.orientation = {0, 0, std::sin(0.15), std::cos(0.15)};
  EXPECT_TRUE(check(turned, less).ok());
  tool.grant(1);
  EXPECT_EQ(Reason::kCollisionEffort, tool.check(turned, less, 0.02).reason);
}

TEST_F(CollisionPoses, WhatComesInTheWayOfAToolStopsIt) {
  auto chunk = leftwards(30);
  send(*chunk);
  ASSERT_EQ(State::kActive, bench_.state());
  auto world = duo::world_with(duo::world_box("crate", {1.91, 0.2, 0.1}, {0.2, 0.2, 0.2}));
  hear(*world);
  // After two rows the tool is 0.1 - 0.05 - 0.012 m away from it.
  bench_.ticks(8);
  EXPECT_EQ(State::kActive, bench_.state());
  world = duo::world_with(duo::world_box("crate", {1.91, 0.17, 0.1}, {0.2, 0.2, 0.2}));
  hear(*world);
  bench_.tick();
  expect_collision("fore", "crate");
  EXPECT_EQ(0.01, bench_.status().finding.limit);
  EXPECT_EQ(State::kBraking, bench_.state());
}

// A tool is held while its elbow creeps, as slowly as counts for standing, towards its end at 1
// rad: a stop would take two ticks, of which the first goes 0.045 / 2 * 0.005 = 0.00011 rad, and is
// not begun. What latched is forgotten with the next arming, the two bodies too.
TEST(CollisionLatch, ArmingForgetsTheBodies) {
  RawConfiguration values = raw(0, -1.5);
  values.numbers["state.rest_velocity"] = 0.05;
  duo::Bench bench(values);
  bench.follows = false;
  const auto tick_in = [&](CollisionWorld& world) {
    world.received = bench.now + duo::kTick;
    world.stamp = bench.now;
    bench.inputs.world = &world;
    bench.tick();
  };
  auto empty = duo::world();
  bench.measured.position = {-0.5, 0.99995, 0.04};
  tick_in(*empty);
  tick_in(*empty);
  bench.inputs.arm = true;
  tick_in(*empty);
  auto pose = duo::poses({duo::planar_pose(-0.5, 0.99995)});
  bench.stamp(*pose);
  bench.inputs.chunk = pose.get();
  tick_in(*empty);
  tick_in(*empty);
  ASSERT_EQ("", bench.reason_text());
  ASSERT_EQ(State::kHolding, bench.state());
  ASSERT_EQ(ControlMode::kCartesianPose, bench.last.mode);
  // In the forearm.
  auto world = duo::world_with(duo::world_box("crate", {1.4, -0.2, 0.1}, {0.2, 0.2, 0.2}));
  bench.measured.velocity[1] = 0.045;
  tick_in(*empty);
  tick_in(*empty);
  ASSERT_EQ(State::kHolding, bench.state()) << bench.reason_text();
  tick_in(*world);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("collision", bench.reason_text());
  EXPECT_EQ("fore", bench.status().bodies.body.view());
  EXPECT_EQ("crate", bench.status().bodies.other.view());
  bench.inputs.reset = true;
  tick_in(*empty);
  EXPECT_EQ("fore", bench.status().bodies.body.view());
  bench.inputs.arm = true;
  tick_in(*empty);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ("", bench.reason_text());
  EXPECT_EQ("", bench.status().bodies.body.view());
  EXPECT_EQ("", bench.status().bodies.other.view());
}

// ---- torques: only the measurement says where the arm goes

class CollisionTorques : public CollisionModes {};

// From phi = 0.09 at 0.5 rad/s a stop of 10 ticks, the delay and a tick go 0.5 * 0.035 = 0.0175 rad
// further at least: 1.5 sin 0.0725 - 0.1 = 0.0087.
TEST_F(CollisionTorques, AnArmThatMovesTowardsThePostIsStopped) {
  arm(kDown + 0.2, 0);
  auto chunk = duo::torques({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  send(*chunk);
  ASSERT_EQ(State::kActive, bench_.state());
  bench_.measured.position[0] = kDown + 0.16;
  bench_.measured.velocity[0] = -0.5;
  hear(*empty_);
  bench_.ticks(2);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.measured.position[0] = kDown + 0.09;
  hear(*empty_);
  bench_.ticks(2);
  expect_collision("fore", "post");
  EXPECT_EQ(0.01, bench_.status().finding.limit);
  EXPECT_EQ(State::kBraking, bench_.state());
}

TEST_F(CollisionTorques, NoTorqueIsAdmittedOnAnArmThatLeansOnThePost) {
  arm(kDown + 0.06, 0);
  auto chunk = duo::torques({{0, 0, 0}, {0, 0, 0}});
  send(*chunk);
  expect_collision("fore", "post");
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(1u, bench_.status().chunks_refused);
  EXPECT_EQ(0u, bench_.status().stops);
}

}  // namespace
}  // namespace openral::safety
