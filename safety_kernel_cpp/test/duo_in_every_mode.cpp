#include "duo_in_every_mode.hpp"

#include <gtest/gtest.h>

namespace openral::safety::duo {

std::unique_ptr<Chunk> cartesian(const Rows& rows, ControlMode mode) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(mode);
  chunk->name_count = 0;
  return chunk;
}

std::unique_ptr<Chunk> poses(const Rows& rows) {
  return cartesian(rows, ControlMode::kCartesianPose);
}

std::unique_ptr<Chunk> torques(const Rows& rows) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointTorque);
  return chunk;
}

Rows leftwards(const std::vector<double>& speeds, double y) {
  auto pose = planar_pose(kShoulder, kElbow);
  pose[1] = y;
  Rows rows = {pose};
  for (const double speed : speeds) {
    pose[1] += speed * kDt;
    rows.push_back(pose);
  }
  return rows;
}

PoseBench::PoseBench(const RawConfiguration& values) : Bench(values) {
  obey = obey_poses;
  measured.position = {kShoulder, kElbow, 0.04};
}

void PoseBench::hold_pose() {
  const auto pose = poses({planar_pose(measured.position[0], measured.position[1])});
  send(*pose);
  ticks(2);
  ASSERT_EQ(State::kHolding, state()) << reason_text();
  ASSERT_EQ(ControlMode::kCartesianPose, last.mode) << reason_text();
}

}  // namespace openral::safety::duo
