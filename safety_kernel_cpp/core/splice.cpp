#include "splice.hpp"

#include <algorithm>
#include <cmath>

#include "rounding.hpp"
#include "timeline.hpp"
#include "tool_motion.hpp"

namespace openral::safety {
namespace {

// Of a servo that follows at its limit, as of servo_tolerance.
constexpr double kOvershoot = 1.1;

}  // namespace

Finding check_splice(const Configuration& configuration, const Chunk& chunk, const Columns& columns,
                     double phase, const SpliceAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double advance = tick / chunk.dt;
  const double end = static_cast<double>(chunk.first_row) + static_cast<double>(chunk.horizon - 1);
  const double first_phase = std::min(phase + advance, end);
  const double second_phase = std::min(first_phase + advance, end);
  const JointArray first = interpolate(chunk, columns, first_phase, anchor.position);
  const JointArray second = interpolate(chunk, columns, second_phase, anchor.position);
  const auto row = static_cast<std::int32_t>(first_phase - static_cast<double>(chunk.first_row));

  // The worst joint is reported: of a chunk from another place, it says best where it belongs.
  Finding worst;
  double excess = 0;
  const auto note = [&](Reason reason, std::size_t joint, double value, double limit) {
    if (!exceeds(value, limit)) return;
    const double ratio = value / limit;
    if (!worst.ok() && ratio <= excess) return;
    excess = ratio;
    worst = {reason, row, static_cast<std::int32_t>(joint), value, limit};
  };
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    note(Reason::kSplicePosition, j, std::abs(first[j] - anchor.position[j]),
         configuration.limits[j].velocity_max * tick);
  }
  if (!worst.ok()) return worst;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    // Rows change speed by at most a dt from one to the next; so may the switch.
    const double limit = configuration.limits[j].acceleration_max;
    const double speed = (first[j] - anchor.position[j]) / tick;
    const double next_speed = (second[j] - first[j]) / tick;
    note(Reason::kSpliceAcceleration, j, std::abs(speed - anchor.velocity[j]) / chunk.dt, limit);
    note(Reason::kSpliceAcceleration, j, std::abs(next_speed - speed) / chunk.dt, limit);
  }
  if (!worst.ok()) return worst;
  // The row that the first command lies in, and the one after it.
  const double first_row = row_into(first_phase);
  const bool in_row = anchor.continues && row_into(phase) == first_row;
  const bool goes_on = first_row + 1 < end;
  const JointArray slope = slope_of_row(chunk, columns, first_row);
  const JointArray slope_after = slope_of_row(chunk, columns, first_row + 1);
  const JointArray entry = interpolate(chunk, columns, phase, anchor.position);
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const double limit = configuration.limits[j].jerk_max;
    const double before = in_row ? anchor.acceleration_before[j] : anchor.acceleration[j];
    const double begun = in_row ? anchor.acceleration[j] : 0;
    const double acceleration = begun + (slope[j] - anchor.row_speed[j]) / chunk.dt;
    // Rows that do not lie where the last command was are met within one tick.
    const double leap = (entry[j] - anchor.position[j]) / tick / chunk.dt;
    note(Reason::kSpliceAcceleration, j, std::abs(acceleration),
         configuration.limits[j].acceleration_max);
    note(Reason::kSpliceJerk, j, std::abs(acceleration - before) / chunk.dt, limit);
    note(Reason::kSpliceJerk, j, std::abs(acceleration + leap - before) / chunk.dt, limit);
    if (!goes_on) continue;
    const double after = (slope_after[j] - slope[j]) / chunk.dt;
    note(Reason::kSpliceJerk, j, std::abs(after - acceleration) / chunk.dt, limit);
  }
  if (!worst.ok()) return worst;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    note(Reason::kSpliceMeasured, j, std::abs(first[j] - anchor.measured.position[j]),
         configuration.limits[j].tracking_error_max);
  }
  if (!worst.ok()) return worst;
  const double since = anchor.age + configuration.brake_delay + 2 * chunk.dt;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (anchor.continues || is_gripper(configuration, j)) continue;
    const JointLimits& limits = configuration.limits[j];
    const double measured = anchor.measured.velocity[j];
    const double speed = (first[j] - anchor.position[j]) / tick;
    note(Reason::kSpliceMeasuredVelocity, j, std::abs(measured), limits.velocity_max * kOvershoot);
    note(Reason::kSpliceMeasuredVelocity, j, std::abs(speed - measured),
         limits.acceleration_max * since + configuration.rest_velocity);
  }
  if (!worst.ok() || !configuration.arm.limited) return worst;
  if (!arm_moves(configuration, anchor.position, first)) return worst;
  const Chain& chain = configuration.arm.chain;
  worst = check_tool_speed(configuration, forward(chain, anchor.position), forward(chain, first),
                           tick, kTickAllowance);
  if (!worst.ok()) worst.row = row;
  return worst;
}

}  // namespace openral::safety
