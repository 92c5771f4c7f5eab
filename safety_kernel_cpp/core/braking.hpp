// Stops along the tangent of the path, every joint within its deceleration.
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"

namespace openral::safety {

// A stop in `ticks` equal steps of deceleration.
//
// Let v be the velocity vector at the decision, T the tick. In tick k = 1..n the velocity is v (1 -
// k/n), so it keeps its direction: one factor for all joints, which keeps the shape of the path.
// Each joint decelerates by |v_j| / (n T), which is within a_j for every j iff n >= max_j |v_j| /
// (a_j T); n is the smallest such integer. The way travelled is
//   sum_k v_j (1 - k/n) T = v_j T (n - 1) / 2.
struct Brake {
  JointArray velocity{};  // at the decision
  std::size_t ticks = 0;  // n
  std::size_t done = 0;   // k

  [[nodiscard]] bool at_rest() const { return done >= ticks; }
};

// The smallest whole number of ticks that is at least `most`.
[[nodiscard]] std::size_t whole_ticks(double most);

// How long [s] the speed at the decision would have to last to lead as far as a stop of `ticks`
// does, with the reaction before it: n T / 2 + T_delay. A stop from v ends at most v times this
// further, and |v_j| n T / 2 >= v_j^2 / 2 a_j.
[[nodiscard]] double stop_time(const Configuration& configuration, std::size_t ticks);

// Number of ticks that a stop from `velocity` takes.
[[nodiscard]] std::size_t brake_ticks(const Configuration& configuration,
                                      const JointArray& velocity);

[[nodiscard]] Brake plan_brake(const Configuration& configuration, const JointArray& velocity);

// Velocity of the next tick of the stop; advances it.
[[nodiscard]] JointArray next_brake_velocity(Brake& brake);

}  // namespace openral::safety
