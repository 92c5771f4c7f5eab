// The admitted window of the motion that is played, and the phase reached on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "chunk.hpp"
#include "columns.hpp"

namespace openral::safety {

// Linear interpolation of `chunk` at `phase` [rows of the timeline], clamped to the window's ends;
// joints that the chunk does not move keep their value in `base`. The shape of the chunk must have
// been checked.
[[nodiscard]] JointArray interpolate(const Chunk& chunk, const Columns& columns, double phase,
                                     const JointArray& base);

// Slope of the segment that holds `phase` [rad/s]; zero at and beyond the window's ends.
[[nodiscard]] JointArray slope(const Chunk& chunk, const Columns& columns, double phase);

class Timeline {
 public:
  // Starts a new motion at the chunk's first row, from `base`.
  void start(const Chunk& chunk, const Columns& columns, const JointArray& base) {
    extend(chunk, columns);
    phase_ = static_cast<double>(chunk.first_row);
    base_ = base;
  }
  // Takes the newer rows of the same motion; the phase goes on.
  void extend(const Chunk& chunk, const Columns& columns) {
    window_.copy_from(chunk);
    columns_ = columns;
  }

  // Advances by one nominal tick. An overrun of the loop slows the motion and never enlarges a
  // step.
  void advance(double tick_seconds) { phase_ = next_phase(tick_seconds); }

  [[nodiscard]] double phase() const { return phase_; }
  [[nodiscard]] double next_phase(double tick_seconds) const {
    return std::min(phase_ + tick_seconds / window_.dt, end());
  }
  [[nodiscard]] double end() const {
    return static_cast<double>(window_.first_row) + static_cast<double>(window_.horizon - 1);
  }
  [[nodiscard]] bool ended() const { return phase_ >= end(); }
  [[nodiscard]] const Chunk& window() const { return window_; }
  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] const JointArray& base() const { return base_; }
  [[nodiscard]] JointArray position() const {
    return interpolate(window_, columns_, phase_, base_);
  }
  [[nodiscard]] JointArray velocity() const { return slope(window_, columns_, phase_); }

 private:
  Chunk window_;
  Columns columns_;
  JointArray base_{};
  double phase_ = 0;
};

}  // namespace openral::safety
