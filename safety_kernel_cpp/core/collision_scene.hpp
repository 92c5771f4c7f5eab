// Every body of the robot, its load and the world, which pairs of them must stay apart, and how far
// a joint can move each.
#pragma once

#include <array>
#include <cstdint>

#include "collision_bodies.hpp"
#include "collision_world.hpp"
#include "configuration.hpp"

namespace openral::safety {

// How often the way between two rows is halved in search of the place that is too near: what is
// left undecided is a 128th of it.
inline constexpr int kHalvings = 7;

inline constexpr std::size_t kMaxBodies =
    kMaxLinkBodies + kMaxPayloadBodies + kMaxStaticBodies + kMaxWorldBodies;
inline constexpr std::size_t kMaxMoving = kMaxLinkBodies + kMaxPayloadBodies;
inline constexpr std::size_t kMaxPairs =
    kMaxMoving * (kMaxMoving - 1) / 2 + kMaxMoving * (kMaxStaticBodies + kMaxWorldBodies);

// The first of a pair moves; the second moves with an earlier link, or stands.
struct BodyPair {
  std::uint8_t first;
  std::uint8_t second;
};

class CollisionScene {
 public:
  // The robot and the static world.
  explicit CollisionScene(const Configuration& configuration);

  // Replaces all that an earlier world brought. Needs one that passed check_world.
  void replace_world(const CollisionWorld& world);

  // Bodies that move come first.
  [[nodiscard]] std::size_t moving_count() const { return moving_count_; }
  [[nodiscard]] const CollisionBody& body(std::size_t i) const { return bodies_[i]; }
  // Pairs of two moving bodies, then those of each moving body in turn with what stands.
  [[nodiscard]] const FixedVector<BodyPair, kMaxPairs>& pairs() const { return pairs_; }
  // The pairs of a moving body with what stands, from the first on to before the second.
  [[nodiscard]] std::size_t standing_begin(std::size_t body) const { return standing_[body]; }
  [[nodiscard]] std::size_t standing_end(std::size_t body) const { return standing_[body + 1]; }

  // The Lipschitz constant [m/rad] of every point of a moving body's core over the angle of chain
  // joint c, whatever the other angles: the largest distance that the point can have from the
  // joint's axis. With o_k the origin of frame k in frame k - 1 and p a point of the body on link
  // l, it is at most
  //   |o_(c+1)| across the axis + |o_(c+2)| + ... + |o_l| + |p|   for c < l,
  //   |p| across the axis                                         for c = l, and 0 for c > l.
  [[nodiscard]] double lever(std::size_t body, std::size_t c) const { return levers_[body][c]; }

 private:
  void add_links();
  void build(const CollisionWorld* world);
  void add(const CollisionBody& body, std::size_t origin);
  void add_pair(std::size_t a, std::size_t b, const CollisionWorld* world);
  void add_levers(std::size_t body);
  [[nodiscard]] bool may_meet(std::size_t a, std::size_t b, const CollisionWorld* world) const;

  const Configuration& configuration_;
  std::array<CollisionBody, kMaxBodies> bodies_;
  std::size_t body_count_ = 0;
  std::size_t link_count_ = 0;  // the links that move, which no world changes
  // Index as in AllowedPair, kPayload or kForeign.
  std::array<std::size_t, kMaxBodies> origin_{};
  std::array<std::array<double, kMaxJoints>, kMaxMoving> levers_{};
  std::size_t moving_count_ = 0;
  FixedVector<BodyPair, kMaxPairs> pairs_;
  std::array<std::size_t, kMaxMoving + 1> standing_{};
};

}  // namespace openral::safety
