// Behaviour 18, collision: which pairs are kept apart, and how far a joint moves a body.
#include "collision_scene.hpp"

#include <cmath>
#include <set>
#include <string>

#include "duo.hpp"
#include "duo_full_robot.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

// first:second of every pair.
std::set<std::string> pairs_of(const CollisionScene& scene) {
  std::set<std::string> names;
  for (const BodyPair& pair : scene.pairs()) {
    names.insert(std::string(scene.body(pair.first).name.view()) + ":" +
                 std::string(scene.body(pair.second).name.view()));
  }
  EXPECT_EQ(scene.pairs().size(), names.size());
  return names;
}

using Names = std::set<std::string>;

TEST(CollisionScene, LinksThatShareAJointAreNoPair) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_cell());
  const CollisionScene scene(configuration);
  EXPECT_EQ(2u, scene.moving_count());
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post"}), pairs_of(scene));
}

TEST(CollisionScene, AllowedPairsAreNoPair) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.lists["robot.collision.allowed"] = {"post:upper", "fore:pedestal"};
  const Configuration configuration = duo::configuration(raw);
  EXPECT_EQ((Names{"fore:post"}), pairs_of(CollisionScene(configuration)));
}

TEST(CollisionScene, WithoutCollisionThereIsNoPair) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.flags["robot.collision.enabled"] = false;
  const Configuration configuration = duo::configuration(raw);
  EXPECT_TRUE(pairs_of(CollisionScene(configuration)).empty());
}

TEST(CollisionScene, AWorldReplacesTheOneBefore) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  CollisionScene scene(configuration);
  scene.replace_world(*duo::world_with(duo::world_box("crate", {1, 1, 0}, {1, 1, 1})));
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post", "fore:crate", "upper:crate"}),
            pairs_of(scene));
  scene.replace_world(*duo::world_with(duo::world_box("bin", {1, 1, 0}, {1, 1, 1})));
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post", "fore:bin", "upper:bin"}),
            pairs_of(scene));
  scene.replace_world(*duo::world());
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post"}), pairs_of(scene));
}

// The load may meet the link that holds it, and what it is said to stand on.
TEST(CollisionScene, ALoadIsKeptFromAllButItsToolAndWhatItMayTouch) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  CollisionScene scene(configuration);
  auto world = duo::world_with(duo::world_box("shelf", {1, 1, 0}, {1, 1, 1}));
  world->payload[world->payload_count++] = duo::world_capsule("bottle", {0, 0, 0}, 0.1, 0.2);
  scene.replace_world(*world);
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post", "fore:shelf", "upper:shelf",
                   "bottle:upper", "bottle:pedestal", "bottle:post", "bottle:shelf"}),
            pairs_of(scene));
  world->touchable[world->touchable_count++].assign("shelf");
  scene.replace_world(*world);
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post", "fore:shelf", "upper:shelf",
                   "bottle:upper", "bottle:pedestal", "bottle:post"}),
            pairs_of(scene));
}

// The world says what a load may touch; the robot's own bodies it may not.
TEST(CollisionScene, ALoadMayTouchNoLinkWhateverTheWorldSays) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  CollisionScene scene(configuration);
  auto world = duo::world();
  world->payload[world->payload_count++] = duo::world_capsule("bottle", {0, 0, 0}, 0.1, 0.2);
  for (const char* name : {"upper", "pedestal", "post"}) {
    world->touchable[world->touchable_count++].assign(name);
  }
  scene.replace_world(*world);
  EXPECT_EQ((Names{"fore:pedestal", "fore:post", "upper:post", "bottle:upper", "bottle:pedestal"}),
            pairs_of(scene));
}

// A body of the world without a name is none that may be touched.
TEST(CollisionScene, NoNameIsNoPermission) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  CollisionScene scene(configuration);
  auto world = duo::world_with(duo::world_box("", {1, 1, 0}, {1, 1, 1}));
  world->payload[world->payload_count++] = duo::world_capsule("bottle", {0, 0, 0}, 0.1, 0.2);
  scene.replace_world(*world);
  EXPECT_EQ(1u, pairs_of(scene).count("bottle:"));
  for (std::size_t i = 0; i < kMaxTouchable; ++i) {
    world->touchable[world->touchable_count++].assign("shelf" + std::to_string(i));
  }
  scene.replace_world(*world);
  EXPECT_EQ(1u, pairs_of(scene).count("bottle:"));
}

