// Rows that break a limit, in the fault matrix: one fault said in every form of a command.
#pragma once

#include <algorithm>
#include <vector>

#include "fault_outcome.hpp"
#include "tool_pose.hpp"

namespace openral::safety::duo {

// Straight on at these speeds from row to row [m/s], or turning about z [rad/s].
struct ToolSpeeds {
  enum Axis { kX, kY, kTurning } axis;
  std::vector<double> speeds;
};

// From where the robot is commanded to be.
struct WrongRows {
  std::vector<double> position;  // of the shoulder, beside where it is [rad]
  std::vector<double> velocity;  // of the shoulder [rad/s]
  std::vector<double> torque;    // of the shoulder, beside the one in force: 0 or 8 [N m]
  ToolSpeeds tool;
  std::vector<double> finger;  // beside where it is [m]
  std::vector<double> base;    // forward, beside the speed in force [m/s]
};

inline Rows path_of_tool(const JointArray& from, const ToolSpeeds& tool) {
  ToolPose pose;
  std::copy_n(from.begin(), 3, pose.position.begin());
  std::copy_n(from.begin() + 3, 4, pose.orientation.begin());
  Rows rows;
  const auto add = [&] {
    const auto& p = pose.position;
    const auto& q = pose.orientation;
    rows.push_back({p[0], p[1], p[2], q[0], q[1], q[2], q[3]});
  };
  add();
  for (const double speed : tool.speeds) {
    ToolTwist twist;
    if (tool.axis == ToolSpeeds::kTurning) {
      twist.angular[2] = speed;
    } else {
      twist.linear[tool.axis] = speed;
    }
    pose = moved(pose, twist, kDt);
    add();
  }
  return rows;
}

inline Rows rows_of(const WrongRows& wrong, ControlMode mode, const Commanded& now) {
  const JointArray& at = now.joints;
  Rows rows;
  switch (mode) {
    case ControlMode::kJointPosition:
      for (const double step : wrong.position) rows.push_back({at[0] + step, at[1], at[2]});
      break;
    case ControlMode::kJointVelocity:
      return rows_of_shoulder(wrong.velocity);
    case ControlMode::kJointTorque:
      for (const double step : wrong.torque) rows.push_back({now.torque[0] + step, 0, 0});
      break;
    case ControlMode::kGripperPosition:
      for (const double step : wrong.finger) rows.push_back({at[2] + step});
      break;
    case ControlMode::kBodyTwist:
      for (const double change : wrong.base) rows.push_back({now.twist[0] + change, 0, 0});
      break;
    default:
      return steps_of(path_of_tool(now.pose, wrong.tool), mode);
  }
  return rows;
}

inline void set_rows(Chunk& chunk, const Rows& rows) {
  chunk.horizon = rows.size();
  chunk.value_count = 0;
  for (const auto& row : rows) {
    for (const double value : row) chunk.values[chunk.value_count++] = value;
  }
}

// New rows make a new motion: of the same timeline they would have to lie on the old one.
inline void begin_anew(FaultRig& rig, Chunk& chunk) {
  if (moving(rig.phase())) chunk.timeline = rig.status().timeline + 1;
}

}  // namespace openral::safety::duo
