#include "emission.hpp"

#include <cmath>

#include "gripper_force.hpp"
#include "rounding.hpp"
#include "tool_motion.hpp"
#include "viability.hpp"

namespace openral::safety {
namespace {

Finding check_joint(const JointLimits& limits, std::size_t joint, double position, double velocity,
                    double acceleration) {
  const auto found = [&](double value, double limit) {
    return Finding{Reason::kRowCheck, -1, static_cast<std::int32_t>(joint), value, limit};
  };
  // Written so that a NaN fails.
  if (!(position >= limits.position_min)) return found(position, limits.position_min);
  if (!(position <= limits.position_max)) return found(position, limits.position_max);
  const double speed = std::abs(velocity);
  if (exceeds(speed, limits.velocity_max)) return found(speed, limits.velocity_max);
  if (!exceeds(acceleration, limits.acceleration_max)) return {};
  return found(acceleration, limits.acceleration_max);
}

}  // namespace

Finding check_emission(const Configuration& configuration, const JointArray& from,
                       const JointArray& before, const JointArray& to, double dt,
                       const JointSpeedChanges& changes) {
  const double tick = configuration.tick_seconds();
  JointArray velocity{};
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    velocity[j] = (to[j] - from[j]) / tick;
    const JointLimits& limits = configuration.limits[j];
    const double acceleration =
        changes.acceleration(j, velocity[j] - before[j], limits.acceleration_max, dt);
    Finding finding = check_joint(limits, j, to[j], velocity[j], acceleration);
    if (!finding.ok()) return finding;
  }
  for (std::size_t g = 0; g < configuration.gripper_count; ++g) {
    const std::size_t j = configuration.gripper_joints[g];
    if (Finding finding = check_gripper_power(configuration, j, velocity[j]); !finding.ok()) {
      return finding;
    }
  }
  if (Finding finding = check_viability(configuration, to, velocity); !finding.ok()) {
    return finding;
  }
  if (!configuration.arm.limited || !arm_moves(configuration, from, to)) return {};
  const Chain& chain = configuration.arm.chain;
  return check_tool_motion(configuration, forward(chain, from), forward(chain, to), to, velocity,
                           tick, kTickAllowance);
}

}  // namespace openral::safety
