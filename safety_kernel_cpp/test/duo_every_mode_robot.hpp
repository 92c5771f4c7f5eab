// The small robot in space, taking every mode of an arm.
#pragma once

#include <vector>

#include "duo_in_space.hpp"
#include "kernel.hpp"

namespace openral::safety::duo {

// tool: 1.2 m/s, 10 m/s^2 (0.2 m/s a row), 600 m/s^3; turning: 0.9 rad/s, 10 rad/s^2, 600 rad/s^3.
// torque: shoulder 20 N m, 1000 N m/s (20 a row); elbow 10 N m, 500 N m/s; finger 20 N, 1000 N/s;
// 15 W together.
RawConfiguration raw_in_every_mode();

// The pose of the planar arm's tool, by its own formula.
std::vector<double> planar_pose(double shoulder, double elbow);

// The joints of a pose, with a bent elbow: the robot's own inverse kinematics.
void planar_joints(const JointArray& pose, JointArray& joints);

// A robot that turns poses into joints by itself and brakes from torques as it is told.
void obey_poses(const Command& command, JointState& state);

}  // namespace openral::safety::duo
