#include "duo_every_mode_robot.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace openral::safety::duo {

RawConfiguration raw_in_every_mode() {
  RawConfiguration raw = duo::raw_in_space();
  raw.lists["robot.modes"] = {"joint_position",  "joint_velocity",  "joint_torque",
                              "cartesian_pose",  "cartesian_delta", "cartesian_twist",
                              "gripper_position"};
  const std::pair<const char*, double> numbers[] = {
      {"cartesian.acceleration_max", 10},
      {"cartesian.jerk_max", 600},
      {"cartesian.rotation_acceleration_max", 10},
      {"cartesian.rotation_jerk_max", 600},
      {"cartesian.tracking_error_max", 0.05},
      {"cartesian.rotation_error_max", 0.1},
      {"torque.power_max_W", 15},
      {"torque.shoulder.effort_max", 20},
      {"torque.shoulder.rate_max", 1000},
      {"torque.elbow.effort_max", 10},
      {"torque.elbow.rate_max", 500},
      {"torque.finger.effort_max", 20},
      {"torque.finger.rate_max", 1000},
  };
  for (const auto& [name, value] : numbers) raw.numbers[std::string("robot.") + name] = value;
  return raw;
}

std::vector<double> planar_pose(double shoulder, double elbow) {
  const double turn = shoulder + elbow;
  return {std::cos(shoulder) + std::cos(turn),
          std::sin(shoulder) + std::sin(turn),
          0.1,
          0,
          0,
          std::sin(turn / 2),
          std::cos(turn / 2)};
}

void planar_joints(const JointArray& pose, JointArray& joints) {
  const double x = pose[0];
  const double y = pose[1];
  const double elbow = std::acos(std::min(1.0, (x * x + y * y) / 2 - 1));
  joints[1] = elbow;
  joints[0] = std::atan2(y, x) - elbow / 2;
}

void obey_poses(const Command& command, JointState& state) {
  if (command.mode != ControlMode::kCartesianPose) {
    state.position = command.position;
    state.velocity = command.velocity;
    return;
  }
  const JointArray before = state.position;
  planar_joints(command.position, state.position);
  for (std::size_t j = 0; j < 2; ++j) state.velocity[j] = (state.position[j] - before[j]) / 0.005;
}

}  // namespace openral::safety::duo
