// Joints that are driven by torques: the mode joint_torque.
#include "kernel.hpp"
#include "state_limits.hpp"
#include "torque_rows.hpp"

namespace openral::safety {

void Kernel::play_torque() {
  timeline_.advance(configuration_.tick_seconds());
  status_.consumed_row = timeline_.phase();
  follow_measured();
  const JointArray next = timeline_.position();
  Finding finding = check_torque_step(configuration_, torque_, next, state_.velocity);
  if (finding.ok()) finding = check_measured(form_);
  if (finding.ok() && configuration_.separation.enabled) {
    StepSpeed step = measured_step(configuration_, state_);
    // A torque moves what stands.
    step.moves = step.moves || next != JointArray{};
    finding = check_separation(step);
  }
  if (!finding.ok()) {
    stop(finding, true);
    brake();
    return;
  }
  torque_ = next;
  emit_torque();
  if (!timeline_.ended() || !timeline_.window().last) return;
  // The end of the rows is not the end of the motion: the joints are held where they are, or braked
  // from there, which was asked for and is no failure.
  timeline_finished_ = true;
  const bool rests = check_rest(configuration_, state_).ok();
  take_measured();
  if (rests) {
    velocity_ = JointArray{};
    apply(Event::kFinish);
    return;
  }
  plan_stop();
  apply(Event::kStop);
}

void Kernel::emit_torque() {
  ++status_.commands;
  output_.emit = true;
  output_.command = {
      status_.commands, machine_.epoch, ControlMode::kJointTorque, torque_, {}, false};
}

}  // namespace openral::safety
