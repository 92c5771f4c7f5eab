// A slow second opinion on a chunk, written from the limits' definitions and not from the kernel's
// code: one pass per law over all rows, in long double. It shares nothing with admission.cpp but
// the types.
#pragma once

#include <cmath>
#include <vector>

#include "chunk.hpp"
#include "configuration.hpp"

namespace openral::safety::reference {

// Yes, no, or so near to a limit that the order of rounding decides.
enum class Verdict { kAdmissible, kInadmissible, kOnTheLimit };

class Checker {
 public:
  Checker(const Configuration& configuration, const Chunk& chunk)
      : configuration_(configuration), chunk_(chunk) {}

  // Of a joint position chunk of the right shape.
  [[nodiscard]] Verdict check() {
    width_ = configuration_.joint_count;
    rows_ = static_cast<std::size_t>(chunk_.horizon);
    for (std::size_t i = 0; i < rows_ * width_; ++i) {
      if (!std::isfinite(chunk_.values[i])) return Verdict::kInadmissible;
    }
    positions();
    speeds();
    accelerations();
    jerks();
    // A row too fast would be long to count a stop of, and is refused already.
    if (broken_) return Verdict::kInadmissible;
    stops();
    if (chunk_.last) ends_at_rest();
    if (broken_) return Verdict::kInadmissible;
    return near_ ? Verdict::kOnTheLimit : Verdict::kAdmissible;
  }

 private:
  using Real = long double;
  [[nodiscard]] Real q(std::size_t row, std::size_t joint) const {
    return chunk_.values[row * width_ + joint];
  }
  [[nodiscard]] Real v(std::size_t row, std::size_t joint) const {
    return (q(row, joint) - q(row - 1, joint)) / chunk_.dt;
  }
  [[nodiscard]] Real a(std::size_t row, std::size_t joint) const {
    return (v(row, joint) - v(row - 1, joint)) / chunk_.dt;
  }
  // `value` must not exceed `limit`.
  void bound(Real value, Real limit) {
    if (value > limit + 1e-6L * std::abs(limit) + 1e-7L) {
      broken_ = true;
    } else if (value > limit - 1e-6L * std::abs(limit) - 1e-7L) {
      near_ = true;
    }
  }
  template <typename F>
  void for_each(std::size_t from, F&& law) {
    for (std::size_t joint = 0; joint < width_; ++joint) {
      for (std::size_t row = from; row < rows_; ++row) {
        law(row, joint, configuration_.limits[joint]);
      }
    }
  }

  void positions() {
    for_each(0, [&](std::size_t row, std::size_t joint, const JointLimits& limits) {
      if (q(row, joint) < limits.position_min || q(row, joint) > limits.position_max) {
        broken_ = true;  // exact: no arithmetic comes before it
      }
    });
  }
  void speeds() {
    for_each(1, [&](std::size_t row, std::size_t joint, const JointLimits& limits) {
      bound(std::abs(q(row, joint) - q(row - 1, joint)), limits.step_max);
      bound(std::abs(v(row, joint)), limits.velocity_max);
    });
  }
  void accelerations() {
    for_each(2, [&](std::size_t row, std::size_t joint, const JointLimits& limits) {
      bound(std::abs(a(row, joint)), limits.acceleration_max);
    });
  }
  void jerks() {
    for_each(3, [&](std::size_t row, std::size_t joint, const JointLimits& limits) {
      bound(std::abs(a(row, joint) - a(row - 1, joint)) / chunk_.dt, limits.jerk_max);
    });
  }
  // Counts a stop's ticks by trying one after the other.
  [[nodiscard]] std::size_t ticks(std::size_t row) {
    const Real tick = configuration_.tick_seconds();
    for (std::size_t n = 0;; ++n) {
      bool enough = true;
      for (std::size_t joint = 0; joint < width_; ++joint) {
        const Real able = configuration_.limits[joint].acceleration_max * tick * n;
        const Real speed = std::abs(v(row, joint));
        if (speed > able * (1 + 1e-6L)) enough = false;
        if (n > 0 && std::abs(speed - able) <= 1e-6L * able) near_ = true;
      }
      if (enough || n > 100000) return n;
    }
  }
  void stops() {
    const Real tick = configuration_.tick_seconds();
    for (std::size_t row = 1; row < rows_; ++row) {
      const Real time = ticks(row) * tick / 2 + configuration_.brake_delay;
      for (std::size_t joint = 0; joint < width_; ++joint) {
        const JointLimits& limits = configuration_.limits[joint];
        const Real end = q(row, joint) + v(row, joint) * time;
        if (v(row, joint) > 0) bound(end, limits.position_max);
        if (v(row, joint) < 0) bound(-end, -limits.position_min);
      }
    }
  }
  void ends_at_rest() {
    if (rows_ < 2) return;
    for (std::size_t joint = 0; joint < width_; ++joint) {
      const Real end = -v(rows_ - 1, joint) / chunk_.dt;
      bound(std::abs(end), configuration_.limits[joint].acceleration_max);
      if (rows_ < 3) continue;
      bound(std::abs(end - a(rows_ - 1, joint)) / chunk_.dt, configuration_.limits[joint].jerk_max);
    }
  }

  const Configuration& configuration_;
  const Chunk& chunk_;
  std::size_t width_ = 0;
  std::size_t rows_ = 0;
  bool broken_ = false;
  bool near_ = false;
};

}  // namespace openral::safety::reference
