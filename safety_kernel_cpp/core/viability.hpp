// Can the arm still stop before every position limit?
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Finds the first joint that could not stop inside its limits from `position` at `velocity`.
//
// A joint alone needs v^2 / 2a + v T_delay. A stop brakes all joints by one factor over n ticks
// (see Brake), and n T >= v_j / a_j, so v_j n T / 2 >= v_j^2 / 2 a_j: the check uses v_j (n T / 2 +
// T_delay), which covers both.
[[nodiscard]] Finding check_viability(const Configuration& configuration,
                                      const JointArray& position, const JointArray& velocity);

}  // namespace openral::safety
