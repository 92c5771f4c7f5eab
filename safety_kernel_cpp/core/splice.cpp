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

// The worst joint is reported: of a chunk from another place, it says best where it belongs.
class Worst {
 public:
  void note(Reason reason, std::size_t joint, double value, double limit) {
    if (!exceeds(value, limit)) return;
    const double ratio = value / limit;
    if (!finding_.ok() && ratio <= excess_) return;
    excess_ = ratio;
    finding_ = {reason, -1, static_cast<std::int32_t>(joint), value, limit};
  }
  [[nodiscard]] const Finding& finding() const { return finding_; }

 private:
  Finding finding_;
  double excess_ = 0;
};

// Where a chunk is entered: the first command, and the row that it lies in.
struct Entry {
  double phase;
  double advance;  // [rows] of a tick
  double end;      // of the window
  double row;
};

Finding check_changes(const Configuration& configuration, const Chunk& chunk,
                      const Columns& columns, const Entry& entry, const SpliceAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double row_after = std::min(entry.row + 1, entry.end);
  JointSpeedChanges changes = anchor.changes;
  JointArray position = anchor.position;
  JointArray velocity = anchor.velocity;
  Worst worst;
  double to = entry.phase;
  for (int command = 1;; ++command) {
    const double from = to;
    // A window that is to be continued ends in another one, or in a stop.
    const bool beyond = from + entry.advance > entry.end + kPhaseRounding;
    if (command > 2 && beyond && !chunk.last) break;
    to = std::min(from + entry.advance, entry.end);
    const JointArray next = interpolate(chunk, columns, to, anchor.position);
    changes.pass(tick);
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      const double limit = configuration.limits[j].acceleration_max;
      const double speed = (next[j] - position[j]) / tick;
      const double change = speed - velocity[j];
      worst.note(Reason::kSpliceAcceleration, j, changes.acceleration(j, change, limit, chunk.dt),
                 limit);
      changes.note(j, change, limit);
      velocity[j] = speed;
    }
    position = next;
    if (command > 1 && from >= row_after - kPhaseRounding) break;
  }
  return worst.finding();
}

Finding check_jerk(const Configuration& configuration, const Chunk& chunk, const Columns& columns,
                   const Entry& entry, const SpliceAnchor& anchor) {
  const bool same_row = entry.phase < entry.end && row_into(entry.phase) == entry.row;
  const bool in_row = anchor.continues ? same_row : anchor.row_lasts;
  // Behind the last row of a timeline is rest.
  const bool goes_on = entry.row + 1 < entry.end || (chunk.last && entry.row + 1 <= entry.end);
  const JointArray slope = slope_of_row(chunk, columns, entry.row);
  const JointArray slope_after = slope_of_row(chunk, columns, entry.row + 1);
  const JointArray start = interpolate(chunk, columns, entry.phase, anchor.position);
  Worst worst;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const double limit = configuration.limits[j].jerk_max;
    const double before = in_row ? anchor.acceleration_before[j] : anchor.acceleration[j];
    const double begun = in_row ? anchor.acceleration[j] : 0;
    const double acceleration = begun + (slope[j] - anchor.row_speed[j]) / chunk.dt;
    // Rows that do not lie where the last command was are met within one tick.
    const double leap = (start[j] - anchor.position[j]) / configuration.tick_seconds() / chunk.dt;
    worst.note(Reason::kSpliceAcceleration, j, std::abs(acceleration),
               configuration.limits[j].acceleration_max);
    worst.note(Reason::kSpliceJerk, j, std::abs(acceleration - before) / chunk.dt, limit);
    worst.note(Reason::kSpliceJerk, j, std::abs(acceleration + leap - before) / chunk.dt, limit);
    if (!goes_on) continue;
    const double after = (slope_after[j] - slope[j]) / chunk.dt;
    worst.note(Reason::kSpliceJerk, j, std::abs(after - acceleration) / chunk.dt, limit);
  }
  return worst.finding();
}

}  // namespace

Finding check_measured_speed(const Configuration& configuration, const JointArray& speed,
                             const JointState& measured, double age, double dt) {
  const double since = age + configuration.brake_delay + 2 * dt;
  Worst worst;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (is_gripper(configuration, j)) continue;
    const JointLimits& limits = configuration.limits[j];
    const double velocity = measured.velocity[j];
    worst.note(Reason::kSpliceMeasuredVelocity, j, std::abs(velocity),
               limits.velocity_max * kOvershoot);
    worst.note(Reason::kSpliceMeasuredVelocity, j, std::abs(speed[j] - velocity),
               limits.acceleration_max * since + configuration.rest_velocity);
  }
  return worst.finding();
}

Finding check_splice(const Configuration& configuration, const Chunk& chunk, const Columns& columns,
                     double phase, const SpliceAnchor& anchor) {
  const double tick = configuration.tick_seconds();
  const double advance = tick / chunk.dt;
  const double end = static_cast<double>(chunk.first_row) + static_cast<double>(chunk.horizon - 1);
  const double first_phase = std::min(phase + advance, end);
  // Behind the last row nothing moves.
  const Entry entry{phase, advance, end, phase < end ? row_into(first_phase) : end};
  const JointArray first = interpolate(chunk, columns, first_phase, anchor.position);
  const auto row = static_cast<std::size_t>(first_phase - static_cast<double>(chunk.first_row));

  JointArray speed{};
  Worst place;
  Worst measured;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const double step = first[j] - anchor.position[j];
    speed[j] = step / tick;
    place.note(Reason::kSplicePosition, j, std::abs(step), limits.velocity_max * tick);
    measured.note(Reason::kSpliceMeasured, j, std::abs(first[j] - anchor.measured.position[j]),
                  limits.tracking_error_max);
  }
  Finding finding = place.finding();
  if (finding.ok()) finding = check_changes(configuration, chunk, columns, entry, anchor);
  if (finding.ok()) finding = check_jerk(configuration, chunk, columns, entry, anchor);
  if (finding.ok()) finding = measured.finding();
  if (finding.ok() && !anchor.continues) {
    finding = check_measured_speed(configuration, speed, anchor.measured, anchor.age, chunk.dt);
  }
  if (finding.ok() && configuration.arm.limited &&
      arm_moves(configuration, anchor.position, first)) {
    const Chain& chain = configuration.arm.chain;
    finding = check_tool_speed(configuration, forward(chain, anchor.position),
                               forward(chain, first), tick, kTickAllowance);
  }
  return in_row(finding, row);
}

}  // namespace openral::safety
