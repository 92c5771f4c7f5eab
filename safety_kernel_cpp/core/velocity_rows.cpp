#include "velocity_rows.hpp"

#include <cmath>

#include "rounding.hpp"

namespace openral::safety {

Finding check_velocities(const Configuration& configuration, const Chunk& chunk,
                         const Columns& columns) {
  const auto rows = static_cast<std::size_t>(chunk.horizon);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool end = chunk.last && row + 1 == rows;
    for (std::size_t c = 0; c < columns.width; ++c) {
      const double velocity = chunk.at(row, columns.width, c);
      const double limit = configuration.limits[columns.joint[c]].velocity_max;
      const auto found = [&](Reason reason, double bound) {
        return Finding{reason, static_cast<std::int32_t>(row),
                       static_cast<std::int32_t>(columns.joint[c]), velocity, bound};
      };
      if (!std::isfinite(velocity)) return found(Reason::kNotFinite, kNoValue);
      if (exceeds(std::abs(velocity), limit)) return found(Reason::kVelocityLimit, limit);
      if (end && velocity != 0) return found(Reason::kEndNotAtRest, 0);
    }
  }
  return {};
}

void integrate(const Chunk& chunk, const Columns& columns, const JointArray& start,
               Chunk& positions) {
  positions.copy_from(chunk);
  for (std::size_t c = 0; c < columns.width; ++c) {
    double position = start[columns.joint[c]];
    for (std::size_t row = 0; row < chunk.horizon; ++row) {
      positions.values[row * columns.width + c] = position;
      position += chunk.at(row, columns.width, c) * chunk.dt;
    }
  }
}

}  // namespace openral::safety
