#include "cartesian_pose.hpp"

#include <cmath>

#include "cartesian_path.hpp"

namespace openral::safety {

Finding read_poses(const Chunk& chunk, const Quaternion& reference, Chunk& poses) {
  poses.copy_from(chunk);
  Quaternion before = reference;
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    const auto place = static_cast<std::int32_t>(row);
    for (std::size_t i = 0; i < kPoseWidth; ++i) {
      const double value = chunk.at(row, kPoseWidth, i);
      if (!std::isfinite(value)) return {Reason::kNotFinite, place, -1, value, kNoValue};
    }
    ToolPose pose = pose_row(chunk, row);
    const double size = norm(pose.orientation);
    // Written so that an overflow is refused.
    if (!(std::abs(size - 1) <= kUnitTolerance)) {
      return {Reason::kQuaternionNorm, place, -1, size, 1};
    }
    pose.orientation = near(before, unit(pose.orientation));
    set_pose_row(poses, row, pose);
    before = pose.orientation;
  }
  return {};
}

}  // namespace openral::safety
