#include "collision_guard.hpp"

#include <algorithm>

#include "braking.hpp"
#include "cartesian_path.hpp"
#include "timeline.hpp"

namespace openral::safety {
namespace {

// Work granted to a chunk and to a tick, in distances of about 50 ns: a chunk that keeps near to
// everything on every row must not make a tick late.
constexpr std::size_t kChunkEffort = 30'000;
constexpr std::size_t kTickEffort = 6'000;

}  // namespace

CollisionGuard::CollisionGuard(const Configuration& configuration)
    : configuration_(configuration),
      scene_(configuration),
      admission_(scene_, configuration.arm.chain),
      emission_(scene_, configuration.arm.chain),
      tool_(scene_, configuration.arm.chain) {
  tool_.prepare();
}

void CollisionGuard::hear(const CollisionWorld& world) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.world_required) return;
  world_fault_ = check_world(configuration_, world);
  if (!world_fault_.ok()) return;
  // A repeated stamp is the same world again: a frozen source does not keep it fresh.
  if (world_known_ && world.stamp == world_stamp_) return;
  world_known_ = true;
  world_stamp_ = world.stamp;
  world_received_ = world.received;
  scene_.replace_world(world);
  admission_.forget();
  emission_.forget();
  tool_.prepare();
}

Finding CollisionGuard::check_world_known(Nanoseconds now) const {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.world_required) return {};
  if (!world_fault_.ok()) return world_fault_;
  const Nanoseconds age = now - world_received_;
  if (world_known_ && age <= limits.world_age_max) return {};
  return {Reason::kWorldStale, -1, -1, world_known_ ? static_cast<double>(age) / kSecond : kNoValue,
          static_cast<double>(limits.world_age_max) / kSecond};
}

Finding CollisionGuard::check_chunk(const Chunk& chunk, const Columns& columns, double phase,
                                    const JointArray& base) {
  const CollisionLimits& limits = configuration_.collision;
  const bool gripper =
      chunk.control_mode == static_cast<std::uint8_t>(ControlMode::kGripperPosition);
  if (!limits.enabled || gripper) return {};
  admission_.forget();
  admission_.grant(kChunkEffort);
  const double tick = configuration_.tick_seconds();
  JointArray last = base;
  const auto check = [&](const JointArray& to, double dt, std::size_t row) {
    Finding finding = admission_.check(last, end_of_stop(last, to, dt), limits.margin);
    if (!finding.ok()) finding.row = static_cast<std::int32_t>(row);
    return finding;
  };
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    JointArray position = base;
    for (std::size_t c = 0; c < columns.width; ++c) {
      position[columns.joint[c]] = chunk.at(row, columns.width, c);
    }
    if (row == 0) last = position;
    if (Finding finding = check(position, chunk.dt, row); !finding.ok()) return finding;
    last = position;
  }
  const auto first = static_cast<double>(chunk.first_row);
  const double entry =
      std::min(phase + tick / chunk.dt, first + static_cast<double>(chunk.horizon - 1));
  last = base;
  return check(interpolate(chunk, columns, entry, base), tick,
               static_cast<std::size_t>(entry - first));
}

Finding CollisionGuard::check_step(const JointArray& from, const JointArray& to,
                                   const JointArray& measured) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.enabled) return {};
  emission_.grant(kTickEffort);
  const JointArray end = end_of_stop(from, to, configuration_.tick_seconds());
  if (Finding finding = emission_.check(from, end, limits.stop_margin); !finding.ok()) {
    return finding;
  }
  return emission_.check(measured, to, limits.stop_margin);
}

Finding CollisionGuard::check_way(const JointArray& from, const JointArray& to) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.enabled) return {};
  emission_.grant(kTickEffort);
  return emission_.check(from, to, limits.stop_margin);
}

Finding CollisionGuard::judge_way(const JointArray& from, const JointArray& to) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.enabled) return {};
  admission_.forget();
  admission_.grant(kTickEffort);
  return admission_.check(from, to, limits.stop_margin);
}

Finding CollisionGuard::check_poses(const Chunk& poses, double phase, const ToolPose& in_force) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.enabled) return {};
  tool_.grant(kChunkEffort);
  ToolPose last = pose_row(poses, 0);
  for (std::size_t row = 0; row < poses.horizon; ++row) {
    const ToolPose pose = pose_row(poses, row);
    if (Finding finding = check_tool_way(last, pose, poses.dt, limits.margin); !finding.ok()) {
      finding.row = static_cast<std::int32_t>(row);
      return finding;
    }
    last = pose;
  }
  const double tick = configuration_.tick_seconds();
  const auto first = static_cast<double>(poses.first_row);
  const double entry =
      std::min(phase + tick / poses.dt, first + static_cast<double>(poses.horizon - 1));
  Finding finding = check_tool_way(
      in_force, pose_from(interpolate(poses, pose_columns(), entry, {})), tick, limits.margin);
  if (!finding.ok()) finding.row = static_cast<std::int32_t>(entry - first);
  return finding;
}

Finding CollisionGuard::check_tool_step(const ToolPose& from, const ToolPose& to) {
  const CollisionLimits& limits = configuration_.collision;
  if (!limits.enabled) return {};
  tool_.grant(kTickEffort);
  return check_tool_way(from, to, configuration_.tick_seconds(), limits.stop_margin);
}

// As check_tool_stop: a stop from `to` keeps the twist's direction and ends v (n T / 2 + T_delay)
// further.
Finding CollisionGuard::check_tool_way(const ToolPose& from, const ToolPose& to, double dt,
                                       double margin) {
  const ToolTwist twist = twist_between(from, to, dt);
  const double time = stop_time(configuration_, plan_tool_brake(configuration_, twist).ticks);
  if (Finding finding = tool_.check(from, to, margin); !finding.ok()) return finding;
  return tool_.check(to, moved(to, twist, time), margin);
}

JointArray CollisionGuard::end_of_stop(const JointArray& from, const JointArray& to,
                                       double dt) const {
  JointArray velocity{};
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    velocity[j] = (to[j] - from[j]) / dt;
  }
  const double time = stop_time(configuration_, brake_ticks(configuration_, velocity));
  JointArray end = to;
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) end[j] += velocity[j] * time;
  return end;
}

FixedString<kMaxName> CollisionGuard::name(std::int16_t body) const {
  return body < 0 ? FixedString<kMaxName>{} : scene_.body(static_cast<std::size_t>(body)).name;
}

}  // namespace openral::safety
