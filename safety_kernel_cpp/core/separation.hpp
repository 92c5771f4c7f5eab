// How fast an arm may move that near to a person.
#pragma once

#include <array>
#include <cstddef>

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

// The least distance that was measured within the last `age_max`, by whichever sensor: whoever one
// of them sees is there, whatever another says. One that is lost, negative or no number counts as
// touch. A repeated stamp is the same measurement again, as old as when it was heard first: a
// frozen sensor keeps no distance fresh.
class Separation {
 public:
  void note(const SeparationLimits& limits, double distance, Nanoseconds stamp,
            Nanoseconds received);
  [[nodiscard]] double speed(const SeparationLimits& limits, Nanoseconds now) const;

 private:
  struct Reading {
    double distance = 0;  // [m]
    Nanoseconds received = 0;
  };
  // When a stamp was heard first, and last.
  struct Stamp {
    Nanoseconds stamp = 0;
    Nanoseconds first = 0;
    Nanoseconds last = 0;
  };
  [[nodiscard]] Nanoseconds first_heard(Nanoseconds stamp, Nanoseconds received);

  // As many sensors as a tick takes readings of, and a stamp more of each: one whose stamp was
  // forgotten between two repetitions would count as new.
  static constexpr std::size_t kStamps = 2 * kMaxSeparations;
  std::array<Stamp, kStamps> stamps_{};
  std::size_t stamp_count_ = 0;
  static constexpr std::size_t kReadings = 32;
  // From the oldest and least on, rising: a nearer one makes those before it idle.
  std::array<Reading, kReadings> readings_{};
  std::size_t count_ = 0;
};

}  // namespace openral::safety
