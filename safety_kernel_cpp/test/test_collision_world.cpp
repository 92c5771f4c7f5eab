// Behaviour 18, collision: a world that cannot be trusted is refused by a typed reason.
#include "collision_world.hpp"

#include <cmath>
#include <limits>

#include "duo.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class World : public testing::Test {
 protected:
  Finding check() const { return check_world(configuration_, *world_); }
  // The second of three bodies.
  WorldBody& body() { return world_->bodies[1]; }
  void expect(Reason reason, std::int32_t row = 1) {
    EXPECT_EQ(reason_name(reason), reason_name(check().reason));
    EXPECT_EQ(row, check().row);
  }

  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) {
      world_->bodies[world_->body_count++] = duo::world_box(name, {1, 2, 3}, {0.1, 0.2, 0.3});
    }
  }

  Configuration configuration_ = duo::configuration(duo::raw_in_a_world());
  std::unique_ptr<CollisionWorld> world_ = duo::world();
};

TEST_F(World, IsTakenWhereEveryBodyIsWhole) {
  EXPECT_TRUE(check().ok());
  world_->payload[world_->payload_count++] = duo::world_capsule("d", {0, 0, 0}, 0.1, 0.2);
  EXPECT_TRUE(check().ok());
}

TEST_F(World, NanOrInfinityAnywhereIsRefused) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (std::size_t i = 0; i < 3; ++i) {
      const WorldBody good = body();
      body().position[i] = bad;
      expect(Reason::kWorldNotFinite);
      body() = good;
      body().size[i] = bad;
      expect(Reason::kWorldNotFinite);
      body() = good;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      body().orientation = {0, 0, 0, 1};
      body().orientation[i] = bad;
      expect(Reason::kWorldNotFinite);
    }
    body().orientation = {0, 0, 0, 1};
  }
}

TEST_F(World, WhatALoadMayTouchHasAName) {
  world_->touchable_count = 2;
  for (const std::size_t empty : {0, 1}) {
    world_->touchable[empty].assign("");
    world_->touchable[1 - empty].assign("a");
    expect(Reason::kWorldName, -1);
  }
  world_->touchable[1].assign("b");
  EXPECT_TRUE(check().ok());
}

TEST_F(World, ASizeIsAMillimetreOrMore) {
  for (const double bad : {0.0, -0.1, 4.9e-324, 0.0009, 101.0}) {
    for (std::size_t i = 0; i < 3; ++i) {
      body().size = {0.1, 0.2, 0.3};
      body().size[i] = bad;
      expect(Reason::kWorldSize);
    }
  }
  body() = duo::world_capsule("b", {0, 0, 0}, 0.1, 0.2);
  EXPECT_TRUE(check().ok());
  body().size[2] = 0.3;  // the sizes of a box
  expect(Reason::kWorldSize);
  body().size = {0, 0.2, 0};
  expect(Reason::kWorldSize);
  body().size = {0.1, 0, 0};
  expect(Reason::kWorldSize);
}

TEST_F(World, APositionFarAwayIsOfAnotherUnit) {
  body().position[2] = -101;
  expect(Reason::kWorldSize);
  EXPECT_EQ(-101, check().value);
}

TEST_F(World, EveryOtherShapeByteIsRefused) {
  for (int byte = 0; byte < 256; ++byte) {
    body().shape = static_cast<std::uint8_t>(byte);
    body().size = {0.1, 0.2, byte == kWorldCapsule ? 0.0 : 0.3};
    if (byte == kWorldBox || byte == kWorldCapsule) {
      EXPECT_TRUE(check().ok());
    } else {
      expect(Reason::kWorldShape);
    }
  }
}

TEST_F(World, AnOrientationIsAUnitQuaternion) {
  body().orientation = {0, 0, 0, 0};
  expect(Reason::kWorldOrientation);
  body().orientation = {0, 0, 0.6, 0.81};  // norm 1.00802
  expect(Reason::kWorldOrientation);
  body().orientation = {0, 0, 0.6, 0.8005};  // norm 1.0004
  EXPECT_TRUE(check().ok());
}

TEST_F(World, MoreThanThereIsRoomForIsRefusedWhole) {
  world_->body_count = kMaxWorldBodies + 1;
  expect(Reason::kWorldCapacity, -1);
  world_->body_count = 3;
  world_->payload_count = kMaxPayloadBodies + 1;
  expect(Reason::kWorldCapacity, -1);
  world_->payload_count = 0;
  world_->touchable_count = kMaxTouchable + 1;
  expect(Reason::kWorldCapacity, -1);
  world_->touchable_count = ~std::uint64_t{0};
  expect(Reason::kWorldCapacity, -1);
}

