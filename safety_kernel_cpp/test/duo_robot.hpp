// The limits of a small robot with round numbers, so that expected values can be worked by hand.
#pragma once

#include "configuration.hpp"

namespace openral::safety::duo {

// joint      position    velocity  acceleration  change of velocity per row  stop from full speed
// shoulder   -2 .. 2     1         10            0.2                         0.1 s, 20 ticks
// elbow      -1 .. 1     0.5       5             0.1                         0.1 s, 20 ticks
// finger     0 .. 0.04   0.1       2             0.04                        0.05 s, 10 ticks
RawConfiguration raw();

// A person who comes near at 1.6 m/s.
void keep_from_people(RawConfiguration& raw);

}  // namespace openral::safety::duo
