// The admitted window of the motion that is played, and the phase reached on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "chunk.hpp"
#include "columns.hpp"
#include "row_in_progress.hpp"

namespace openral::safety {

// Linear interpolation of `chunk` at `phase` [rows of the timeline], clamped to the window's ends;
// joints that the chunk does not move keep their value in `base`. The shape of the chunk must have
// been checked.
[[nodiscard]] JointArray interpolate(const Chunk& chunk, const Columns& columns, double phase,
                                     const JointArray& base);

// Slope of the segment that holds `phase` [rad/s]; zero at and beyond the window's ends.
[[nodiscard]] JointArray slope(const Chunk& chunk, const Columns& columns, double phase);

// The row, counted in the timeline, that leads to `phase`: at a row's end still that row.
[[nodiscard]] double row_into(double phase);

// Slope of that row [rad/s]; zero where the window does not hold it.
[[nodiscard]] JointArray slope_of_row(const Chunk& chunk, const Columns& columns, double row);

class Timeline {
 public:
  // Starts a new motion at its first row, from `base`: out of the motion before it, or from rest.
  void start(const Chunk& chunk, const Columns& columns, const JointArray& base, bool in_motion) {
    extend(chunk, columns);
    phase_ = static_cast<double>(chunk.first_row);
    base_ = base;
    row_.start(in_motion);
    if (!in_motion) speed_ = acceleration_ = acceleration_before_ = JointArray{};
  }
  // Takes the newer rows of the same motion; the phase goes on.
  void extend(const Chunk& chunk, const Columns& columns) {
    window_.copy_from(chunk);
    columns_ = columns;
  }

  // Advances by one nominal tick. An overrun of the loop slows the motion and never enlarges a
  // step.
  void advance(double tick_seconds) {
    phase_ = next_phase(tick_seconds);
    note_row(tick_seconds);
  }

  [[nodiscard]] double phase() const { return phase_; }
  [[nodiscard]] double next_phase(double tick_seconds) const {
    return std::min(phase_ + tick_seconds / window_.dt, end());
  }
  [[nodiscard]] double end() const {
    return static_cast<double>(window_.first_row) + static_cast<double>(window_.horizon - 1);
  }
  [[nodiscard]] bool ended() const { return phase_ >= end(); }
  // Whether the window holds less than the next tick: what is left of it would end in a sudden
  // halt.
  [[nodiscard]] bool runs_out(double tick_seconds) const {
    return phase_ + tick_seconds / window_.dt > end() + kPhaseRounding;
  }
  [[nodiscard]] const Chunk& window() const { return window_; }
  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] const JointArray& base() const { return base_; }
  [[nodiscard]] JointArray position() const {
    return interpolate(window_, columns_, phase_, base_);
  }
  [[nodiscard]] JointArray velocity() const { return slope(window_, columns_, phase_); }

  // Of the row in progress, as it was played: its speed, and the change of speed that it began with
  // over its dt. Windows come and go; what was commanded stays known across them.
  [[nodiscard]] const JointArray& row_speed() const { return speed_; }
  [[nodiscard]] const JointArray& acceleration() const { return acceleration_; }
  [[nodiscard]] const JointArray& acceleration_before() const { return acceleration_before_; }
  // Whether it has not been played for its whole dt.
  [[nodiscard]] bool row_lasts() const { return row_.lasts(); }

 private:
  void note_row(double tick_seconds);

  Chunk window_;
  Columns columns_;
  JointArray base_{};
  double phase_ = 0;
  RowInProgress row_;
  JointArray speed_{};
  JointArray acceleration_{};
  JointArray acceleration_before_{};  // of the row before
};

}  // namespace openral::safety
