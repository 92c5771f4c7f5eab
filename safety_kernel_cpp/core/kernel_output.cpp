// What one tick emits: a held command, a row of the timeline, a step of a stop, or nothing.
#include <cmath>

#include "base_motion.hpp"
#include "emission.hpp"
#include "kernel.hpp"
#include "rounding.hpp"
#include "state_limits.hpp"
#include "tool_motion.hpp"

namespace openral::safety {

void Kernel::produce() {
  changes_.pass(configuration_.tick_seconds());
  pass_tick(configuration_, tool_changes_);
  switch (machine_.state) {
    case State::kDisarmed:
    case State::kLatched:
      return;
    case State::kHolding:
      if (form_ == Form::kTool) {
        hold_tool();
      } else {
        hold();
      }
      return;
    case State::kActive:
      switch (form_) {
        case Form::kJoints:
          play();
          return;
        case Form::kTool:
          play_tool();
          return;
        case Form::kTorque:
          play_torque();
          return;
        case Form::kBase:
          play_base();
          return;
      }
      return;
    case State::kBraking:
      brake();
      return;
  }
}

// The joints are told to move at `velocity` now.
void Kernel::set_velocity(const JointArray& velocity) {
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    changes_.note(j, velocity[j] - velocity_[j], configuration_.limits[j].acceleration_max);
  }
  velocity_ = velocity;
}

void Kernel::hold() {
  set_velocity({});
  // Without a fresh measurement nothing is emitted: the arm may have been moved, or be another one.
  if (!state_is_fresh()) return;
  if (Finding finding = check_tracking(configuration_, position_, state_); !finding.ok()) {
    if (++tracking_ticks_ >= configuration_.tracking_ticks_max) latch(finding, true);
    return;
  }
  tracking_ticks_ = 0;
  if (lapsed()) return;
  emit(position_, velocity_, false);
}

void Kernel::play() {
  const double tick = configuration_.tick_seconds();
  timeline_.advance(tick);
  const JointArray next = timeline_.position();
  status_.consumed_row = timeline_.phase();
  if (Finding finding = check_row(next); !finding.ok()) {
    // The rows were admitted, so this is no refusal: the last row's own stop is still verified.
    stop(finding, false);
    brake();
    return;
  }
  if (configuration_.separation.enabled) {
    const StepSpeed step = joint_step(configuration_, position_, next, tick);
    if (Finding finding = check_separation(step); !finding.ok()) {
      stop(finding, false);
      brake();
      return;
    }
  }
  JointArray velocity{};
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    velocity[j] = (next[j] - position_[j]) / tick;
  }
  Finding finding = check_tracking(configuration_, next, state_);
  tracking_ticks_ = finding.ok() ? 0 : tracking_ticks_ + 1;
  if (tracking_ticks_ < configuration_.tracking_ticks_max) finding = Finding{};
  // After a tick that came too late for the lease the robot has begun to stop by itself: it goes on
  // as it would begin.
  if (finding.ok() && lease_is_over()) {
    finding =
        check_measured_speed(configuration_, velocity, state_, state_age(), timeline_.window().dt);
  }
  if (!finding.ok()) {
    stop(finding, true);
    brake();
    return;
  }
  set_velocity(velocity);
  emit(next, timeline_.velocity(), false);
  finish();
}

void Kernel::finish() {
  if (!timeline_.ended() || !timeline_.window().last) return;
  timeline_finished_ = true;
  apply(Event::kFinish);
}

void Kernel::play_base() {
  timeline_.advance(configuration_.tick_seconds());
  status_.consumed_row = timeline_.phase();
  const JointArray next = timeline_.position();
  Finding finding = check_twist_step(configuration_, twist_, next);
  if (finding.ok()) finding = check_separation(base_step(configuration_, next));
  if (!finding.ok()) {
    stop(finding, false);
    brake();
    return;
  }
  twist_ = next;
  emit_twist(false);
  finish();
}

void Kernel::brake() {
  // A stop that would lead beyond a limit has latched instead.
  if (machine_.state != State::kBraking) return;
  if (drives()) {
    brake_base();
    return;
  }
  if (form_ == Form::kTool) {
    brake_tool();
    // What the joints do meanwhile may need another stop than that of the tool.
    if (form_ == Form::kTool || machine_.state != State::kBraking) return;
  }
  const double tick = configuration_.tick_seconds();
  set_velocity(next_brake_velocity(brake_));
  JointArray next = position_;
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    next[j] += velocity_[j] * tick;
    const JointLimits& limits = in_force().limits[j];
    // Only a stop that starts from a measurement can come here: nothing is emitted beyond a limit.
    if (!(next[j] >= limits.position_min && next[j] <= limits.position_max)) {
      const bool low = next[j] < limits.position_min;
      latch({Reason::kRowCheck, -1, static_cast<std::int32_t>(j), next[j],
             low ? limits.position_min : limits.position_max},
            true);
      return;
    }
  }
  emit(next, velocity_, true);
  if (brake_.at_rest()) apply(Event::kRest);
}

void Kernel::brake_base() {
  twist_ = next_brake_velocity(brake_);
  emit_twist(true);
  if (brake_.at_rest()) apply(Event::kRest);
}

// Every row again, in the order in which it is really emitted, before it leaves.
Finding Kernel::check_row(const JointArray& position) {
  Finding finding =
      check_emission(in_force(), position_, velocity_, position, timeline_.window().dt, changes_);
  if (finding.ok() && recovery_.active()) {
    finding = check_step_inward(configuration_, position_, position);
  }
  if (finding.ok() && arm_moves(configuration_, position_, position)) {
    finding = collision_.check_step(position_, position, state_.position);
  }
  return finding;
}

// Who is too near is no reason to refuse a motion that will be slow enough: each step is asked.
// Where nothing may move, nothing does: a link that turns on the spot has no speed.
Finding Kernel::check_separation(const StepSpeed& step) const {
  if (!configuration_.separation.enabled) return {};
  const double limit = separation_.speed(configuration_.separation, now_);
  const bool refused = limit > 0 ? exceeds(step.fastest, limit) : step.moves;
  if (!refused) return {};
  return {Reason::kSeparation, -1, -1, step.fastest, limit};
}

void Kernel::emit(const JointArray& position, const JointArray& velocity, bool braking) {
  position_ = position;
  anchored_ = now_;
  ++status_.commands;
  output_.emit = true;
  Command& command = output_.command;
  command.sequence = status_.commands;
  command.epoch = machine_.epoch;
  command.mode = ControlMode::kJointPosition;
  command.position = position;
  command.velocity = velocity;
  command.braking = braking;
}

void Kernel::emit_twist(bool braking) {
  ++status_.commands;
  output_.emit = true;
  output_.command = {status_.commands, machine_.epoch, ControlMode::kBodyTwist, twist_, {},
                     braking};
}

}  // namespace openral::safety
