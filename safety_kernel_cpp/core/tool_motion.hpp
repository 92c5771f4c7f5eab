// Limits of an arm in space: its workspace, the speed of its tool, the speed of its turning.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "kinematic_chain.hpp"
#include "reason.hpp"

namespace openral::safety {

// Every link point of `pose` lies in the workspace box, or outside by at most `margin`. A NaN does
// not.
[[nodiscard]] Finding check_workspace(const Configuration& configuration, const ChainPose& pose,
                                      double margin = 0);

// Mean speed of the tool point and of its turning between two poses that are `dt` apart, at most
// `allowance` times the limit.
[[nodiscard]] Finding check_tool_speed(const Configuration& configuration, const ChainPose& from,
                                       const ChainPose& to, double dt, double allowance);

// The straight way in joint space from `from` to `to`, but for its beginning: every link point in
// the workspace, or outside by at most `margin`.
//
// It is looked at from place to place, so that no joint turns by more than 0.06 rad from one to the
// next: a point one metre away from the joint's axis rises over the chord by 1 m * 0.06^2 / 8, less
// than half a millimetre.
[[nodiscard]] Finding check_workspace_way(const Configuration& configuration,
                                          const JointArray& from, const JointArray& to,
                                          double margin = 0);

// A row at `position` and pose `to` that follows `from` after `dt`, and the way of a stop that
// begins at it: both in the workspace, the speeds in their limits. The stop leads straight on to
// q + v stop_time, as in check_viability.
[[nodiscard]] Finding check_tool_motion(const Configuration& configuration, const ChainPose& from,
                                        const ChainPose& to, const JointArray& position,
                                        const JointArray& velocity, double dt, double allowance);

// Whether a joint of the chain differs: a gripper may close and open wherever the arm stands.
[[nodiscard]] bool arm_moves(const Configuration& configuration, const JointArray& from,
                             const JointArray& to);

// Within one segment of a chunk the joints move evenly and the tool's speed varies a little about
// the mean that the admission bounded: a tick may have this many times the limit.
inline constexpr double kTickAllowance = 1.01;

}  // namespace openral::safety
