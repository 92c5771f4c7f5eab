#include "splice.hpp"

#include <algorithm>
#include <cmath>

#include "rounding.hpp"
#include "timeline.hpp"
#include "tool_motion.hpp"

namespace openral::safety {

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
    const double ratio = limit > 0 ? value / limit : value;
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
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    note(Reason::kSpliceMeasured, j, std::abs(first[j] - anchor.measured[j]),
         configuration.limits[j].tracking_error_max);
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
