#include "viability.hpp"

#include "braking.hpp"

namespace openral::safety {

Finding check_viability(const Configuration& configuration, const JointArray& position,
                        const JointArray& velocity) {
  const double time = stop_time(configuration, brake_ticks(configuration, velocity));
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const double stop = position[j] + velocity[j] * time;
    const double limit = velocity[j] > 0 ? limits.position_max : limits.position_min;
    // Written so that a NaN fails.
    const bool inside = velocity[j] > 0 ? stop <= limit : stop >= limit;
    if (velocity[j] != 0 && !inside) {
      return {Reason::kViability, -1, static_cast<std::int32_t>(j), stop, limit};
    }
  }
  return {};
}

}  // namespace openral::safety
