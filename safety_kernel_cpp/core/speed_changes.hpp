// How much of its acceleration limit a motion has used up just now, whatever its rows and timelines
// are.
//
// A row changes a speed by a dt at most, at once, and the next row is dt away. Rows that are
// shifted and timelines that follow each other sooner than dt must not change it faster than that:
// every change |dv| takes the time |dv| / a, which passes as time does, and no more than one row's
// dt may be taken at a time. So all changes within any time t add up to a (t + dt) at most, there
// and back counted both. Rows that keep their limits come to that by themselves, wherever the ticks
// lie on them.
//
//   changes.pass(tick);                                       // every tick
//   exceeds(changes.acceleration(j, dv, a, dt), a)            // would it be too much?
//   changes.note(j, dv, a);                                   // it was commanded
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "capacity.hpp"

namespace openral::safety {

// Of N speeds: joints, or the two halves of a twist.
template <std::size_t N>
class SpeedChanges {
 public:
  void pass(double time) {
    for (double& taken : taken_) taken = std::max(0.0, taken - time);
  }
  void note(std::size_t i, double change, double acceleration_max) {
    taken_[i] += std::abs(change) / acceleration_max;
  }

  // The acceleration [.../s^2] that a change now comes to over `dt`, those shortly before it
  // included. One that is nothing but rounding, below what a billionth of a second allows, comes to
  // none: where rows become shorter, more may be taken than the new ones may take.
  [[nodiscard]] double acceleration(std::size_t i, double change, double acceleration_max,
                                    double dt) const {
    constexpr double kRounding = 1e-9;  // [s]
    if (std::abs(change) <= kRounding * acceleration_max) return 0;
    return (taken_[i] * acceleration_max + std::abs(change)) / dt;
  }

 private:
  std::array<double, N> taken_{};  // [s]
};

using JointSpeedChanges = SpeedChanges<kMaxJoints>;
// Of a tool: its speed and its turning.
using ToolSpeedChanges = SpeedChanges<2>;

}  // namespace openral::safety
