// A kernel that holds the small robot, whose tool is commanded by poses.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "duo_in_every_mode.hpp"

namespace openral::safety::duo {

class PoseKernel : public testing::Test {
 protected:
  void SetUp() override { bench_.start(); }
  // The shoulder turns by these speeds [rad/s], said as poses of the tool.
  [[nodiscard]] static std::unique_ptr<Chunk> arc(const std::vector<double>& speeds) {
    Rows rows;
    double shoulder = kShoulder;
    rows.push_back(planar_pose(shoulder, kElbow));
    for (const double speed : speeds) {
      shoulder += speed * kDt;
      rows.push_back(planar_pose(shoulder, kElbow));
    }
    return poses(rows);
  }
  // Up to 0.3 rad/s, 0.57 m/s at the tool: 0.02 (0.1 + 0.2 + 0.3 n + 0.2 + 0.1) rad.
  [[nodiscard]] static std::vector<double> speeds(int cruise) {
    std::vector<double> speeds = {0.1, 0.2};
    for (int i = 0; i < cruise; ++i) speeds.push_back(0.3);
    speeds.insert(speeds.end(), {0.2, 0.1});
    return speeds;
  }
  // The elbow is measured at 0.51 rad/s, of 0.5, as long as poses are obeyed.
  void race_the_elbow() {
    bench_.obey = [](const Command& command, JointState& state) {
      obey_poses(command, state);
      if (command.mode == ControlMode::kCartesianPose) state.velocity[1] = 0.51;
    };
  }

  PoseBench bench_;
};

}  // namespace openral::safety::duo
