// The mode cartesian_pose: poses as they come, made continuous.
#pragma once

#include "chunk.hpp"
#include "reason.hpp"
#include "tool_pose.hpp"

namespace openral::safety {

// `poses` becomes `chunk` with unit quaternions, each the nearer one to that of the row before, and
// the first to `reference`: q and -q are one orientation, and what lies between two rows must not
// go the long way round. Refuses what is not finite or no orientation. Needs a chunk that passed
// check_shape.
[[nodiscard]] Finding read_poses(const Chunk& chunk, const Quaternion& reference, Chunk& poses);

}  // namespace openral::safety
