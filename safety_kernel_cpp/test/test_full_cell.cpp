// Behaviour 18, collision, where every capacity is filled: sixteen joints, 24 bodies of links, 4 of
// a load, 16 that stand for good and 32 of a world.
#include <gtest/gtest.h>

#include <cmath>

#include "collision_guard.hpp"
#include "duo_full_robot.hpp"
#include "duo_in_a_cell.hpp"
#include "swept_collision.hpp"
#include "swept_tool.hpp"

namespace openral::safety {
namespace {

constexpr std::size_t kLinks = kMaxLinkBodies;
constexpr double kMargin = 0.005;

// Links of 1 cm with a capsule of 1 mm radius each, eight more on the last one. What stands are
// cubes of 1 cm in a plane 4 cm above the arm's, x from 1 to 48 cm; as world bodies the last 32 of
// them.
RawConfiguration raw() {
  RawConfiguration raw = duo::raw_full();
  const std::string robot = "robot.collision.";
  raw.flags[robot + "enabled"] = true;
  raw.numbers[robot + "margin"] = kMargin;
  raw.numbers[robot + "stop_margin"] = 0.001;
  for (std::size_t b = 0; b < kLinks; ++b) {
    const std::string name = "b" + std::to_string(b);
    raw.lists[robot + "bodies"].push_back(name);
    raw.texts[robot + "body." + name + ".link"] = duo::full_joint(std::min(b, kMaxJoints - 1));
    duo::set_capsule(raw, robot + "body." + name, {0, 0, 0}, {0.01, 0, 0}, 0.001);
  }
  for (std::size_t s = 0; s < kMaxStaticBodies; ++s) {
    const std::string name = "s" + std::to_string(s);
    raw.lists["world.bodies"].push_back(name);
    raw.vectors["world.body." + name + ".position"] = {0.01 * static_cast<double>(s + 1), 0, 0.04};
    raw.vectors["world.body." + name + ".rpy"] = {0, 0, 0};
    raw.vectors["world.body." + name + ".size"] = {0.01, 0.01, 0.01};
  }
  raw.flags["world.required"] = true;
  raw.numbers["world.age_max_s"] = 0.05;
  raw.texts["world.frame"] = "base_link";
  return raw;
}

class FullCell : public testing::Test {
 protected:
  FullCell() {
    for (std::size_t w = 0; w < kMaxWorldBodies; ++w) {
      const double x = 0.01 * static_cast<double>(kMaxStaticBodies + w + 1);
      world_->bodies[world_->body_count++] =
          duo::world_box(("w" + std::to_string(w)).c_str(), {x, 0, 0.04}, {0.01, 0.01, 0.01});
    }
    for (std::size_t p = 0; p < kMaxPayloadBodies; ++p) {
      world_->payload[world_->payload_count++] =
          duo::world_capsule(("p" + std::to_string(p)).c_str(), {0, 0, 0}, 0.001, 0.002);
    }
    scene_.replace_world(*world_);
  }
  [[nodiscard]] Finding check(const JointArray& from, const JointArray& to) {
    sweep_->grant(1'000'000);
    return sweep_->check(from, to, kMargin);
  }
  [[nodiscard]] std::string name(std::int16_t body) const {
    return std::string(scene_.body(static_cast<std::size_t>(body)).name.view());
  }

