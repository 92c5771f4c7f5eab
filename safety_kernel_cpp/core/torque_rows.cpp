#include "torque_rows.hpp"

#include <algorithm>
#include <cmath>

#include "rounding.hpp"
#include "timeline.hpp"

namespace openral::safety {
namespace {

Finding found(Reason reason, std::size_t joint, double value, double limit) {
  return {reason, -1, static_cast<std::int32_t>(joint), value, limit};
}

Finding check_rate(const Configuration& configuration, const JointArray& from, const JointArray& to,
                   double time) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const double limit = configuration.torque.joints[j].rate_max;
    const double rate = std::abs(to[j] - from[j]) / time;
    if (exceeds(rate, limit)) return found(Reason::kTorqueRate, j, rate, limit);
  }
  return {};
}

Finding check_range(const Configuration& configuration, const JointArray& torque) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (!std::isfinite(torque[j])) return found(Reason::kNotFinite, j, torque[j], kNoValue);
    const double limit = configuration.torque.joints[j].effort_max;
    if (std::abs(torque[j]) > limit) {
      return found(Reason::kTorqueLimit, j, std::abs(torque[j]), limit);
    }
  }
  return {};
}

}  // namespace

Finding check_torques(const Configuration& configuration, const Chunk& chunk,
                      const Columns& columns) {
  JointArray before{};
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    JointArray torque{};
    for (std::size_t c = 0; c < columns.width; ++c) {
      torque[columns.joint[c]] = chunk.at(row, columns.width, c);
    }
    Finding finding = check_range(configuration, torque);
    if (finding.ok() && row > 0) finding = check_rate(configuration, before, torque, chunk.dt);
    if (!finding.ok()) return in_row(finding, row);
    before = torque;
  }
  if (!chunk.last) return {};
  Finding finding = check_rate(configuration, before, {}, chunk.dt);
  if (!finding.ok()) finding.reason = Reason::kEndNotAtRest;
  return in_row(finding, static_cast<std::size_t>(chunk.horizon) - 1);
}

Finding check_torque_splice(const Configuration& configuration, const Chunk& chunk,
                            const Columns& columns, double phase, const JointArray& in_force) {
  const double tick = configuration.tick_seconds();
  const double end = static_cast<double>(chunk.first_row) + static_cast<double>(chunk.horizon - 1);
  const double first_phase = std::min(phase + tick / chunk.dt, end);
  const JointArray first = interpolate(chunk, columns, first_phase, {});
  Finding finding = check_rate(configuration, in_force, first, tick);
  if (!finding.ok()) finding.reason = Reason::kSpliceTorque;
  return in_row(finding,
                static_cast<std::size_t>(first_phase - static_cast<double>(chunk.first_row)));
}

Finding check_torque_step(const Configuration& configuration, const JointArray& from,
                          const JointArray& to, const JointArray& velocity) {
  Finding finding = check_range(configuration, to);
  if (finding.ok()) finding = check_rate(configuration, from, to, configuration.tick_seconds());
  if (!finding.ok()) return finding;
  double power = 0;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    power += std::abs(to[j] * velocity[j]);
  }
  if (exceeds(power, configuration.torque.power_max)) {
    return {Reason::kPower, -1, -1, power, configuration.torque.power_max};
  }
  return {};
}

}  // namespace openral::safety
