// How fast an arm may move that near to a person.
#pragma once

#include "capacity.hpp"

namespace openral::safety {

struct SeparationLimits {
  bool enabled = false;
  double deceleration = 0;  // a [m/s^2] of the tool in a stop
  double reaction = 0;      // T [s] from the measurement to the beginning of the stop
  double margin = 0;        // C + Z [m]: intrusion and uncertainty
  double human_speed = 0;   // v_h [m/s] towards the robot
  Nanoseconds age_max = 0;  // of a measurement
};

// Highest speed [m/s] from which the robot rests before it meets who walks towards it:
//
//   v_h (T + v/a) + v T + v^2 / 2a + C + Z = d
//   v = -(a T + v_h) + sqrt((a T + v_h)^2 + 2 a (d - C - Z - v_h T)),  0 where that is negative.
//
// Speed and separation monitoring of ISO/TS 15066, 5.5.4, with v_h, a and T constant. A distance
// that is no number gives 0.
[[nodiscard]] double separation_speed(const SeparationLimits& limits, double distance);

// The last measured distance; one that is lost, negative or no number counts as touch.
class Separation {
 public:
  void note(double distance, Nanoseconds received) {
    distance_ = distance;
    received_ = received;
    known_ = true;
  }
  [[nodiscard]] double speed(const SeparationLimits& limits, Nanoseconds now) const {
    if (!known_ || now - received_ > limits.age_max) return separation_speed(limits, 0);
    return separation_speed(limits, distance_);
  }

 private:
  double distance_ = 0;  // [m]
  Nanoseconds received_ = 0;
  bool known_ = false;
};

}  // namespace openral::safety
