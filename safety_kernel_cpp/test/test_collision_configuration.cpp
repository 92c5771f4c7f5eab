// Behaviours 2 and 18: no body is left out silently.
#include "collision_configuration.hpp"

#include <limits>

#include "duo.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

using duo::error_of;

TEST(CollisionConfiguration, AcceptsACell) {
  const CollisionLimits limits = duo::configuration(duo::raw_in_a_cell()).collision;
  EXPECT_TRUE(limits.enabled);
  EXPECT_EQ(0.02, limits.margin);
  EXPECT_EQ(0.01, limits.stop_margin);
  ASSERT_EQ(3u, limits.links.size());
  EXPECT_EQ(kStanding, limits.links[0].link);
  EXPECT_TRUE(limits.links[0].solid.box);
  EXPECT_EQ(1, limits.links[2].link);
  EXPECT_EQ(0.05, limits.links[2].solid.radius);
  ASSERT_EQ(1u, limits.statics.size());
  EXPECT_FALSE(limits.world_required);
  const CollisionLimits world = duo::configuration(duo::raw_in_a_world()).collision;
  EXPECT_TRUE(world.world_required);
  EXPECT_EQ(50'000'000, world.world_age_max);
  EXPECT_EQ("base_link", world.world_frame.view());
}

// Leaving the check out must be said, not forgotten.
TEST(CollisionConfiguration, MustBeSwitchedOnOrOff) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.flags.erase("robot.collision.enabled");
  EXPECT_EQ("robot.collision.enabled", error_of(raw).field);
  raw = duo::raw_in_a_cell();
  raw.flags.erase("world.required");
  EXPECT_EQ("world.required", error_of(raw).field);
}

TEST(CollisionConfiguration, NeedsForwardKinematics) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.flags["robot.arm.forward_kinematics"] = false;
  EXPECT_EQ("robot.collision.enabled", error_of(raw).field);
}

TEST(CollisionConfiguration, AWorldThatIsRequiredNeedsTheCheck) {
  RawConfiguration raw = duo::raw_in_a_world();
  raw.flags["robot.collision.enabled"] = false;
  EXPECT_EQ("world.required", error_of(raw).field);
}

// Deny by default: a link without a body could meet anything.
TEST(CollisionConfiguration, DenyByDefaultEveryMovingLinkHasABody) {
  for (const char* forgotten : {"upper", "fore"}) {
    RawConfiguration raw = duo::raw_in_a_cell();
    raw.texts[std::string("robot.collision.body.") + forgotten + ".link"] = "base";
    const ConfigurationError error = error_of(raw);
    EXPECT_EQ("robot.collision.bodies", error.field);
    EXPECT_EQ(std::string("none on '") + (forgotten[0] == 'u' ? "shoulder'" : "elbow'"),
              error.value);
  }
  RawConfiguration raw = duo::raw_in_a_cell();
  const auto erase = [](auto& fields) {
    for (auto it = fields.begin(); it != fields.end();) {
      it = it->first.rfind("robot.collision.bod", 0) == 0 ? fields.erase(it) : std::next(it);
    }
  };
  erase(raw.vectors);
  erase(raw.lists);
  erase(raw.texts);
  erase(raw.numbers);
  EXPECT_EQ("robot.collision.bodies", error_of(raw).field);
}

