#include "collision_scene.hpp"

#include <cmath>
#include <utility>

#include "tool_pose.hpp"

namespace openral::safety {
namespace {

constexpr std::size_t kForeign = kMaxLinkBodies + kMaxStaticBodies;
constexpr std::size_t kPayload = kForeign + 1;

// The axis of a chain joint in its own frame: its cross-product matrix is constant^T sine.
Vector3 axis_of(const ChainJoint& joint) {
  const auto entry = [&](std::size_t r, std::size_t c) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += joint.constant[k][r] * joint.sine[k][c];
    return sum;
  };
  return {entry(2, 1), entry(0, 2), entry(1, 0)};
}

}  // namespace

CollisionScene::CollisionScene(const Configuration& configuration) : configuration_(configuration) {
  add_links();
  build(nullptr);
}

void CollisionScene::replace_world(const CollisionWorld& world) { build(&world); }

void CollisionScene::add_links() {
  const auto& links = configuration_.collision.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].link == kStanding) continue;
    add(links[i], i);
    add_levers(body_count_ - 1);
  }
  link_count_ = body_count_;
}

void CollisionScene::build(const CollisionWorld* world) {
  const CollisionLimits& limits = configuration_.collision;
  const Chain& chain = configuration_.arm.chain;
  body_count_ = link_count_;
  for (std::size_t i = 0; world != nullptr && i < world->payload_count; ++i) {
    CollisionBody body;
    body.name = world->payload[i].name;
    body.link = static_cast<std::int32_t>(chain.joints.size()) - 1;
    body.solid = solid_of(world->payload[i]);
    for (std::size_t k = 0; k < 3; ++k) body.solid.centre[k] += chain.tool[k];
    add(body, kPayload);
    add_levers(body_count_ - 1);
  }
  moving_count_ = body_count_;
  for (std::size_t i = 0; i < limits.links.size(); ++i) {
    if (limits.links[i].link == kStanding) add(limits.links[i], i);
  }
  for (std::size_t i = 0; i < limits.statics.size(); ++i) {
    add(limits.statics[i], limits.links.size() + i);
  }
  for (std::size_t i = 0; world != nullptr && i < world->body_count; ++i) {
    CollisionBody body;
    body.name = world->bodies[i].name;
    body.solid = solid_of(world->bodies[i]);
    add(body, kForeign);
  }
  pairs_.clear();
  for (std::size_t a = 0; a < moving_count_; ++a) {
    for (std::size_t b = a + 1; b < moving_count_; ++b) add_pair(a, b, world);
  }
  for (std::size_t a = 0; a < moving_count_; ++a) {
    standing_[a] = pairs_.size();
    for (std::size_t b = moving_count_; b < body_count_; ++b) add_pair(a, b, world);
  }
  standing_[moving_count_] = pairs_.size();
}

void CollisionScene::add(const CollisionBody& body, std::size_t origin) {
  origin_[body_count_] = origin;
  bodies_[body_count_++] = body;
}

void CollisionScene::add_pair(std::size_t a, std::size_t b, const CollisionWorld* world) {
  if (may_meet(a, b, world)) return;
  BodyPair pair{static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
  if (bodies_[b].link > bodies_[a].link) std::swap(pair.first, pair.second);
  (void)pairs_.push(pair);
}

bool CollisionScene::may_meet(std::size_t a, std::size_t b, const CollisionWorld* world) const {
  const std::int32_t apart = std::abs(bodies_[a].link - bodies_[b].link);
  const bool a_payload = origin_[a] == kPayload;
  const bool b_payload = origin_[b] == kPayload;
  // The tool holds its load; links that share a joint meet in it. A load has no such excuse.
  if (apart == 0) return true;
  const CollisionLimits& limits = configuration_.collision;
  const bool both_links = origin_[a] < limits.links.size() && origin_[b] < limits.links.size();
  if (both_links && apart == 1) return true;
  // What a load may touch is of the world: no name that comes with it exempts a link.
  const std::size_t other_origin = origin_[a_payload ? b : a];
  if (a_payload != b_payload && other_origin >= limits.links.size()) {
    const CollisionBody& other = bodies_[a_payload ? b : a];
    for (std::size_t i = 0; i < world->touchable_count; ++i) {
      if (world->touchable[i] == other.name) return true;
    }
  }
  for (const AllowedPair& pair : limits.allowed) {
    if ((pair.first == origin_[a] && pair.second == origin_[b]) ||
        (pair.first == origin_[b] && pair.second == origin_[a])) {
      return true;
    }
  }
  return false;
}

void CollisionScene::add_levers(std::size_t body) {
  const Chain& chain = configuration_.arm.chain;
  const CollisionBody& moved = bodies_[body];
  const auto link = static_cast<std::size_t>(moved.link);
  auto& levers = levers_[body];
  levers = {};
  levers[link] = core_reach(moved.solid, axis_of(chain.joints[link]));
  double beyond = core_reach(moved.solid);
  for (std::size_t c = link; c-- > 0;) {
    const Vector3& next = chain.joints[c + 1].origin;
    levers[c] = length(cross(axis_of(chain.joints[c]), next)) + beyond;
    beyond += length(next);
  }
}

}  // namespace openral::safety
