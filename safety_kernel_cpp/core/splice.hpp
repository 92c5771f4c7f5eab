// Does a chunk continue what the arm is doing now?
#pragma once

#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "reason.hpp"

namespace openral::safety {

// What a chunk must continue.
struct SpliceAnchor {
  JointArray position{};  // last command
  JointArray velocity{};  // of the last command
  JointArray measured{};  // last measured position
};

// Follows the first two commands that the chunk would cause when it is entered at `phase`, and
// compares them with the last command (speed, change of speed, speed of the tool) and with the
// measurement. Needs a
// chunk that passed check_rows.
[[nodiscard]] Finding check_splice(const Configuration& configuration, const Chunk& chunk,
                                   const Columns& columns, double phase,
                                   const SpliceAnchor& anchor);

}  // namespace openral::safety