TEST(CollisionConfiguration, TotalConfigurationRefusesEveryBadFieldByName) {
  const RawConfiguration good = duo::raw_in_a_world();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, value] : good.vectors) {
    if (name.rfind("robot.collision.", 0) != 0 && name.rfind("world.", 0) != 0) continue;
    RawConfiguration raw = good;
    raw.vectors.erase(name);
    EXPECT_EQ(name, error_of(raw).field);
    raw = good;
    raw.vectors[name].push_back(0);
    EXPECT_EQ(name, error_of(raw).field);
    for (const double bad : {nan, 1e9, -1e9}) {
      raw = good;
      raw.vectors[name][1] = bad;
      EXPECT_EQ(name, error_of(raw).field);
    }
  }
  for (const auto& [name, value] : good.numbers) {
    if (name.rfind("robot.collision.", 0) != 0 && name.rfind("world.", 0) != 0) continue;
    RawConfiguration raw = good;
    raw.numbers.erase(name);
    EXPECT_EQ(name, error_of(raw).field);
    for (const double bad : {nan, -1.0, 1e9}) {
      raw.numbers[name] = bad;
      EXPECT_EQ(name, error_of(raw).field);
    }
  }
  RawConfiguration raw = good;
  raw.texts.erase("world.frame");
  EXPECT_EQ("world.frame", error_of(raw).field);
  raw = good;
  // Half of the least number above 0 is 0.
  for (const double edge : {0.0, 4.9e-324, 0.0009}) {
    raw.vectors["robot.collision.body.pedestal.size"][1] = edge;
    EXPECT_EQ("robot.collision.body.pedestal.size", error_of(raw).field) << edge;
  }
  raw.vectors["robot.collision.body.pedestal.size"][1] = 0.001;
  EXPECT_EQ(0.0005, duo::configuration(raw).collision.links[0].solid.half[1]);
  raw.vectors.erase("robot.collision.body.pedestal.size");
  EXPECT_EQ("missing", error_of(raw).value);
}

TEST(CollisionConfiguration, AFrameHasANameOfAtMost64Bytes) {
  RawConfiguration raw = duo::raw_in_a_world();
  raw.texts["world.frame"] = std::string(64, 'f');
  EXPECT_EQ(std::string(64, 'f'), duo::configuration(raw).collision.world_frame.view());
  for (const std::string& bad : {std::string(), std::string(65, 'f')}) {
    raw.texts["world.frame"] = bad;
    const ConfigurationError error = error_of(raw);
    EXPECT_EQ("world.frame", error.field);
    EXPECT_EQ(bad, error.value);
  }
  raw.texts.erase("world.frame");
  EXPECT_EQ("missing", error_of(raw).value);
}

TEST(CollisionConfiguration, ABodyHasANameOfAtMost64Bytes) {
  for (const std::size_t length : {64, 65}) {
    RawConfiguration raw = duo::raw_in_a_cell();
    const std::string name(length, 'p');
    raw.lists["world.bodies"].push_back(name);
    duo::set_capsule(raw, "world.body." + name, {9, 9, 0}, {9, 9, 1}, 0.1);
    if (length == 64) {
      EXPECT_EQ(name, duo::configuration(raw).collision.statics[1].name.view());
    } else {
      EXPECT_EQ("world.bodies", error_of(raw).field);
    }
  }
}

TEST(CollisionConfiguration, ABodyHasOneShape) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.numbers["robot.collision.body.pedestal.radius"] = 0.1;
  EXPECT_EQ("robot.collision.body.pedestal.position", error_of(raw).field);
  raw = duo::raw_in_a_cell();
  raw.vectors["robot.collision.body.pedestal.from"] = {0, 0, 0};
  EXPECT_EQ("robot.collision.body.pedestal.radius", error_of(raw).field);
}

TEST(CollisionConfiguration, UnknownFieldsAreRefusedEvenWithTheCheckOff) {
  for (const bool on : {false, true}) {
    RawConfiguration raw = duo::raw_in_a_cell();
    raw.flags["robot.collision.enabled"] = on;
    raw.numbers["robot.collision.margn"] = 0.1;
    EXPECT_EQ("robot.collision.margn", error_of(raw).field);
    raw = duo::raw_in_a_cell();
    raw.flags["robot.collision.enabled"] = on;
    raw.numbers["world.body.pots.radius"] = 0.1;
    EXPECT_EQ("world.body.pots.radius", error_of(raw).field);
    // What stands has no link.
    raw = duo::raw_in_a_cell();
    raw.flags["robot.collision.enabled"] = on;
    raw.texts["world.body.post.link"] = "base";
    EXPECT_EQ("world.body.post.link", error_of(raw).field);
  }
}

