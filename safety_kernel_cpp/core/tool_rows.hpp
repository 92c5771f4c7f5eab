// The rows of a tool's path as they are played, across the windows that bring them.
#pragma once

#include "chunk.hpp"
#include "row_in_progress.hpp"
#include "tool_pose.hpp"

namespace openral::safety {

// The even motion of a row of poses, counted in the timeline, to the next one; none where the
// window does not hold it.
[[nodiscard]] ToolTwist twist_of_row(const Chunk& poses, double row);

// What a timeline of poses must go on from, as Timeline's row_speed and accelerations for joints.
struct ToolRow {
  ToolTwist twist;                // of the row in progress
  ToolTwist acceleration;         // the change of twist that it began with, over its dt
  ToolTwist acceleration_before;  // of the row before
};

class ToolRows {
 public:
  // A new timeline begins: out of the motion before it, or from rest.
  void start(bool in_motion);
  // `phase` was reached on the window in force, within one tick.
  void note(const Chunk& poses, double phase, double tick_seconds);
  [[nodiscard]] const ToolRow& row() const { return row_; }
  // Whether it has not been played for its whole dt.
  [[nodiscard]] bool row_lasts() const { return in_progress_.lasts(); }

 private:
  ToolRow row_;
  RowInProgress in_progress_;
};

}  // namespace openral::safety
