#include "braking.hpp"

#include <algorithm>
#include <cmath>

namespace openral::safety {

std::size_t whole_ticks(double most) {
  // Far above any stop of a finite configuration; keeps the conversion to an integer defined.
  constexpr double kMostTicks = 1e6;
  // v = a T n in exact arithmetic must not cost a tick more because of its last binary digit.
  constexpr double kRounding = 1e-9;
  return static_cast<std::size_t>(std::ceil(std::min(most * (1 - kRounding), kMostTicks)));
}

double stop_time(const Configuration& configuration, std::size_t ticks) {
  return static_cast<double>(ticks) * configuration.tick_seconds() / 2 + configuration.brake_delay;
}

std::size_t brake_ticks(const Configuration& configuration, const JointArray& velocity) {
  double most = 0;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const double step = configuration.limits[j].acceleration_max * configuration.tick_seconds();
    most = std::max(most, std::abs(velocity[j]) / step);
  }
  return whole_ticks(most);
}

Brake plan_brake(const Configuration& configuration, const JointArray& velocity) {
  return Brake{velocity, brake_ticks(configuration, velocity), 0};
}

JointArray next_brake_velocity(Brake& brake) {
  JointArray velocity{};
  if (brake.at_rest()) return velocity;
  ++brake.done;
  const double factor =
      static_cast<double>(brake.ticks - brake.done) / static_cast<double>(brake.ticks);
  for (std::size_t j = 0; j < kMaxJoints; ++j) velocity[j] = brake.velocity[j] * factor;
  return velocity;
}

}  // namespace openral::safety
