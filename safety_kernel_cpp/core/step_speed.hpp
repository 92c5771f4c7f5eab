// How fast a step of the robot is to those around it.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "tool_pose.hpp"

namespace openral::safety {

struct StepSpeed {
  double fastest = 0;  // [m/s] of the link points and the tool, or of a base's farthest point
  bool moves = false;  // anything at all: a link that turns on the spot moves none of these points
};

// From one position of all joints to another within `dt`. The arm's links, and its grippers' own
// travel on top of them.
[[nodiscard]] StepSpeed joint_step(const Configuration& configuration, const JointArray& from,
                                   const JointArray& to, double dt);

// As the joints are measured, those that are not at rest.
[[nodiscard]] StepSpeed measured_step(const Configuration& configuration, const JointState& state);

// Of a tool that is commanded in space: of its own point, whatever the links behind it do.
[[nodiscard]] StepSpeed tool_step(const ToolTwist& twist);

// Of a base: forward and to the left [m/s], about z [rad/s] with its radius.
[[nodiscard]] StepSpeed base_step(const Configuration& configuration, const JointArray& twist);

}  // namespace openral::safety
