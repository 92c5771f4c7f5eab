// Joints that are driven by torques: the mode joint_torque.
#include "kernel.hpp"
#include "state_limits.hpp"
#include "tool_motion.hpp"
#include "torque_rows.hpp"

namespace openral::safety {

void Kernel::play_torque() {
  const double tick = configuration_.tick_seconds();
  timeline_.advance(tick);
  status_.consumed_row = timeline_.phase();
  follow_measured();
  const JointArray next = timeline_.position();
  Finding finding = check_torque_step(configuration_, torque_, next, state_.velocity);
  if (finding.ok()) finding = check_measured(form_);
  if (finding.ok() && configuration_.separation.enabled) {
    JointArray ahead = state_.position;
    for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
      ahead[j] += state_.velocity[j] * tick;
    }
    finding = check_separation(tool_speed(configuration_, state_.position, ahead, tick));
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
