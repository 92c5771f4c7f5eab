#include "collision_world.hpp"

#include <cmath>

#include "tool_pose.hpp"

namespace openral::safety {
namespace {

// [m] Further away, or larger, is another unit. It also keeps the rounding of distances far below
// kRoundingGuard.
constexpr double kFarthest = 100;

Finding check_count(std::uint64_t count, std::size_t capacity) {
  if (count <= capacity) return {};
  return {Reason::kWorldCapacity, -1, -1, static_cast<double>(count),
          static_cast<double>(capacity)};
}

Finding check_body(const WorldBody& body) {
  const auto found = [](Reason reason, double value, double limit) {
    return Finding{reason, -1, -1, value, limit};
  };
  if (body.name.empty()) return found(Reason::kWorldName, kNoValue, kNoValue);
  if (body.shape != kWorldBox && body.shape != kWorldCapsule) {
    return found(Reason::kWorldShape, body.shape, kNoValue);
  }
  double square = 0;
  for (const double value : body.orientation) square += value * value;
  if (!std::isfinite(square)) return found(Reason::kWorldNotFinite, square, kNoValue);
  if (!(std::abs(std::sqrt(square) - 1) <= kUnitTolerance)) {
    return found(Reason::kWorldOrientation, std::sqrt(square), 1);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double position = body.position[i];
    const double size = body.size[i];
    if (!std::isfinite(position) || !std::isfinite(size)) {
      return found(Reason::kWorldNotFinite, std::isfinite(position) ? size : position, kNoValue);
    }
    if (std::abs(position) > kFarthest) return found(Reason::kWorldSize, position, kFarthest);
    if (size > kFarthest) return found(Reason::kWorldSize, size, kFarthest);
    // A capsule has two sizes; a third is that of a box under the wrong name.
    const bool none = body.shape == kWorldCapsule && i == 2;
    if (none && size != 0) return found(Reason::kWorldSize, size, 0);
    if (!none && size < kThinnest) return found(Reason::kWorldSize, size, kThinnest);
  }
  return {};
}

}  // namespace

Finding check_world(const Configuration& configuration, const CollisionWorld& world) {
  if (world.frame != configuration.collision.world_frame) return finding_of(Reason::kWorldFrame);
  if (Finding finding = check_count(world.body_count, kMaxWorldBodies); !finding.ok()) {
    return finding;
  }
  if (Finding finding = check_count(world.payload_count, kMaxPayloadBodies); !finding.ok()) {
    return finding;
  }
  if (Finding finding = check_count(world.touchable_count, kMaxTouchable); !finding.ok()) {
    return finding;
  }
  for (std::size_t i = 0; i < world.touchable_count; ++i) {
    if (world.touchable[i].empty()) return finding_of(Reason::kWorldName);
  }
  for (std::size_t i = 0; i < world.body_count + world.payload_count; ++i) {
    const bool payload = i >= world.body_count;
    Finding finding = check_body(payload ? world.payload[i - world.body_count] : world.bodies[i]);
    if (finding.ok()) continue;
    finding.row = static_cast<std::int32_t>(i);
    return finding;
  }
  return {};
}

Solid solid_of(const WorldBody& body) {
  const Rotation rotation = rotation_of(body.orientation);
  if (body.shape == kWorldBox) return box(body.position, rotation, body.size);
  const Vector3 axis = rotated(rotation, {0, 0, body.size[1] / 2});
  Vector3 from = body.position;
  Vector3 to = body.position;
  for (std::size_t i = 0; i < 3; ++i) {
    from[i] -= axis[i];
    to[i] += axis[i];
  }
  return capsule(from, to, body.size[0]);
}

}  // namespace openral::safety
