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

// From there the tool moves to the left, or from `y` on: each entry is its speed [m/s] on the way
// to the next row.
inline Rows leftwards(const std::vector<double>& speeds, double y = 0) {
  auto pose = planar_pose(kShoulder, kElbow);
  pose[1] = y;
  Rows rows = {pose};
  for (const double speed : speeds) {
    pose[1] += speed * kDt;
    rows.push_back(pose);
  }
  return rows;
}

// A bench of a robot that turns poses into joints by itself.
class PoseBench : public Bench {
 public:
  explicit PoseBench(const RawConfiguration& values = raw_in_every_mode()) : Bench(values) {
    obey = obey_poses;
    measured.position = {kShoulder, kElbow, 0.04};
  }
  // The tool is held by a pose, where it stands.
  void hold_pose() {
    const auto pose = poses({planar_pose(measured.position[0], measured.position[1])});
    send(*pose);
    ticks(2);
    ASSERT_EQ(State::kHolding, state()) << reason_text();
    ASSERT_EQ(ControlMode::kCartesianPose, last.mode) << reason_text();
  }
};

}  // namespace openral::safety::duo
