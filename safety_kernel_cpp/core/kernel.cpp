#include "kernel.hpp"

#include "state_limits.hpp"

namespace openral::safety {
namespace {

const Output kNothing{};

bool same(const FixedVector<Reason, 16>& a, const FixedVector<Reason, 16>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

Kernel::Kernel(const Configuration& configuration, std::uint64_t first_epoch)
    : configuration_(configuration), collision_(configuration_) {
  machine_.epoch = first_epoch;
  status_.epoch = first_epoch;
}

const Output& Kernel::tick(Nanoseconds now, const Inputs& inputs) {
  output_ = kNothing;
  now_ = now;
  const auto unmet = status_.unmet;
  playing_ = machine_.state == State::kActive || machine_.state == State::kBraking;
  absorb(now, inputs);
  check_latches(inputs);
  answer_operator(now, inputs);
  anchor_anew();
  if (inputs.chunk != nullptr) receive(now, *inputs.chunk);
  if (inputs.velocity_command != nullptr) follow(now, *inputs.velocity_command);
  if (inputs.chunks_lost > 0) refuse_lost(inputs.chunks_lost);
  check_stops(now);
  produce();

  if (status_.state != machine_.state || status_.epoch != machine_.epoch) output_.changed = true;
  status_.state = machine_.state;
  status_.epoch = machine_.epoch;
  status_.commanded = position_;
  status_.timeline = timeline_number_;
  status_.recovery = recovery_.active();
  status_.late_ticks = watchdog_.late_ticks();
  collect_unmet(now);
  if (!same(unmet, status_.unmet)) output_.changed = true;
  return output_;
}

void Kernel::absorb(Nanoseconds now, const Inputs& inputs) {
  beyond_ = Finding{};
  for (const JointState& state : inputs.joint_states) {
    // A repeated stamp is the same measurement again: a frozen driver does not keep the state
    // fresh.
    if (!state_is_usable(configuration_, state)) continue;
    if (state_known_ && state.stamp == state_.stamp) continue;
    state_ = state;
    state_known_ = true;
    if (beyond_.ok()) beyond_ = check_state(in_force(), state);
    observations_.note(state.stamp, state.received);
  }
  state_fresh_ = state_known_ && now - state_.received <= configuration_.times.joint_state_age_max;
  for (const EStopLevel& level : inputs.estops) estop_.hear(level);
  for (const SeparationReading& reading : inputs.separations) {
    separation_.note(configuration_.separation, reading.distance, reading.stamp, reading.received);
  }
  if (inputs.world != nullptr) collision_.hear(*inputs.world);
  if (inputs.estop_lost) estop_.lose();
  estop_level_ = estop_.level(configuration_.times, now);
  second_publisher_ = inputs.second_publisher;
  fault_ = inputs.fault;
}

void Kernel::collect_unmet(Nanoseconds now) {
  auto& unmet = status_.unmet;
  unmet.clear();
  const auto note = [&](Reason reason) { (void)unmet.push(reason); };
  if (estop_level_ != Reason::kNone) note(estop_level_);
  if (configuration_.estop_required && !estop_.ever_heard()) note(Reason::kEstopMissing);
  if (second_publisher_) note(Reason::kSecondPublisher);
  if (fault_) note(Reason::kInternalFault);
  if (!state_is_fresh()) {
    note(Reason::kJointStateStale);
  } else {
    if (Finding finding = check_state(in_force(), state_); !finding.ok()) {
      note(finding.reason);
    }
    if (Finding finding = check_state_in_space(in_force(), state_); !finding.ok()) {
      note(finding.reason);
    }
    const bool standing =
        machine_.state == State::kDisarmed || machine_.state == State::kLatched || lapsed();
    if (standing && !check_rest(configuration_, state_).ok()) note(Reason::kNotAtRest);
  }
  if (Finding finding = collision_.check_world_known(now); !finding.ok()) note(finding.reason);
  if (machine_.state == State::kLatched) {
    if (!estop_.cooled_down(configuration_.times, now)) note(Reason::kEstopCooldown);
    note(Reason::kLatched);
  }
}

void Kernel::answer_operator(Nanoseconds now, const Inputs& inputs) {
  if (!inputs.arm && !inputs.arm_recovery && !inputs.reset) return;
  collect_unmet(now);
  if (inputs.reset) output_.reset = reset();
  if (inputs.arm) output_.arm = arm();
  if (inputs.arm_recovery) output_.arm_recovery = arm_recovery();
}

// The first unmet precondition that is none of these.
Reason Kernel::unmet_but(Reason a, Reason b, Reason c) const {
  for (const Reason reason : status_.unmet) {
    if (reason != a && reason != b && reason != c) return reason;
  }
  return Reason::kNone;
}

Reply Kernel::reset() {
  // Where the robot stands is no matter of a reset, which moves nothing.
  Reason reason = unmet_but(Reason::kLatched, Reason::kStatePositionLimit, Reason::kWorkspace);
  // Whoever asks in the tick that latches has not seen what it was for.
  if (status_.state != State::kLatched) reason = Reason::kNotLatched;
  if (reason == Reason::kNone) apply(Event::kReset);
  return {true, reason == Reason::kNone, reason};
}

// What keeps the state itself from the request is asked for last: the rest would keep it too.
Reply Kernel::arm() {
  Reason reason = unmet_but(output_.reset.success ? Reason::kLatched : Reason::kNone);
  if (machine_.state == State::kLatched) reason = Reason::kLatched;
  if (is_armed(machine_.state)) reason = Reason::kAlreadyArmed;
  if (reason == Reason::kNone) begin_at_rest(anchor_of(configuration_, state_));
  return {true, reason == Reason::kNone, reason};
}

Reply Kernel::arm_recovery() {
  Reason reason = unmet_but(output_.reset.success ? Reason::kLatched : Reason::kNone,
                            Reason::kStatePositionLimit, Reason::kWorkspace);
  if (reason == Reason::kNone && check_inside(configuration_, state_.position).ok()) {
    reason = Reason::kRecoveryNotNeeded;
  }
  if (machine_.state == State::kLatched) reason = Reason::kLatched;
  if (is_armed(machine_.state)) reason = Reason::kAlreadyArmed;
  if (reason == Reason::kNone) {
    begin_at_rest(state_.position);
    recovery_.begin(configuration_, state_.position);
  }
  return {true, reason == Reason::kNone, reason};
}

void Kernel::begin_at_rest(const JointArray& anchor) {
  position_ = anchor;
  anchored_ = now_;
  velocity_ = JointArray{};
  changes_ = JointSpeedChanges{};
  tool_changes_ = ToolSpeedChanges{};
  twist_ = JointArray{};
  mode_ = 0;
  form_ = Form::kJoints;
  gripper_.forget();
  tracking_ticks_ = 0;
  status_.finding = Finding{};
  status_.bodies = BodyNames{};
  stopped_ = false;
  apply(Event::kArm);
}

}  // namespace openral::safety
