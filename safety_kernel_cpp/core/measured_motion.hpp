// Can an arm whose joints nobody commanded still stop inside its limits?
//
// In the joint modes the kernel knows where every joint is sent. Where the robot itself turns poses
// or torques into motion of its joints, only the measurement says what they do.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "reason.hpp"

namespace openral::safety {

// What a measurement in space may exceed where the command itself was bounded.
struct Tolerance {
  double speed = 1;   // times the limits of the tool
  double margin = 0;  // [m] around the workspace
};

// Speed of every joint, and where a stop of all joints from the measured state would end:
//
//   q + v (n T / 2 + T_delay),  n ticks of the stop as in check_viability, v n T / 2 >= v^2 / 2a,
//
// with T_delay = brake.delay_s + the age of the measurement [s] + one tick. Where the arm is
// limited in space: link points and tool now and there in the workspace, and the tool's measured
// speed and turning within their limits.
//
// Grippers are left out: one closes on its object or on its own end. A joint below rest_velocity
// stands.
[[nodiscard]] Finding check_measured_motion(const Configuration& configuration,
                                            const JointState& state, double age,
                                            const Tolerance& tolerance);

// Where that stop would end.
[[nodiscard]] JointArray end_of_measured_stop(const Configuration& configuration,
                                              const JointState& state, double age);

// The joints that a stop begins from, moved on by the measurement's age and kept in the limits.
[[nodiscard]] JointArray measured_now(const Configuration& configuration, const JointState& state,
                                      double age);

// Of a servo that follows a commanded pose, and overshoots a little.
[[nodiscard]] inline Tolerance servo_tolerance(const Configuration& configuration) {
  return {1.1, configuration.state_position_margin};
}

}  // namespace openral::safety
