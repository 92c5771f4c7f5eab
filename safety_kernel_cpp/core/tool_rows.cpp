#include "tool_rows.hpp"

#include "cartesian_path.hpp"
#include "timeline.hpp"

namespace openral::safety {

ToolTwist twist_of_row(const Chunk& poses, double row) {
  const double local = row - static_cast<double>(poses.first_row);
  if (local < 0 || local + 1 >= static_cast<double>(poses.horizon)) return {};
  const auto from = static_cast<std::size_t>(local);
  return twist_between(pose_row(poses, from), pose_row(poses, from + 1), poses.dt);
}

void ToolRows::start(bool in_motion) {
  in_progress_.start(in_motion);
  if (!in_motion) row_ = ToolRow{};
}

// A newer window may change the twist within a row: the changes of one row add up.
void ToolRows::note(const Chunk& poses, double phase, double tick_seconds) {
  const double number = row_into(phase);
  if (in_progress_.play(number, poses.dt, tick_seconds)) {
    row_.acceleration_before = row_.acceleration;
    row_.acceleration = ToolTwist{};
  }
  const ToolTwist twist = twist_of_row(poses, number);
  for (std::size_t i = 0; i < 3; ++i) {
    row_.acceleration.linear[i] += (twist.linear[i] - row_.twist.linear[i]) / poses.dt;
    row_.acceleration.angular[i] += (twist.angular[i] - row_.twist.angular[i]) / poses.dt;
  }
  row_.twist = twist;
}

}  // namespace openral::safety
