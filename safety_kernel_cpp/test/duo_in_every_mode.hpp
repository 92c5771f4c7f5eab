// Chunks of every mode of an arm for the small robot.
#pragma once

#include "bench.hpp"
#include "duo_every_mode_robot.hpp"

namespace openral::safety::duo {

inline std::unique_ptr<Chunk> cartesian(const Rows& rows, ControlMode mode) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(mode);
  chunk->name_count = 0;
  return chunk;
}
inline std::unique_ptr<Chunk> poses(const Rows& rows) {
  return cartesian(rows, ControlMode::kCartesianPose);
}
inline std::unique_ptr<Chunk> torques(const Rows& rows) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointTorque);
  return chunk;
}

// Where the tests of poses begin: the tool at (2 cos 0.3, 0, 0.1), straight ahead.
inline constexpr double kShoulder = -0.3;
inline constexpr double kElbow = 0.6;

}  // namespace openral::safety::duo