TEST_F(World, AsMuchAsThereIsRoomForIsTaken) {
  for (std::size_t i = 0; i < kMaxWorldBodies; ++i) world_->bodies[i] = world_->bodies[0];
  world_->body_count = kMaxWorldBodies;
  for (std::size_t i = 0; i < kMaxPayloadBodies; ++i) world_->payload[i] = world_->bodies[0];
  world_->payload_count = kMaxPayloadBodies;
  for (auto& name : world_->touchable) name.assign("a");
  world_->touchable_count = kMaxTouchable;
  EXPECT_TRUE(check().ok());
}

TEST_F(World, TheLimitsOfABodyBelongToIt) {
  body().position = {100, -100, 100};
  body().size = {100, 0.001, 100};
  EXPECT_TRUE(check().ok());
  body().position[1] = std::nextafter(-100, -101);
  expect(Reason::kWorldSize);
  EXPECT_EQ(100, check().limit);
  body().position[1] = 0;
  body().size[1] = std::nextafter(0.001, 0);
  expect(Reason::kWorldSize);
  EXPECT_EQ(0.001, check().limit);
  body().size[1] = std::nextafter(100, 101);
  expect(Reason::kWorldSize);
  EXPECT_EQ(100, check().limit);
  body() = duo::world_capsule("b", {0, 0, 0}, 0.1, 0.2);
  body().size[2] = 0.001;
  expect(Reason::kWorldSize);
  EXPECT_EQ(0.001, check().value);
  EXPECT_EQ(0, check().limit);
  body() = duo::world_box("b", {0, 0, 0}, {1, 1, 1});
  body().orientation = {0, 0, 0, 1.1};
  expect(Reason::kWorldOrientation);
  EXPECT_NEAR(1.1, check().value, 1e-12);
  EXPECT_EQ(1, check().limit);
  EXPECT_EQ(-1, check().joint);
}

TEST_F(World, AnotherFrameIsRefused) {
  world_->frame.assign("map");
  expect(Reason::kWorldFrame, -1);
  world_->frame.assign("");
  expect(Reason::kWorldFrame, -1);
}

TEST_F(World, TheLoadIsCheckedAsTheRest) {
  world_->payload[world_->payload_count++] = duo::world_box("load", {0, kNan, 0}, {1, 1, 1});
  expect(Reason::kWorldNotFinite, 3);
}

// A quarter about y takes z to x, and z, x to x, -z.
TEST_F(World, SolidsAreTurnedAsTheirQuaternionSays) {
  WorldBody rod = duo::world_capsule("rod", {1, 2, 3}, 0.1, 0.4);
  const double half = std::sqrt(0.5);
  rod.orientation = {0, half, 0, half};
  const Solid solid = solid_of(rod);
  EXPECT_FALSE(solid.box);
  EXPECT_NEAR(0.2, std::abs(solid.axis[0]), 1e-12);
  EXPECT_NEAR(0, solid.axis[2], 1e-12);
  EXPECT_EQ(0.1, solid.radius);
  WorldBody crate = duo::world_box("crate", {1, 2, 3}, {2, 4, 6});
  crate.orientation = {0, half, 0, half};
  const Solid turned = solid_of(crate);
  EXPECT_TRUE(turned.box);
  EXPECT_EQ((Vector3{1, 2, 3}), turned.half);
  EXPECT_NEAR(-1, turned.rotation[2][0], 1e-12);  // its x axis points down
  EXPECT_NEAR(1, turned.rotation[0][2], 1e-12);   // its z axis points along x
}

// A name of nothing would name every body that has none.
TEST_F(World, ABodyWithoutANameIsRefused) {
  body().name.assign("");
  expect(Reason::kWorldName);
  body().name.assign("b");
  world_->payload[world_->payload_count++] = duo::world_capsule("", {0, 0, 0}, 0.1, 0.2);
  expect(Reason::kWorldName, 3);
  world_->payload_count = 0;
  world_->touchable[world_->touchable_count++].assign("a");
  EXPECT_TRUE(check().ok());
  world_->touchable[world_->touchable_count++].assign("");
  expect(Reason::kWorldName, -1);
}

}  // namespace
}  // namespace openral::safety