  const Configuration configuration_ = [] {
    Configuration configuration;
    const auto error = configure(raw(), configuration);
    EXPECT_FALSE(error.has_value()) << error->text();
    return configuration;
  }();
  const std::unique_ptr<CollisionWorld> world_ = duo::world();
  CollisionScene scene_{configuration_};
  const std::unique_ptr<SweptCollision> sweep_ =
      std::make_unique<SweptCollision>(scene_, configuration_.arm.chain);
};

// 28 bodies that move against 48 that stand, and of those that move every two whose links share no
// joint.
TEST_F(FullCell, HasAllItsPairs) {
  EXPECT_EQ(28u, scene_.moving_count());
  std::size_t standing = 0;
  for (std::size_t b = 0; b < 28; ++b) {
    EXPECT_EQ(48u, scene_.standing_end(b) - scene_.standing_begin(b)) << b;
    standing += scene_.standing_end(b) - scene_.standing_begin(b);
  }
  EXPECT_EQ(standing + scene_.standing_begin(0), scene_.pairs().size());
  // Links 0 to 14: 15 * 14 / 2 - 14 pairs; with the nine links' bodies of link 15, 14 * 9; with the
  // four of the load, which has no excuse on link 14, 15 * 4.
  EXPECT_EQ(91u + 126u + 60u, scene_.standing_begin(0));
  // What rides on the last link is moved by every joint.
  EXPECT_GT(scene_.lever(27, 0), 0.16);
  EXPECT_GT(scene_.lever(27, 15), 0);
}

// The stretched arm turns by 1.5 rad below cubes that it nowhere comes nearer to than 0.034 m,
// though the bound from the middle of the way leaves hundreds of pairs in doubt.
TEST_F(FullCell, DecidesHundredsOfPairs) {
  JointArray from{};
  JointArray to{};
  from[0] = -0.75;
  to[0] = 0.75;
  EXPECT_TRUE(check(from, to).ok());
  // The last joint alone, and all of them, a little.
  to = {};
  to[kMaxJoints - 1] = 0.5;
  EXPECT_TRUE(check({}, to).ok());
  to.fill(0.05);
  EXPECT_TRUE(check({}, to).ok());
}

// The last body of the world lies in the arm's plane, at 0.7 rad from the first joint, which stands
// at x = 0.01 m: 0.16 m away from it, where the arm ends.
TEST_F(FullCell, SeesTheLastBodyOfTheWorld) {
  world_->bodies[kMaxWorldBodies - 1].position = {0.01 + 0.16 * std::cos(0.7), 0.16 * std::sin(0.7),
                                                  0};
  scene_.replace_world(*world_);
  JointArray from{};
  JointArray to{};
  from[0] = -0.75;
  to[0] = 0.75;
  Finding finding = check(from, to);
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_EQ("w31", name(finding.other));
  // At 0.18 m its nearest corner is 0.173 m away: the arm ends at 0.161, the load at 0.169.
  world_->bodies[kMaxWorldBodies - 1].position = {0.01 + 0.18 * std::cos(0.7), 0.18 * std::sin(0.7),
                                                  0};
  world_->payload[kMaxPayloadBodies - 1].position = {0.008, 0, 0};
  scene_.replace_world(*world_);
  sweep_->forget();
  finding = check(from, to);
  EXPECT_EQ(Reason::kCollision, finding.reason);
  EXPECT_EQ("p3", name(finding.body));
  EXPECT_EQ("w31", name(finding.other));
}

// In the kernel's hands: a chunk of the last joint, a step, and a way of the tool.
TEST_F(FullCell, IsGuardedWhole) {
  CollisionGuard guard(configuration_);
  guard.hear(*world_);
  EXPECT_TRUE(guard.check_world_known(0).ok());
  auto chunk = std::make_unique<Chunk>();
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointPosition);
  chunk->dt = 0.02;
  chunk->horizon = 2;
  for (std::size_t i = 0; i < 2 * kMaxJoints; ++i) chunk->values[chunk->value_count++] = 0;
  chunk->values[2 * kMaxJoints - 1] = 0.01;
  const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
  EXPECT_TRUE(guard.check_chunk(*chunk, columns, 0, {}).ok());
  JointArray to{};
  to[kMaxJoints - 1] = 0.001;
  EXPECT_TRUE(guard.check_step({}, to, {}).ok());
  SweptTool tool(scene_, configuration_.arm.chain);
  tool.prepare();
  tool.grant(100'000);
  ToolPose here;
  here.position = {0.17, 0, 0};
  EXPECT_TRUE(tool.check(here, here, kMargin).ok());
  here.position[2] = 0.04;
  EXPECT_EQ(Reason::kCollision, tool.check(here, here, kMargin).reason);
}

}  // namespace
}  // namespace openral::safety
