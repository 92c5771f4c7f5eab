// The path of a tool in space: poses within the workspace, speed, acceleration, jerk and stopping
// distance.
//
// A pose row is seven values in the frame of the arm's base: x y z [m], qx qy qz qw. Whatever
// Cartesian mode a chunk has, it is played as poses: a row that is lost then shifts nothing.
#pragma once

#include "capacity.hpp"
#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "reason.hpp"
#include "speed_changes.hpp"
#include "tool_pose.hpp"
#include "tool_rows.hpp"

namespace openral::safety {

[[nodiscard]] ToolPose pose_row(const Chunk& poses, std::size_t row);
void set_pose_row(Chunk& poses, std::size_t row, const ToolPose& pose);
// Columns of a chunk of poses.
[[nodiscard]] Columns pose_columns();
// Seven values as a pose; a quaternion that was interpolated is made a unit again.
[[nodiscard]] ToolPose pose_from(const JointArray& values);

// A stop of the tool in `ticks` equal steps of deceleration, by one factor for all six axes: the
// tangent of the path keeps its direction, as in Brake.
struct ToolBrake {
  ToolTwist twist;  // at the decision
  std::size_t ticks = 0;
  std::size_t done = 0;

  [[nodiscard]] bool at_rest() const { return done >= ticks; }
};
[[nodiscard]] ToolBrake plan_tool_brake(const Configuration& configuration, const ToolTwist& twist);
// Twist of the next tick of the stop; advances it.
[[nodiscard]] ToolTwist next_brake_twist(ToolBrake& brake);

// The tool point in the workspace box. A NaN is not.
[[nodiscard]] Finding check_tool_point(const Configuration& configuration, const Vector3& point);

// Speed and turning, at most `allowance` times their limits.
[[nodiscard]] Finding check_twist_limits(const Configuration& configuration, const ToolTwist& twist,
                                         double allowance);
// From one twist to the next within `time`, at most `allowance` times the acceleration limits.
[[nodiscard]] Finding check_twist_change(const Configuration& configuration, const ToolTwist& from,
                                         const ToolTwist& to, double time, double allowance);
// Where a stop that begins at `pose` with `twist` ends, p + v (n T / 2 + T_delay) as in
// check_viability, is in the box.
[[nodiscard]] Finding check_tool_stop(const Configuration& configuration, const ToolPose& pose,
                                      const ToolTwist& twist);

// Every row of a chunk of poses, with the nominal dt.
[[nodiscard]] Finding check_poses(const Configuration& configuration, const Chunk& poses);

// What a chunk must continue.
struct ToolAnchor {
  ToolPose pose;               // last command
  ToolTwist twist;             // of the last command
  ToolPose measured;           // by forward kinematics of the measured joints
  ToolRow row{};               // in progress; of a rest, none
  bool continues = false;      // the chunk is a newer window of the same timeline
  bool row_lasts = false;      // a new timeline begins within that row
  ToolSpeedChanges changes{};  // up to the last command
};
// The commands that the chunk would cause when it is entered at `phase`, and the jerk of the row
// that they lie in and of the one after it, as check_splice has it for joints.
[[nodiscard]] Finding check_tool_splice(const Configuration& configuration, const Chunk& poses,
                                        double phase, const ToolAnchor& anchor);

// A tick has passed, in which a tool may have changed its twist by as much.
void pass_tick(const Configuration& configuration, ToolSpeedChanges& changes);
// The twist was changed.
void note_change(const Configuration& configuration, const ToolTwist& from, const ToolTwist& to,
                 ToolSpeedChanges& changes);

// The step of one tick, before it is emitted, and its stop, after what `changes` before it have
// taken.
[[nodiscard]] Finding check_tool_step(const Configuration& configuration, const ToolPose& from,
                                      const ToolTwist& before, const ToolPose& to, double dt,
                                      const ToolSpeedChanges& changes);

// Distance between a commanded and a measured pose.
[[nodiscard]] Finding check_tool_tracking(const Configuration& configuration,
                                          const ToolPose& command, const ToolPose& measured);

}  // namespace openral::safety
