#include "cartesian_steps.hpp"

#include <cmath>

#include "cartesian_path.hpp"
#include "control_mode.hpp"

namespace openral::safety {
namespace {

// Of the row's way to the next one.
ToolTwist twist_row(const Chunk& chunk, std::size_t row) {
  const bool delta = chunk.control_mode == static_cast<std::uint8_t>(ControlMode::kCartesianDelta);
  const double time = delta ? chunk.dt : 1;
  ToolTwist twist;
  for (std::size_t i = 0; i < 3; ++i) {
    twist.linear[i] = chunk.at(row, kTwistWidth, i) / time;
    twist.angular[i] = chunk.at(row, kTwistWidth, 3 + i) / time;
  }
  return twist;
}

}  // namespace

Finding check_steps(const Configuration& configuration, const Chunk& chunk) {
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    const auto place = static_cast<std::int32_t>(row);
    const bool end = chunk.last && row + 1 == chunk.horizon;
    for (std::size_t i = 0; i < kTwistWidth; ++i) {
      const double value = chunk.at(row, kTwistWidth, i);
      if (!std::isfinite(value)) return {Reason::kNotFinite, place, -1, value, kNoValue};
      if (end && value != 0) return {Reason::kEndNotAtRest, place, -1, value, 0};
    }
    Finding finding = check_twist_limits(configuration, twist_row(chunk, row), 1);
    if (!finding.ok()) {
      finding.row = place;
      return finding;
    }
  }
  return {};
}

void add_up(const Chunk& chunk, const ToolPose& start, Chunk& poses) {
  poses.copy_from(chunk);
  poses.value_count = chunk.horizon * kPoseWidth;
  ToolPose pose = start;
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    set_pose_row(poses, row, pose);
    // A turn of less than half a circle keeps the sign of the quaternion.
    pose = moved(pose, twist_row(chunk, row), chunk.dt);
  }
}

}  // namespace openral::safety
