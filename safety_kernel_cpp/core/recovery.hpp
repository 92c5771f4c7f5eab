// The way back of a robot that stands outside its limits: inward only, at creep, armed apart.
//
//   recovery.begin(configuration, measured);
//   check_rows(recovery.limits(), ...), check_inward(configuration, ...)   // of every chunk
#pragma once

#include "capacity.hpp"
#include "chunk.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "joint_state.hpp"
#include "kinematic_chain.hpp"
#include "reason.hpp"

namespace openral::safety {

// The first joint outside its position limits, or link point outside the workspace.
[[nodiscard]] Finding check_inside(const Configuration& configuration, const JointArray& position);

// The measured arm in the workspace, within the margin of sensors.
[[nodiscard]] Finding check_state_in_space(const Configuration& configuration,
                                           const JointState& state);

// One step from `from` to `to`. If anything moves:
// - every joint that is outside comes nearer to its limit, every other one stays inside;
// - no link point gets further out on any side of the workspace, and what lies outside comes
// nearer,
//   all points together.
[[nodiscard]] Finding check_step_inward(const Configuration& configuration, const JointArray& from,
                                        const JointArray& to);
// Every step of a chunk of joint positions; joints that it does not move are at `base`.
[[nodiscard]] Finding check_inward(const Configuration& configuration, const Chunk& rows,
                                   const Columns& columns, const JointArray& base);

// The limits of a way back: as far out as the robot stands and not further, at a fraction of every
// speed. All else is as always.
class Recovery {
 public:
  void begin(const Configuration& configuration, const JointArray& measured);
  void end() { active_ = false; }
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] const Configuration& limits() const { return limits_; }

 private:
  bool active_ = false;
  Configuration limits_;
};

}  // namespace openral::safety
