#include "base_motion.hpp"

#include <algorithm>
#include <cmath>

#include "rounding.hpp"

namespace openral::safety {
namespace {

Finding check_axis(const BaseAxis& axis, double value) {
  if (!std::isfinite(value)) return {Reason::kNotFinite, -1, -1, value, kNoValue};
  // An axis without speed is one that the base does not have.
  if (axis.speed_max == 0 && value != 0) return {Reason::kBaseAxis, -1, -1, value, 0};
  if (exceeds(std::abs(value), axis.speed_max)) {
    return {Reason::kBaseSpeed, -1, -1, std::abs(value), axis.speed_max};
  }
  return {};
}

// A stop by one factor takes |v| times its stop_time.
Finding check_stopping_distance(const Configuration& configuration, const JointArray& twist) {
  const double time = stop_time(configuration, base_brake_ticks(configuration, twist));
  const double distance = std::hypot(twist[0], twist[1]) * time;
  if (exceeds(distance, configuration.base.stopping_distance_max)) {
    return {Reason::kBaseStoppingDistance, -1, -1, distance,
            configuration.base.stopping_distance_max};
  }
  return {};
}

Finding check_change(const Configuration& configuration, const JointArray& from,
                     const JointArray& to, double time) {
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    const BaseAxis& axis = configuration.base.axes[i];
    const double acceleration = std::abs(to[i] - from[i]) / time;
    if (exceeds(acceleration, axis.acceleration_max)) {
      return {Reason::kBaseAcceleration, -1, -1, acceleration, axis.acceleration_max};
    }
  }
  return {};
}

JointArray row_of(const Chunk& chunk, std::size_t row) {
  JointArray twist{};
  for (std::size_t i = 0; i < kBaseAxes; ++i) twist[i] = chunk.at(row, kBaseAxes, i);
  return twist;
}

}  // namespace

void begin_at(const JointArray& twist, const Chunk& chunk, Chunk& motion) {
  motion.copy_from(chunk);
  motion.horizon = chunk.horizon + 1;
  motion.value_count = motion.horizon * kBaseAxes;
  std::copy_n(twist.begin(), kBaseAxes, motion.values.begin());
  std::copy_n(chunk.values.begin(), chunk.horizon * kBaseAxes, motion.values.begin() + kBaseAxes);
}

Finding check_twists(const Configuration& configuration, const Chunk& motion) {
  JointArray before = row_of(motion, 0);
  for (std::size_t row = 1; row < motion.horizon; ++row) {
    const JointArray twist = row_of(motion, row);
    Finding finding;
    for (std::size_t i = 0; i < kBaseAxes && finding.ok(); ++i) {
      finding = check_axis(configuration.base.axes[i], twist[i]);
    }
    if (finding.ok()) finding = check_change(configuration, before, twist, motion.dt);
    if (finding.ok()) finding = check_stopping_distance(configuration, twist);
    const bool end = motion.last && row + 1 == motion.horizon;
    const double left = std::hypot(twist[0], twist[1], twist[2]);
    if (finding.ok() && end && left != 0) finding = {Reason::kEndNotAtRest, -1, -1, left, 0};
    if (!finding.ok()) {
      finding.row = static_cast<std::int32_t>(row - 1);  // in the chunk as it came
      return finding;
    }
    before = twist;
  }
  return {};
}

std::size_t base_brake_ticks(const Configuration& configuration, const JointArray& twist) {
  double most = 0;
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    const BaseAxis& axis = configuration.base.axes[i];
    most =
        std::max(most, std::abs(twist[i]) / (axis.acceleration_max * configuration.tick_seconds()));
  }
  return whole_ticks(most);
}

Brake plan_base_brake(const Configuration& configuration, const JointArray& twist) {
  return Brake{twist, base_brake_ticks(configuration, twist), 0};
}

Finding check_twist_step(const Configuration& configuration, const JointArray& from,
                         const JointArray& to) {
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    if (Finding finding = check_axis(configuration.base.axes[i], to[i]); !finding.ok()) {
      return {Reason::kRowCheck, -1, -1, finding.value, finding.limit};
    }
  }
  Finding finding = check_change(configuration, from, to, configuration.tick_seconds());
  if (!finding.ok()) finding.reason = Reason::kRowCheck;
  if (finding.ok()) finding = check_stopping_distance(configuration, to);
  return finding;
}

}  // namespace openral::safety
