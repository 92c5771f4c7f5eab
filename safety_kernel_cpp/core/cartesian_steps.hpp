// The modes cartesian_twist and cartesian_delta, as the poses that they lead to.
//
// Row r says how the tool moves from row r to row r + 1: as a twist, or as the change of pose
// itself. Both are added up on the pose that is commanded when the timeline begins, so the path is
// what the rows say, whatever the robot makes of a single one.
#pragma once

#include "chunk.hpp"
#include "configuration.hpp"
#include "reason.hpp"
#include "tool_pose.hpp"

namespace openral::safety {

// Finite, within the speeds of the tool; the last row of a timeline is zero. Needs a chunk of one
// of the two modes that passed check_shape.
[[nodiscard]] Finding check_steps(const Configuration& configuration, const Chunk& chunk);

// `poses` becomes `chunk` with the poses that its rows lead to from `start`, the pose of its first
// row. Needs a chunk that passed check_steps.
void add_up(const Chunk& chunk, const ToolPose& start, Chunk& poses);

}  // namespace openral::safety
