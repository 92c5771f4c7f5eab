// The force and the power of a gripper: what a row may ask, and what is measured.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "reason.hpp"

namespace openral::safety {

// A gripper that moves at `velocity` and may exert its force cap has both within its power. [W]
[[nodiscard]] Finding check_gripper_power(const Configuration& configuration, std::size_t joint,
                                          double velocity);

// Watches the measured effort of gripper joints. A gripper obeys the cap that every command
// carries; one that exceeds it for some ticks does not.
class GripperWatch {
 public:
  // To be called once a tick with a fresh state. An effort that is not measured (NaN) is not
  // watched.
  [[nodiscard]] Finding note(const Configuration& configuration, const JointState& state);
  void forget() { ticks_ = 0; }

 private:
  std::size_t ticks_ = 0;
};

}  // namespace openral::safety