TEST(CollisionConfiguration, NamesAreDistinctAcrossRobotAndWorld) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.lists["robot.collision.bodies"] = {"pedestal", "upper", "fore", "fore"};
  EXPECT_EQ("robot.collision.bodies", error_of(raw).field);
  raw = duo::raw_in_a_cell();
  raw.lists["world.bodies"] = {"post", "fore"};
  EXPECT_EQ("world.bodies", error_of(raw).field);
  raw = duo::raw_in_a_cell();
  raw.lists["world.bodies"] = {"post", ""};
  EXPECT_EQ("world.bodies", error_of(raw).field);
}

TEST(CollisionConfiguration, MoreBodiesThanThereIsRoomForAreRefused) {
  RawConfiguration raw = duo::raw_in_a_cell();
  for (int i = 0; i < 16; ++i) {
    const std::string name = "post" + std::to_string(i);
    raw.lists["world.bodies"].push_back(name);
    duo::set_capsule(raw, "world.body." + name, {9, 9, 0}, {9, 9, 1}, 0.1);
  }
  EXPECT_EQ("world.bodies", error_of(raw).field);
  raw.lists["world.bodies"].pop_back();
  for (const char* field : {".from", ".to"})
    raw.vectors.erase("world.body.post15" + std::string(field));
  raw.numbers.erase("world.body.post15.radius");
  EXPECT_EQ(16u, duo::configuration(raw).collision.statics.size());
}

TEST(CollisionConfiguration, ALinkIsAJointOfTheArm) {
  for (const char* bad : {"finger", "wrist", ""}) {
    RawConfiguration raw = duo::raw_in_a_cell();
    raw.texts["robot.collision.body.fore.link"] = bad;
    const ConfigurationError error = error_of(raw);
    EXPECT_EQ("robot.collision.body.fore.link", error.field);
    // The choices are named.
    EXPECT_NE(std::string::npos, error.valid.find("base, shoulder, elbow")) << error.valid;
    // The gripper is none, wherever it stands among the joints.
    raw.lists["robot.joints"] = {"finger", "shoulder", "elbow"};
    EXPECT_EQ("robot.collision.body.fore.link", error_of(raw).field);
  }
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.texts.erase("robot.collision.body.fore.link");
  EXPECT_EQ("missing", error_of(raw).value);
}

TEST(CollisionConfiguration, AllowedPairsNameTwoBodies) {
  for (const char* bad : {"fore", "fore:", "fore:fore", "fore:wall", "fore:post:upper", ""}) {
    RawConfiguration raw = duo::raw_in_a_cell();
    raw.lists["robot.collision.allowed"] = {bad};
    EXPECT_EQ("robot.collision.allowed", error_of(raw).field) << bad;
  }
}

// A stop that comes before a refusal would stop what was just admitted.
TEST(CollisionConfiguration, TheStopMarginIsNoWiderThanTheMargin) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.numbers["robot.collision.stop_margin"] = 0.021;
  EXPECT_EQ("robot.collision.stop_margin", error_of(raw).field);
  raw.numbers["robot.collision.stop_margin"] = 0.02;
  EXPECT_TRUE(duo::configuration(raw).collision.enabled);
}

TEST(CollisionConfiguration, EveryFieldIsDescribed) {
  const RawConfiguration raw = duo::raw_in_a_world();
  const auto expect = [](const auto& fields) {
    for (const auto& [name, value] : fields) {
      if (name.rfind("robot.collision.", 0) != 0 && name.rfind("world.", 0) != 0) continue;
      EXPECT_NE("", describe_collision_field(name)) << name;
    }
  };
  expect(raw.numbers);
  expect(raw.flags);
  expect(raw.texts);
  expect(raw.lists);
  expect(raw.vectors);
  EXPECT_EQ("", describe_collision_field("robot.collision.margn"));
}

TEST(CollisionConfiguration, HashCoversTheBodies) {
  RawConfiguration raw = duo::raw_in_a_cell();
  const auto hash = duo::configuration(raw).hash;
  raw.numbers["world.body.post.radius"] = 0.051;
  EXPECT_NE(hash, duo::configuration(raw).hash);
}

}  // namespace
}  // namespace openral::safety
