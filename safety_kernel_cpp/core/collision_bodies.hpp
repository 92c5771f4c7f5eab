// The bodies that must not meet: links, what stands around the arm, and how near they may come.
#pragma once

#include <cstdint>

#include "capacity.hpp"
#include "fixed.hpp"
#include "solid.hpp"

namespace openral::safety {

inline constexpr std::size_t kMaxLinkBodies = 24;
inline constexpr std::size_t kMaxStaticBodies = 16;

// Capacities, equal to the bounds of openral_msgs/CollisionWorld.
inline constexpr std::size_t kMaxWorldBodies = 32;
inline constexpr std::size_t kMaxPayloadBodies = 4;
inline constexpr std::size_t kMaxTouchable = 8;

inline constexpr std::int32_t kStanding = -1;

struct CollisionBody {
  FixedString<kMaxName> name;
  std::int32_t link = kStanding;  // index in the chain of the joint that moves it
  Solid solid;                    // in that joint's frame; of a standing body, in the base frame
};

// Two bodies that may meet, as indices into the link bodies, the static bodies following them.
struct AllowedPair {
  std::uint8_t first = 0;
  std::uint8_t second = 0;
};

// Without them (`enabled` false) nothing is checked.
struct CollisionLimits {
  bool enabled = false;
  double margin = 0;       // [m] a chunk that comes nearer is refused
  double stop_margin = 0;  // [m] a motion that comes nearer is stopped
  FixedVector<CollisionBody, kMaxLinkBodies> links;
  FixedVector<CollisionBody, kMaxStaticBodies> statics;
  FixedVector<AllowedPair, 64> allowed;
  bool world_required = false;  // motion needs a fresh openral_msgs/CollisionWorld; implies enabled
  Nanoseconds world_age_max = 0;  // of that message
  FixedString<kMaxName> world_frame;
};

}  // namespace openral::safety
