#include "timeline.hpp"

#include <cmath>

namespace openral::safety {
namespace {

// Rows beyond the window's first, no further than its last.
double local_phase(const Chunk& chunk, double phase) {
  const double last = static_cast<double>(chunk.horizon) - 1;
  // 0 comes first: of a phase that is no number, it is what is left.
  return std::min(std::max(0.0, phase - static_cast<double>(chunk.first_row)), last);
}

}  // namespace

JointArray interpolate(const Chunk& chunk, const Columns& columns, double phase,
                       const JointArray& base) {
  JointArray position = base;
  const double local = local_phase(chunk, phase);
  const auto row = static_cast<std::size_t>(local);
  const double part = local - static_cast<double>(row);
  for (std::size_t c = 0; c < columns.width; ++c) {
    const double from = chunk.at(row, columns.width, c);
    double value = from;
    // The last row has no next one.
    if (part > 0) value += (chunk.at(row + 1, columns.width, c) - from) * part;
    position[columns.joint[c]] = value;
  }
  return position;
}

JointArray slope(const Chunk& chunk, const Columns& columns, double phase) {
  JointArray velocity{};
  const double local = local_phase(chunk, phase);
  if (local >= static_cast<double>(chunk.horizon - 1)) return velocity;
  const auto row = static_cast<std::size_t>(local);
  for (std::size_t c = 0; c < columns.width; ++c) {
    velocity[columns.joint[c]] =
        (chunk.at(row + 1, columns.width, c) - chunk.at(row, columns.width, c)) / chunk.dt;
  }
  return velocity;
}

double row_into(double phase) { return std::max(0.0, std::ceil(phase - kPhaseRounding) - 1); }

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
void Timeline::note_row(double tick_seconds) {
  const double row = row_into(phase_);
  const JointArray speed = slope_of_row(window_, columns_, row);
  if (row_.play(row, window_.dt, tick_seconds)) {
    acceleration_before_ = acceleration_;
    acceleration_ = JointArray{};
  }
  for (std::size_t j = 0; j < kMaxJoints; ++j) {
    acceleration_[j] += (speed[j] - speed_[j]) / window_.dt;
  }
  speed_ = speed;
}

}  // namespace openral::safety
