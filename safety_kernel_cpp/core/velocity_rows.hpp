// Joint velocity chunks as the joint positions that they lead to.
#pragma once

#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Finite velocities within their limits; the last row of a timeline is zero. Needs a chunk that
// passed check_shape.
[[nodiscard]] Finding check_velocities(const Configuration& configuration, const Chunk& chunk,
                                       const Columns& columns);

// Row r's velocity holds from row r to row r + 1, so position r is start + dt (v_0 + ... +
// v_{r-1}). `positions` becomes `chunk` with those rows; `start` is the position at the chunk's
// first row.
void integrate(const Chunk& chunk, const Columns& columns, const JointArray& start,
               Chunk& positions);

}  // namespace openral::safety
