// The changing part of the world, as it was received: nothing in it is trusted yet.
#pragma once

#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "collision_bodies.hpp"
#include "configuration.hpp"
#include "fixed.hpp"
#include "reason.hpp"

namespace openral::safety {

// Equal to the constants of openral_msgs/CollisionBody.
inline constexpr std::uint8_t kWorldBox = 1;
inline constexpr std::uint8_t kWorldCapsule = 2;

// Mirrors openral_msgs/CollisionBody.
struct WorldBody {
  FixedString<kMaxName> name;
  std::uint8_t shape = 0;
  Vector3 position{};                   // [m] of the centre
  std::array<double, 4> orientation{};  // quaternion x y z w
  Vector3 size{};                       // [m] box: edges; capsule: radius, length of the axis, 0
};

// Mirrors openral_msgs/CollisionWorld. The counts are what the message holds; the arrays hold what
// fits.
struct CollisionWorld {
  Nanoseconds received = 0;  // monotonic
  Nanoseconds stamp = 0;     // the robot's clock
  FixedString<kMaxName> frame;
  std::uint64_t body_count = 0;
  std::array<WorldBody, kMaxWorldBodies> bodies;  // in the base frame
  std::uint64_t payload_count = 0;
  std::array<WorldBody, kMaxPayloadBodies> payload;  // in the tool's frame
  std::uint64_t touchable_count = 0;
  std::array<FixedString<kMaxName>, kMaxTouchable> touchable;  // that the payload may meet
};

// Frame, counts, names that the load may touch, and of every body: name, shape, finiteness, size,
// orientation. The finding's row is the body's index, the payload's after the others.
[[nodiscard]] Finding check_world(const Configuration& configuration, const CollisionWorld& world);

// Needs a body that passed check_world.
[[nodiscard]] Solid solid_of(const WorldBody& body);

}  // namespace openral::safety
