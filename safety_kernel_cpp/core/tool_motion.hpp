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

// A row at `position` and pose `to` that follows `from` after `dt`, and the place where a stop that
// begins at it would end: both in the workspace, the speeds in their limits.
//
// The stop ends at q + v (n T / 2 + T_delay), as in check_viability. Between the row and its end
// the arm moves on an arc of less than 0.06 rad, whose rise over its chord is below a millimetre.
[[nodiscard]] Finding check_tool_motion(const Configuration& configuration, const ChainPose& from,
                                        const ChainPose& to, const JointArray& position,
                                        const JointArray& velocity, double dt, double allowance);

// Speed of the tool point [m/s] on the way from one row to the next.
[[nodiscard]] double tool_speed(const Configuration& configuration, const JointArray& from,
                                const JointArray& to, double dt);

// Whether a joint of the chain differs: a gripper may close and open wherever the arm stands.
[[nodiscard]] bool arm_moves(const Configuration& configuration, const JointArray& from,
                             const JointArray& to);

// Within one segment of a chunk the joints move evenly and the tool's speed varies a little about
// the mean that the admission bounded: a tick may have this many times the limit.
inline constexpr double kTickAllowance = 1.01;

}  // namespace openral::safety
