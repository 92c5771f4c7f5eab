// A measurement of every joint, in the order of the robot configuration.
#pragma once

#include <cmath>
#include <limits>

#include "capacity.hpp"
#include "configuration.hpp"

namespace openral::safety {

struct JointState {
  Nanoseconds received = 0;  // monotonic
  Nanoseconds stamp = 0;     // the robot's clock
  JointArray position{};
  JointArray velocity{};
  JointArray effort = not_measured();  // [N m], gripper joints [N]; NaN = not measured
  bool complete = false;  // every configured joint was named, with position and velocity

  [[nodiscard]] static JointArray not_measured() {
    JointArray effort{};
    effort.fill(std::numeric_limits<double>::quiet_NaN());
    return effort;
  }
};

// True if the measurement can be used at all: complete and finite.
[[nodiscard]] inline bool state_is_usable(const Configuration& configuration,
                                          const JointState& state) {
  if (!state.complete) return false;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    if (!std::isfinite(state.position[j]) || !std::isfinite(state.velocity[j])) return false;
  }
  return true;
}

}  // namespace openral::safety
