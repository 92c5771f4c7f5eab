// The small robot as an arm in space.
#pragma once

#include "duo_robot.hpp"

namespace openral::safety::duo {

// Shoulder and elbow turn about z, links of 1 m in the plane z = 0.1; the finger is the gripper.
// The box holds the whole circle but for what lies behind x = -1.5 and beyond y = 1.2.
RawConfiguration raw_in_space();

}  // namespace openral::safety::duo
