// A robot that stands outside its limits, on its way back.
#include "kernel.hpp"
#include "state_limits.hpp"

namespace openral::safety {

const Configuration& Kernel::in_force() const {
  return recovery_.active() ? recovery_.limits() : configuration_;
}

// Beside what every chunk must pass.
Finding Kernel::judge_recovery(const Chunk& chunk) const {
  if (!recovery_.active()) return {};
  if (form_of(static_cast<ControlMode>(chunk.control_mode)) != Form::kJoints) {
    return {Reason::kRecoveryMode, -1, -1, static_cast<double>(chunk.control_mode), kNoValue};
  }
  // It is back: what comes now waits for kernel/arm.
  if (check_inside(configuration_, position_).ok()) return finding_of(Reason::kRecovered);
  return {};
}

// Once the commands are inside, the motion ends; once the robot is, so does the recovery.
void Kernel::watch_recovery() {
  if (!recovery_.active() || !check_inside(configuration_, position_).ok()) return;
  if (machine_.state == State::kActive) {
    plan_stop();
    apply(Event::kStop);
    report(Severity::kInfo, finding_of(Reason::kRecovered), nullptr);
    return;
  }
  if (machine_.state != State::kHolding || !state_is_fresh()) return;
  if (!check_state(configuration_, state_).ok()) return;
  if (!check_state_in_space(configuration_, state_).ok()) return;
  apply(Event::kDisarm);
  report(Severity::kInfo, finding_of(Reason::kRecovered), nullptr);
}

}  // namespace openral::safety