// Bodies in the order of the file: two links that share no joint are a pair, also next to each
// other in it.
TEST(CollisionScene, TheOrderOfBodiesIsNoMatter) {
  RawConfiguration raw = duo::raw_full();
  raw.flags["robot.collision.enabled"] = true;
  raw.numbers["robot.collision.margin"] = 0;
  raw.numbers["robot.collision.stop_margin"] = 0;
  raw.flags["world.required"] = false;
  for (const std::size_t link : {0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
    const std::string name = "b" + std::to_string(link);
    raw.lists["robot.collision.bodies"].push_back(name);
    raw.texts["robot.collision.body." + name + ".link"] = duo::full_joint(link);
    duo::set_capsule(raw, "robot.collision.body." + name, {0, 0, 0}, {0.01, 0, 0}, 0.001);
  }
  const Configuration configuration = duo::configuration(raw);
  const Names pairs = pairs_of(CollisionScene(configuration));
  EXPECT_EQ(105u, pairs.size());  // 16 * 15 / 2 less the 15 that share a joint
  EXPECT_EQ(1u, pairs.count("b2:b0"));
  EXPECT_EQ(0u, pairs.count("b1:b2") + pairs.count("b2:b1"));
}

// A load is placed in the tool's frame: the tool is 1 m along x of the elbow's frame.
TEST(CollisionScene, ALoadStandsAtTheTool) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  CollisionScene scene(configuration);
  auto world = duo::world();
  world->payload[world->payload_count++] = duo::world_capsule("rod", {0.1, 0.2, 0.3}, 0.1, 0.4);
  scene.replace_world(*world);
  const CollisionBody& rod = scene.body(2);
  EXPECT_EQ("rod", rod.name.view());
  EXPECT_EQ(1, rod.link);
  EXPECT_NEAR(1.1, rod.solid.centre[0], 1e-12);
  EXPECT_NEAR(0.2, rod.solid.centre[1], 1e-12);
  EXPECT_NEAR(0.2, rod.solid.axis[2], 1e-12);
}

// Links of 1 m about z: one's own joint moves a point of its axis by its distance from the joint,
// the shoulder moves the forearm by both lengths at most.
TEST(CollisionScene, LeversOfThePlanarArm) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_cell());
  const CollisionScene scene(configuration);
  EXPECT_NEAR(1, scene.lever(0, 0), 1e-12);  // upper, shoulder
  EXPECT_EQ(0, scene.lever(0, 1));           // upper, elbow
  EXPECT_NEAR(2, scene.lever(1, 0), 1e-12);  // fore, shoulder
  EXPECT_NEAR(1, scene.lever(1, 1), 1e-12);  // fore, elbow
}

// What lies along a joint's axis is not moved by it.
TEST(CollisionScene, LeversCountOnlyWhatLiesAcrossTheAxis) {
  RawConfiguration raw = duo::raw_in_a_cell();
  raw.vectors["robot.arm.chain.elbow.xyz"] = {0.3, 0.4, 1.5};
  duo::set_capsule(raw, "robot.collision.body.fore", {0, 0, 2}, {0.6, 0.8, 2}, 0.05);
  const Configuration configuration = duo::configuration(raw);
  const CollisionScene scene(configuration);
  EXPECT_NEAR(1, scene.lever(1, 1), 1e-12);  // hypot(0.6, 0.8), the height 2 is along the axis
  // The same for an axis that is none of the frame's, in a frame that is turned against the one
  // before: (2, 3, 6) / 7 times (0.2, 0.5, 0.1) is (-2.7, 1, 0.4) / 7, and the other end lies on
  // the joint.
  RawConfiguration turned = duo::raw_in_a_cell();
  turned.vectors["robot.arm.chain.elbow.axis"] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  turned.vectors["robot.arm.chain.elbow.rpy"] = {0.3, -0.4, 0.5};
  duo::set_capsule(turned, "robot.collision.body.fore", {0, 0, 0}, {0.2, 0.5, 0.1}, 0.05);
  const Configuration askew = duo::configuration(turned);
  EXPECT_NEAR(std::sqrt(8.45) / 7, CollisionScene(askew).lever(1, 1), 1e-12);
  // hypot(0.3, 0.4) across the shoulder's axis, and the farthest point sqrt(0.36 + 0.64 + 4).
  EXPECT_NEAR(0.5 + std::sqrt(5.0), scene.lever(1, 0), 1e-12);
}

}  // namespace
}  // namespace openral::safety
