#include "duo_in_space.hpp"

namespace openral::safety::duo {

RawConfiguration raw_in_space() {
  RawConfiguration raw = duo::raw();
  raw.flags["robot.arm.forward_kinematics"] = true;
  raw.lists["robot.arm.joints"] = {"shoulder", "elbow"};
  raw.vectors = {
      {"robot.arm.chain.shoulder.xyz", {0, 0, 0.1}},
      {"robot.arm.chain.shoulder.rpy", {0, 0, 0}},
      {"robot.arm.chain.shoulder.axis", {0, 0, 1}},
      {"robot.arm.chain.elbow.xyz", {1, 0, 0}},
      {"robot.arm.chain.elbow.rpy", {0, 0, 0}},
      {"robot.arm.chain.elbow.axis", {0, 0, 1}},
      {"robot.arm.tool_xyz", {1, 0, 0}},
      {"robot.arm.workspace_min", {-1.5, -2, 0}},
      {"robot.arm.workspace_max", {2, 1.2, 0.2}},
  };
  raw.numbers["robot.arm.tool_speed_max"] = 1.2;
  raw.numbers["robot.arm.rotation_speed_max"] = 0.9;
  return raw;
}

}  // namespace openral::safety::duo
