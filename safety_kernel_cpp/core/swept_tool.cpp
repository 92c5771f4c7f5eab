#include "swept_tool.hpp"

#include "convex_distance.hpp"

namespace openral::safety {
namespace {

ToolPose middle_of(const ToolPose& from, const ToolPose& to) {
  ToolPose middle;
  const Quaternion end = near(from.orientation, to.orientation);
  for (std::size_t i = 0; i < 3; ++i) middle.position[i] = (from.position[i] + to.position[i]) / 2;
  for (std::size_t i = 0; i < 4; ++i) middle.orientation[i] = from.orientation[i] + end[i];
  middle.orientation = unit(middle.orientation);
  return middle;
}

double way_between(const ToolPose& from, const ToolPose& to, double reach) {
  const ToolTwist twist = twist_between(from, to, 1);
  return length(twist.linear) + length(twist.angular) * reach;
}

}  // namespace

void SweptTool::prepare() {
  pairs_.clear();
  const auto last = static_cast<std::int32_t>(chain_.joints.size()) - 1;
  for (const BodyPair& pair : scene_.pairs()) {
    if (scene_.body(pair.first).link != last || scene_.body(pair.second).link != kStanding) {
      continue;
    }
    Solid from_tool = scene_.body(pair.first).solid;
    for (std::size_t i = 0; i < 3; ++i) from_tool.centre[i] -= chain_.tool[i];
    (void)pairs_.push({pair.first, pair.second, core_reach(from_tool)});
  }
}

Finding SweptTool::check(const ToolPose& from, const ToolPose& to, double margin) {
  for (const ToolPair& pair : pairs_) {
    if (Finding finding = check(pair, from, to, margin, 0); !finding.ok()) return finding;
  }
  return {};
}

Finding SweptTool::check(const ToolPair& pair, const ToolPose& from, const ToolPose& to,
                         double margin, int depth) {
  const auto granted = static_cast<double>(granted_);
  if (left_ == 0) return {Reason::kCollisionEffort, -1, -1, granted, granted};
  --left_;
  const ToolPose middle = middle_of(from, to);
  const Rotation rotation = rotation_of(middle.orientation);
  const Vector3 to_tool = rotated(rotation, chain_.tool);
  Vector3 origin = middle.position;
  for (std::size_t i = 0; i < 3; ++i) origin[i] -= to_tool[i];
  const double distance = separation_bound(placed(scene_.body(pair.body).solid, rotation, origin),
                                           scene_.body(pair.other).solid);
  const auto found = [&](double value) {
    Finding finding{Reason::kCollision, -1, -1, value, margin};
    finding.body = pair.body;
    finding.other = pair.other;
    return finding;
  };
  // Written so that a NaN is too near.
  if (!(distance >= margin)) return found(distance);
  const double least = distance - way_between(from, to, pair.reach) / 2;
  if (least >= margin) return {};
  if (depth == kHalvings) return found(least);
  if (Finding finding = check(pair, from, middle, margin, depth + 1); !finding.ok()) {
    return finding;
  }
  return check(pair, middle, to, margin, depth + 1);
}

}  // namespace openral::safety
