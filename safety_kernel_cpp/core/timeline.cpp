#include "timeline.hpp"

#include <cmath>

namespace openral::safety {
namespace {

// Index of the segment that holds the phase, counted from the window's first row.
std::size_t segment_of(const Chunk& chunk, double local) {
  const auto rows = static_cast<std::size_t>(chunk.horizon);
  if (rows < 2 || !(local > 0)) return 0;
  return std::min(static_cast<std::size_t>(local), rows - 2);
}

double local_phase(const Chunk& chunk, double phase) {
  const double last = static_cast<double>(chunk.horizon) - 1;
  return std::min(std::max(phase - static_cast<double>(chunk.first_row), 0.0), last);
}

}  // namespace

JointArray interpolate(const Chunk& chunk, const Columns& columns, double phase,
                       const JointArray& base) {
  JointArray position = base;
  const double local = local_phase(chunk, phase);
  const std::size_t row = segment_of(chunk, local);
  const double part = local - static_cast<double>(row);
  for (std::size_t c = 0; c < columns.width; ++c) {
    const double from = chunk.at(row, columns.width, c);
    double value = from;
    if (chunk.horizon > 1 && part > 0) {
      const double to = chunk.at(row + 1, columns.width, c);
      // The end point exactly, whatever the rounding of the sum.
      value = part >= 1 ? to : from + (to - from) * part;
    }
    position[columns.joint[c]] = value;
  }
  return position;
}

JointArray slope(const Chunk& chunk, const Columns& columns, double phase) {
  JointArray velocity{};
  const double local = local_phase(chunk, phase);
  if (chunk.horizon < 2 || local >= static_cast<double>(chunk.horizon - 1)) return velocity;
  const std::size_t row = segment_of(chunk, local);
  for (std::size_t c = 0; c < columns.width; ++c) {
    velocity[columns.joint[c]] =
        (chunk.at(row + 1, columns.width, c) - chunk.at(row, columns.width, c)) / chunk.dt;
  }
  return velocity;
}

double row_into(double phase) {
  // A sum of ticks may miss a row's end by its rounding.
  constexpr double kRounding = 1e-6;
  return std::max(0.0, std::ceil(phase - kRounding) - 1);
}

JointArray slope_of_row(const Chunk& chunk, const Columns& columns, double row) {
  JointArray velocity{};
  const double local = row - static_cast<double>(chunk.first_row);
  if (local < 0 || local + 1 >= static_cast<double>(chunk.horizon)) return velocity;
  const auto from = static_cast<std::size_t>(local);
  for (std::size_t c = 0; c < columns.width; ++c) {
    velocity[columns.joint[c]] =
        (chunk.at(from + 1, columns.width, c) - chunk.at(from, columns.width, c)) / chunk.dt;
  }
  return velocity;
}

// A newer window may change the speed within a row: the changes of one row add up.
void Timeline::note_row() {
  const double row = row_into(phase_);
  const JointArray speed = slope_of_row(window_, columns_, row);
  if (row != row_) {
    row_ = row;
    acceleration_before_ = acceleration_;
    acceleration_ = JointArray{};
  }
  for (std::size_t j = 0; j < kMaxJoints; ++j) {
    acceleration_[j] += (speed[j] - speed_[j]) / window_.dt;
  }
  speed_ = speed;
}

}  // namespace openral::safety
