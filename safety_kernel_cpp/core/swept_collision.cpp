#include "swept_collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "convex_distance.hpp"

namespace openral::safety {
namespace {

// A pair that is further apart by its spheres than any line of a chunk is long need not be measured
// exactly. [m]
constexpr double kFar = 0.15;
// The work of a forward kinematics, in distances.
constexpr std::size_t kStand = 8;

}  // namespace

Finding SweptCollision::check(const JointArray& from, const JointArray& to, double margin) {
  Travels line{};
  JointArray middle{};
  for (const ChainJoint& joint : chain_.joints) {
    const std::size_t j = joint.joint;
    middle[j] = (from[j] + to[j]) / 2;
    // The largest of two values may hide one that is no number.
    if (std::isfinite(middle[j])) continue;
    return {Reason::kNotFinite, -1, static_cast<std::int32_t>(j), middle[j], kNoValue};
  }
  const auto measure_from_anchor = [&] {
    for (std::size_t c = 0; c < chain_.joints.size(); ++c) {
      const std::size_t j = chain_.joints[c].joint;
      line[c] = std::max(std::abs(from[j] - at_[j]), std::abs(to[j] - at_[j]));
    }
    measure_moves(line);
  };
  if (!known_) anchor(middle);
  measure_from_anchor();
  std::size_t begin = 0;
  Suspects suspects = next_suspects(margin, begin);
  if (suspects.full() || suspects.size() > scene_.pairs().size() / 8 + 2) {
    anchor(middle);
    measure_from_anchor();
    begin = 0;
    suspects = next_suspects(margin, begin);
  }
  while (!suspects.empty()) {
    if (Finding finding = bisect(from, to, margin, suspects, 0); !finding.ok()) return finding;
    measure_from_anchor();
    suspects = next_suspects(margin, begin);
  }
  return left_ > 0 ? Finding{} : found_effort();
}

Finding SweptCollision::bisect(const JointArray& from, const JointArray& to, double margin,
                               const Suspects& suspects, int depth) {
  JointArray middle{};
  Travels half{};
  for (std::size_t c = 0; c < chain_.joints.size(); ++c) {
    const std::size_t j = chain_.joints[c].joint;
    middle[j] = (from[j] + to[j]) / 2;
    half[c] = std::max(std::abs(to[j] - middle[j]), std::abs(from[j] - middle[j]));
  }
  if (!spend(kStand + suspects.size())) return found_effort();
  stand_at(middle);
  measure_moves(half);
  Suspects open;
  for (const std::uint16_t p : suspects) {
    const BodyPair& pair = scene_.pairs()[p];
    const double distance = separation_bound(solid(pair.first), solid(pair.second));
    // Written so that a NaN is too near.
    if (!(distance >= margin)) return found(pair, distance, margin);
    const double least = distance - move(pair);
    if (least >= margin) continue;
    if (depth == kHalvings) return found(pair, least, margin);
    (void)open.push(p);
  }
  if (open.empty()) return {};
  if (Finding finding = bisect(from, middle, margin, open, depth + 1); !finding.ok()) {
    return finding;
  }
  return bisect(middle, to, margin, open, depth + 1);
}

void SweptCollision::anchor(const JointArray& at) {
  at_ = at;
  known_ = true;
  (void)spend(kStand + scene_.pairs().size());
  stand_at(at);
  for (std::size_t p = 0; p < scene_.pairs().size(); ++p) {
    const BodyPair& pair = scene_.pairs()[p];
    const Solid& first = solid(pair.first);
    const Solid& second = solid(pair.second);
    distance_[p] = sphere_bound(first, second);
    if (!(distance_[p] > kFar)) distance_[p] = separation_bound(first, second);
  }
  for (std::size_t b = 0; b < scene_.moving_count(); ++b) {
    nearest_[b] = std::numeric_limits<double>::infinity();
    for (std::size_t p = scene_.standing_begin(b); p < scene_.standing_end(b); ++p) {
      // What is no number is nearest.
      if (nearest_[b] >= distance_[p] || std::isnan(distance_[p])) nearest_[b] = distance_[p];
    }
  }
}

SweptCollision::Suspects SweptCollision::next_suspects(double margin, std::size_t& begin) const {
  Suspects suspects;
  const auto look = [&](std::size_t end) {
    for (; begin < end && !suspects.full(); ++begin) {
      if (distance_[begin] - move(scene_.pairs()[begin]) >= margin) continue;
      (void)suspects.push(static_cast<std::uint16_t>(begin));
    }
  };
  look(scene_.standing_begin(0));
  for (std::size_t b = 0; b < scene_.moving_count() && !suspects.full(); ++b) {
    const std::size_t end = scene_.standing_end(b);
    if (begin >= end) continue;
    // One look at the nearest of them spares one at each.
    const auto link = static_cast<std::size_t>(scene_.body(b).link);
    if (nearest_[b] - moves_[b][link + 1] >= margin) {
      begin = end;
    } else {
      look(end);
    }
  }
  return suspects;
}

void SweptCollision::measure_moves(const Travels& travels) {
  for (std::size_t b = 0; b < scene_.moving_count(); ++b) {
    double sum = 0;
    for (std::size_t c = 0; c < chain_.joints.size(); ++c) {
      sum += scene_.lever(b, c) * travels[c];
      moves_[b][c + 1] = sum;
    }
  }
}

double SweptCollision::move(const BodyPair& pair) const {
  const auto from = static_cast<std::size_t>(scene_.body(pair.second).link + 1);
  const auto to = static_cast<std::size_t>(scene_.body(pair.first).link + 1);
  return moves_[pair.first][to] - moves_[pair.first][from];
}

void SweptCollision::stand_at(const JointArray& at) {
  Rotation rotation = kUnturned;
  Vector3 origin{};
  for (std::size_t c = 0; c < chain_.joints.size(); ++c) {
    const ChainJoint& joint = chain_.joints[c];
    const Vector3 step = rotated(rotation, joint.origin);
    for (std::size_t i = 0; i < 3; ++i) origin[i] += step[i];
    rotation = product(rotation, joint_rotation(joint, at[joint.joint]));
    origins_[c] = origin;
    rotations_[c] = rotation;
  }
  placed_.fill(false);
}

const Solid& SweptCollision::solid(std::size_t body) {
  if (body >= scene_.moving_count()) return scene_.body(body).solid;
  if (!placed_[body]) {
    const auto link = static_cast<std::size_t>(scene_.body(body).link);
    solids_[body] = placed(scene_.body(body).solid, rotations_[link], origins_[link]);
    placed_[body] = true;
  }
  return solids_[body];
}

Finding SweptCollision::found(const BodyPair& pair, double distance, double margin) const {
  Finding finding{Reason::kCollision, -1, -1, distance, margin};
  finding.body = pair.first;
  finding.other = pair.second;
  return finding;
}

bool SweptCollision::spend(std::size_t effort) {
  left_ = effort < left_ ? left_ - effort : 0;
  return left_ > 0;
}

Finding SweptCollision::found_effort() const {
  const auto granted = static_cast<double>(granted_);
  return {Reason::kCollisionEffort, -1, -1, granted, granted};
}

}  // namespace openral::safety
