// Does a chunk continue what the arm is doing now?
#pragma once

#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "reason.hpp"
#include "speed_changes.hpp"

namespace openral::safety {

// What a chunk must continue.
struct SpliceAnchor {
  JointArray position{};  // last command
  JointArray velocity{};  // of the last command
  JointState measured;    // last measurement
  double age = 0;         // of it [s]
  // Of the row in progress, see Timeline; of a rest, zero.
  JointArray row_speed{};
  JointArray acceleration{};
  JointArray acceleration_before{};  // of the row before it
  bool continues = false;            // the chunk is a newer window of the same timeline
  bool row_lasts = false;            // a new timeline begins within that row
  JointSpeedChanges changes;         // up to the last command
};

// Follows the commands that the chunk would cause when it is entered at `phase`, and compares them
// with the last command (speed, change of speed, jerk, speed of the tool) and with the measurement
// (position and speed). Needs a chunk that passed check_rows.
//
// Changes of speed are followed until the row after the one that is entered has begun, at least for
// two commands: from there on the chunk's own rows, dt apart, leave each other room.
//
// Jerk: of the row that the first command lies in, and of the one after it; the later ones have
// their own two rows before them in the chunk.
//
// Where a timeline begins, the measured speed of every arm joint must fit, see
// check_measured_speed; a gripper closes on its object. Later windows change nothing for an arm
// that is held back or pushed: the tracking error stops that.
[[nodiscard]] Finding check_splice(const Configuration& configuration, const Chunk& chunk,
                                   const Columns& columns, double phase,
                                   const SpliceAnchor& anchor);

// From a measurement to a command at `speed`: the measured speed of an arm's joint, `age` [s] old,
// may differ from it by what the joint may change until then, and by two rows, within which a
// command changes at once:
//
//   |v - v_measured| <= a (age + T_delay + 2 dt) + rest_velocity
//
// and exceed its limit by a servo's overshoot of a tenth. The worst joint is reported.
[[nodiscard]] Finding check_measured_speed(const Configuration& configuration,
                                           const JointArray& speed, const JointState& measured,
                                           double age, double dt);

}  // namespace openral::safety
