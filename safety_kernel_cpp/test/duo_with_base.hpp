// The small robot on a base that drives forward and turns, and has no sideways axis.
#pragma once

#include "duo_robot.hpp"

namespace openral::safety::duo {

// axis     speed  acceleration  change in a row of 0.02 s  stop from full speed
// forward  0.5    1             0.02                       100 ticks
// lateral  none
// turn     1      2             0.04                       100 ticks
// Its corners are 0.4 m away from the axis that it turns about.
RawConfiguration raw_with_base();

}  // namespace openral::safety::duo
