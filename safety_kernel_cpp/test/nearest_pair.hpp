// The pair of bodies that is nearest at one place of the arm: for comparing distances with other
// makers' models.
#pragma once

#include <array>

#include "collision_scene.hpp"
#include "convex_distance.hpp"
#include "reason.hpp"

namespace openral::safety {

// `kNone` if no pair must stay apart.
[[nodiscard]] inline Finding nearest_pair(const CollisionScene& scene, const Chain& chain,
                                          const JointArray& at) {
  std::array<Vector3, kMaxJoints> origins{};
  std::array<Rotation, kMaxJoints> rotations{};
  Rotation rotation = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vector3 origin{};
  for (std::size_t c = 0; c < chain.joints.size(); ++c) {
    const Vector3 step = rotated(rotation, chain.joints[c].origin);
    for (std::size_t i = 0; i < 3; ++i) origin[i] += step[i];
    rotation = product(rotation, joint_rotation(chain.joints[c], at[chain.joints[c].joint]));
    origins[c] = origin;
    rotations[c] = rotation;
  }
  const auto solid = [&](std::size_t body) {
    const CollisionBody& moved = scene.body(body);
    if (moved.link == kStanding) return moved.solid;
    const auto link = static_cast<std::size_t>(moved.link);
    return placed(moved.solid, rotations[link], origins[link]);
  };
  Finding nearest;
  for (const BodyPair& pair : scene.pairs()) {
    const double distance = separation_bound(solid(pair.first), solid(pair.second));
    if (!nearest.ok() && !(distance < nearest.value)) continue;
    nearest = {Reason::kCollision, -1, -1, distance, kNoValue};
    nearest.body = pair.first;
    nearest.other = pair.second;
  }
  return nearest;
}

}  // namespace openral::safety
