// What the runner of the fault matrix sends in each mode: one motion, and one that takes it over.
//
// 0.4 rad/s of the shoulder, by whatever the mode says: its position, its speed, its torque, the
// arc that the tool draws (0.76 m/s at 1.91 m); 25 mm/s of the finger, 0.2 m/s of the base.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "fault_robot.hpp"

namespace openral::safety::duo {

inline constexpr int kCruise = 60;  // rows; longer than any cell is watched
inline constexpr double kFinger = 0.005;

// What is commanded now, from which a motion has to go on.
struct Commanded {
  JointArray joints{};
  JointArray pose{};    // of the tool
  JointArray torque{};  // zero where none is in force
  JointArray twist{};   // of the base; zero while it stands
};

inline std::unique_ptr<Chunk> velocities(const Rows& rows) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointVelocity);
  return chunk;
}

inline std::unique_ptr<Chunk> fingers(double start, int steps) {
  Rows rows = {{start}};
  for (int i = 0; i < steps; ++i) rows.push_back({start += 0.0005});
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kGripperPosition);
  chunk->name_count = 1;
  chunk->joint_names[0].assign("finger");
  return chunk;
}

// One value of the shoulder a row.
inline Rows rows_of_shoulder(const std::vector<double>& values) {
  Rows rows;
  for (const double value : values) rows.push_back({value, 0, 0});
  return rows;
}

// A path of the tool, in the rows of a Cartesian mode: its poses; or from each to the next the
// change of pose, or the twist, the last of these zero. It may turn about z only.
inline Rows steps_of(const Rows& poses, ControlMode mode) {
  if (mode == ControlMode::kCartesianPose) return poses;
  const double time = mode == ControlMode::kCartesianTwist ? kDt : 1;
  const auto turn = [](const std::vector<double>& pose) {
    return 2 * std::atan2(pose[5], pose[6]);
  };
  Rows steps;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const auto& from = poses[i - 1];
    const auto& to = poses[i];
    steps.push_back({(to[0] - from[0]) / time, (to[1] - from[1]) / time, (to[2] - from[2]) / time,
                     0, 0, (turn(to) - turn(from)) / time});
  }
  steps.push_back({0, 0, 0, 0, 0, 0});
  return steps;
}

// The arc that the tool draws while the shoulder turns at these speeds [rad/s] from row to row.
inline std::unique_ptr<Chunk> arc(const std::vector<double>& speeds, double shoulder, double elbow,
                                  ControlMode mode) {
  Rows poses = {planar_pose(shoulder, elbow)};
  for (const double speed : speeds) poses.push_back(planar_pose(shoulder += speed * kDt, elbow));
  return cartesian(steps_of(poses, mode), mode);
}

// Of a base every chunk is a motion of its own, from the speed reached.
inline std::unique_ptr<Chunk> forward_twists(double speed) {
  Rows rows;
  for (int i = 0; i < 12; ++i) {
    speed = std::min(speed + 0.02, 0.2);
    rows.push_back({speed, 0, 0});
  }
  auto chunk = twists(rows);
  chunk->last = false;
  return chunk;
}

// So many rows of one value, between a beginning and an end.
inline std::vector<double> cruise(std::vector<double> begin, int rows, double value,
                                  const std::vector<double>& end) {
  begin.insert(begin.end(), static_cast<std::size_t>(rows), value);
  begin.insert(begin.end(), end.begin(), end.end());
  return begin;
}

// From rest, where the robot stands at first.
inline std::unique_ptr<Chunk> motion(ControlMode mode, const Commanded& now) {
  switch (mode) {
    case ControlMode::kJointVelocity:
      return velocities(rows_of_shoulder(cruise({0.2, 0.4}, kCruise, 0.4, {0.2, 0})));
    case ControlMode::kJointTorque:
      return torques(rows_of_shoulder(cruise({0, 4}, kCruise, 8, {4, 0})));
    case ControlMode::kCartesianPose:
    case ControlMode::kCartesianDelta:
    case ControlMode::kCartesianTwist:
      return arc(cruise({0.1, 0.2, 0.3}, kCruise, 0.4, {0.3, 0.2, 0.1}), kShoulder, kElbow, mode);
    case ControlMode::kGripperPosition:
      return fingers(kFinger, kCruise);
    case ControlMode::kBodyTwist:
      return forward_twists(now.twist[0]);
    default:
      return duo::chunk(shoulder_rows(trapezoid(2, kCruise), kShoulder, kElbow, kFinger));
  }
}

// Goes on at the speed reached, and comes to rest.
inline std::unique_ptr<Chunk> splice(ControlMode mode, const Commanded& now) {
  constexpr int kRows = 40;
  switch (mode) {
    case ControlMode::kJointVelocity:
      return velocities(rows_of_shoulder(cruise({}, kRows, 0.4, {0.2, 0})));
    case ControlMode::kJointTorque:
      return torques(rows_of_shoulder(cruise({}, kRows + 1, 8, {4, 0})));
    case ControlMode::kCartesianPose:
    case ControlMode::kCartesianDelta:
    case ControlMode::kCartesianTwist: {
      JointArray joints{};
      planar_joints(now.pose, joints);
      return arc(cruise({}, kRows, 0.4, {0.3, 0.2, 0.1}), joints[0], joints[1], mode);
    }
    case ControlMode::kGripperPosition:
      return fingers(now.joints[2], 20);
    case ControlMode::kBodyTwist:
      return forward_twists(now.twist[0]);
    default:
      return duo::chunk(shoulder_rows(cruise({}, kRows, 0.4, {0.2}), now.joints[0], now.joints[1],
                                      now.joints[2]));
  }
}

}  // namespace openral::safety::duo
