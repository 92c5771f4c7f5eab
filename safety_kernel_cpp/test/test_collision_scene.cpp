// Behaviour 18, collision: which pairs are kept apart, and how far a joint moves a body.
#include "collision_scene.hpp"

#include <cmath>
#include <set>
#include <string>

#include "duo.hpp"
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
  // hypot(0.3, 0.4) across the shoulder's axis, and the farthest point sqrt(0.36 + 0.64 + 4).
  EXPECT_NEAR(0.5 + std::sqrt(5.0), scene.lever(1, 0), 1e-12);
}

}  // namespace
}  // namespace openral::safety
