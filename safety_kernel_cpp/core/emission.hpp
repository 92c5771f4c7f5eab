// One row again, in the order in which rows are really emitted, before it leaves.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "reason.hpp"
#include "speed_changes.hpp"

namespace openral::safety {

// The step of one tick from the last command, `from` with velocity `before`, to `to`: position,
// speed, gripper power, room to stop and, where the arm moves, its limits in space. The velocity
// may change as much as between two rows, which are `dt` [s] apart, less what `changes` before it
// have taken.
[[nodiscard]] Finding check_emission(const Configuration& configuration, const JointArray& from,
                                     const JointArray& before, const JointArray& to, double dt,
                                     const JointSpeedChanges& changes);

}  // namespace openral::safety
