// Is a chunk, by itself, one that this robot may ever play? Whole or not at all.
#pragma once

#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Mode, robot, skill, shape, joint names and time step. After it, every index into the chunk is
// safe.
[[nodiscard]] Finding check_shape(const Configuration& configuration, const Chunk& chunk);

// Finiteness, position, step, velocity, acceleration, jerk, viability, workspace and tool speed of
// every row, with the nominal dt. `base` holds the joints that the chunk does not move. Needs a
// chunk that passed check_shape.
[[nodiscard]] Finding check_rows(const Configuration& configuration, const Chunk& chunk,
                                 const Columns& columns, const JointArray& base);

}  // namespace openral::safety
