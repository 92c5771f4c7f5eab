#include "gripper_force.hpp"

#include <cmath>

#include "rounding.hpp"

namespace openral::safety {
namespace {

Finding exceeded(const Configuration& configuration, const JointState& state) {
  const GripperLimits& limits = configuration.gripper;
  for (std::size_t g = 0; g < configuration.gripper_count; ++g) {
    const std::size_t j = configuration.gripper_joints[g];
    const auto joint = static_cast<std::int32_t>(j);
    // NaN, which is not measured, exceeds nothing.
    const double force = std::abs(state.effort[j]);
    if (force > limits.force_max) {
      return {Reason::kGripperForce, -1, joint, force, limits.force_max};
    }
    const double power = force * std::abs(state.velocity[j]);
    if (power > limits.power_max) {
      return {Reason::kGripperPower, -1, joint, power, limits.power_max};
    }
  }
  return {};
}

}  // namespace

Finding check_gripper_power(const Configuration& configuration, std::size_t joint,
                            double velocity) {
  const GripperLimits& limits = configuration.gripper;
  const double power = limits.force_max * std::abs(velocity);
  if (!exceeds(power, limits.power_max)) return {};
  return {Reason::kGripperPower, -1, static_cast<std::int32_t>(joint), power, limits.power_max};
}

Finding GripperWatch::note(const Configuration& configuration, const JointState& state) {
  const Finding finding = exceeded(configuration, state);
  if (finding.ok()) {
    ticks_ = 0;
    return {};
  }
  ++ticks_;
  return ticks_ >= configuration.gripper.ticks_max ? finding : Finding{};
}

}  // namespace openral::safety
