// The mode joint_torque: range, rate and power.
//
// A torque is on top of what holds the arm against gravity, so a row of zeros leaves it free. What
// it moves is seen in the measurement only: see measured_motion.hpp.
#pragma once

#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Every row finite, in range, and from one to the next within the rate; a timeline ends within one
// such step of zero. Needs a chunk that passed check_shape.
[[nodiscard]] Finding check_torques(const Configuration& configuration, const Chunk& chunk,
                                    const Columns& columns);

// The first command that the chunk would cause when it is entered at `phase`, from the torque in
// force. Those after it lie between rows, whose rate check_torques bounds. Needs a chunk that
// passed it.
[[nodiscard]] Finding check_torque_splice(const Configuration& configuration, const Chunk& chunk,
                                          const Columns& columns, double phase,
                                          const JointArray& in_force);

// One tick, before it is emitted: range, rate, and the sum of |torque x measured velocity| over all
// joints within the power. [W]
[[nodiscard]] Finding check_torque_step(const Configuration& configuration, const JointArray& from,
                                        const JointArray& to, const JointArray& velocity);

}  // namespace openral::safety
