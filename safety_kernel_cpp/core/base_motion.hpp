// A mobile base: body twists within speed, acceleration and stopping distance.
//
// A twist is three values in base_link: forward and to the left [m/s], about z [rad/s].
#pragma once

#include "braking.hpp"
#include "capacity.hpp"
#include "chunk.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// `motion` becomes `chunk` after a row 0 that is the twist in force, which is reached one dt before
// the chunk's own first row. Needs a chunk of kMaxHorizon - 1 rows at most.
void begin_at(const JointArray& twist, const Chunk& chunk, Chunk& motion);

// Every row of a motion made by begin_at: finite, on axes that the base has, speed, acceleration
// with the nominal dt, and the way that a stop takes. A timeline ends with a twist of zero.
[[nodiscard]] Finding check_twists(const Configuration& configuration, const Chunk& motion);

// Ticks of a stop in which every axis keeps its deceleration, by one factor for all axes.
[[nodiscard]] std::size_t base_brake_ticks(const Configuration& configuration,
                                           const JointArray& twist);
[[nodiscard]] Brake plan_base_brake(const Configuration& configuration, const JointArray& twist);

// The step of one tick, before it is emitted, and the way that a stop from it takes.
[[nodiscard]] Finding check_twist_step(const Configuration& configuration, const JointArray& from,
                                       const JointArray& to);

}  // namespace openral::safety
