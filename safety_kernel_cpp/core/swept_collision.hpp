// Do bodies come too near to each other on the way from one joint position to another?
#pragma once

#include <array>
#include <cstdint>

#include "collision_scene.hpp"
#include "reason.hpp"

namespace openral::safety {

// Distances of a scene along straight lines in joint space.
//
// While joint c turns by |dq_c|, no point of a body moves by more than the sum over c of lever_c
// |dq_c|, seen from a body on an earlier link by that sum over the joints between the two. So a
// distance known at one place bounds it everywhere:
//   distance(q) >= distance(at) - sum_c lever_c |q_c - at_c|.
// A line is clear of a pair if this bound keeps the margin on the whole line. Where the place known
// is too far, the distance in the line's middle is taken and the bound applies to either half;
// where that does not suffice, both halves are halved again. What cannot be decided so counts as
// too near.
class SweptCollision {
 public:
  explicit SweptCollision(const CollisionScene& scene, const Chain& chain)
      : scene_(scene), chain_(chain) {}

  // To be called when the scene has changed.
  void forget() { known_ = false; }

  // Grants so much work until the next call: distances, and positions of the whole arm.
  void grant(std::size_t effort) { granted_ = left_ = effort; }

  // Every place from `from` to `to` keeps `margin` [m] between all pairs. The finding names the
  // pair, its distance and the margin.
  [[nodiscard]] Finding check(const JointArray& from, const JointArray& to, double margin);

 private:
  // Pairs under suspicion; more are looked at in portions.
  using Suspects = FixedVector<std::uint16_t, 64>;
  using Travels = std::array<double, kMaxJoints>;  // |dq| per chain joint

  [[nodiscard]] Finding bisect(const JointArray& from, const JointArray& to, double margin,
                               const Suspects& suspects, int depth);
  void anchor(const JointArray& at);
  // The next suspects from pair `begin` on; advances it.
  [[nodiscard]] Suspects next_suspects(double margin, std::size_t& begin) const;
  void measure_moves(const Travels& travels);
  [[nodiscard]] double move(const BodyPair& pair) const;
  void stand_at(const JointArray& at);
  [[nodiscard]] const Solid& solid(std::size_t body);
  [[nodiscard]] Finding found(const BodyPair& pair, double distance, double margin) const;
  [[nodiscard]] Finding found_effort() const;
  [[nodiscard]] bool spend(std::size_t effort);

  const CollisionScene& scene_;
  const Chain& chain_;
  bool known_ = false;
  JointArray at_{};                           // where the distances are known
  std::array<double, kMaxPairs> distance_;    // [m] there, at least; of no pair before
  std::array<double, kMaxMoving> nearest_{};  // [m] of a body's distances from what stands
  std::size_t granted_ = 0;
  std::size_t left_ = 0;
  // moves_[b][c]: of body b by the first c chain joints.
  std::array<std::array<double, kMaxJoints + 1>, kMaxMoving> moves_{};
  // The arm where it was looked at last.
  std::array<Vector3, kMaxJoints> origins_;
  std::array<Rotation, kMaxJoints> rotations_;
  std::array<bool, kMaxMoving> placed_{};
  std::array<Solid, kMaxMoving> solids_;
};

}  // namespace openral::safety
