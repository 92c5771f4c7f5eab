// The rows of a tool's path as they are played, across the windows that bring them.
#pragma once

#include "chunk.hpp"
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
  // `phase` was reached on the window in force.
  void note(const Chunk& poses, double phase);
  [[nodiscard]] const ToolRow& row() const { return row_; }

 private:
  static constexpr double kNoRow = -1;

  ToolRow row_;
  double number_ = kNoRow;
};

}  // namespace openral::safety
