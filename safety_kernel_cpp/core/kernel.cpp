#include "kernel.hpp"

#include <cmath>

#include "admission.hpp"
#include "base_motion.hpp"
#include "columns.hpp"
#include "rounding.hpp"
#include "state_limits.hpp"
#include "tool_motion.hpp"
#include "velocity_rows.hpp"
#include "viability.hpp"

namespace openral::safety {
namespace {

Finding simple(Reason reason) { return {reason, -1, -1, kNoValue, kNoValue}; }

// What a runner still sends into a stop is refused because of the stop.
bool follows_from_a_stop(Reason reason) {
  return reason == Reason::kNotArmed || reason == Reason::kLatched || reason == Reason::kStopping ||
         reason == Reason::kEpochMismatch;
}

bool same(const FixedVector<Reason, 16>& a, const FixedVector<Reason, 16>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

Kernel::Kernel(const Configuration& configuration, std::uint64_t first_epoch)
    : configuration_(configuration) {
  machine_.epoch = first_epoch;
  status_.epoch = first_epoch;
}

const Output& Kernel::tick(Nanoseconds now, const Inputs& inputs) {
  output_ = Output{};
  now_ = now;
  absorb(now, inputs);
  check_latches(inputs);
  answer_operator(now, inputs);
  if (inputs.chunk != nullptr) receive(now, *inputs.chunk);
  if (inputs.velocity_command != nullptr) follow(now, *inputs.velocity_command);
  check_stops(now);
  produce(now);

  if (status_.state != machine_.state || status_.epoch != machine_.epoch) output_.changed = true;
  status_.state = machine_.state;
  status_.epoch = machine_.epoch;
  status_.commanded = position_;
  status_.timeline = timeline_number_;
  status_.late_ticks = watchdog_.late_ticks();
  const auto unmet = status_.unmet;
  collect_unmet(now);
  if (!same(unmet, status_.unmet)) output_.changed = true;
  return output_;
}

void Kernel::absorb(Nanoseconds now, const Inputs& inputs) {
  for (const JointState& state : inputs.joint_states) {
    // A repeated stamp is the same measurement again: a frozen driver does not keep the state
    // fresh.
    if (!state_is_usable(configuration_, state)) continue;
    if (state_known_ && state.stamp == state_.stamp) continue;
    state_ = state;
    state_known_ = true;
    observations_.note(state.stamp, state.received);
  }
  state_fresh_ = state_known_ && now - state_.received <= configuration_.times.joint_state_age_max;
  for (const EStopLevel& level : inputs.estops) estop_.hear(level);
  if (inputs.estop_lost) estop_.lose(now);
  estop_level_ = estop_.level(configuration_.times, now);
  second_publisher_ = inputs.second_publisher;
}

void Kernel::check_latches(const Inputs& inputs) {
  const bool late = watchdog_.note(configuration_, inputs.lateness);
  if (estop_level_ != Reason::kNone) latch(simple(estop_level_), false);
  if (second_publisher_) latch(simple(Reason::kSecondPublisher), false);
  const bool armed = machine_.state == State::kHolding || machine_.state == State::kActive ||
                     machine_.state == State::kBraking;
  if (armed && state_is_fresh()) {
    if (Finding finding = check_state(configuration_, state_); !finding.ok()) {
      latch(finding, false);
    }
  }
  if (inputs.fault) latch(simple(Reason::kInternalFault), true);
  if (late && armed) {
    latch({Reason::kLateTicks, -1, -1, static_cast<double>(inputs.lateness) / kSecond,
           static_cast<double>(configuration_.times.late_tolerance) / kSecond},
          true);
  }
}

void Kernel::collect_unmet(Nanoseconds now) {
  auto& unmet = status_.unmet;
  unmet.clear();
  const auto note = [&](Reason reason) { (void)unmet.push(reason); };
  if (estop_level_ != Reason::kNone) note(estop_level_);
  if (configuration_.estop_required && !estop_.ever_heard()) note(Reason::kEstopMissing);
  if (second_publisher_) note(Reason::kSecondPublisher);
  if (!state_is_fresh()) {
    note(Reason::kJointStateStale);
  } else {
    if (Finding finding = check_state(configuration_, state_); !finding.ok()) {
      note(finding.reason);
    }
    const bool standing = machine_.state == State::kDisarmed || machine_.state == State::kLatched;
    if (standing && !check_rest(configuration_, state_).ok()) note(Reason::kNotAtRest);
  }
  if (machine_.state == State::kLatched) {
    if (!estop_.cooled_down(configuration_.times, now)) note(Reason::kEstopCooldown);
    note(Reason::kLatched);
  }
}

void Kernel::answer_operator(Nanoseconds now, const Inputs& inputs) {
  if (!inputs.arm && !inputs.reset) return;
  collect_unmet(now);
  // What keeps the state itself from the request is asked for last: the rest would keep it too.
  const auto first_unmet = [&](Reason ignored) {
    for (const Reason reason : status_.unmet) {
      if (reason != ignored) return reason;
    }
    return Reason::kNone;
  };
  if (inputs.reset) {
    Reason reason = first_unmet(Reason::kLatched);
    if (machine_.state != State::kLatched) reason = Reason::kNotLatched;
    if (reason == Reason::kNone) apply(Event::kReset);
    output_.reset = {true, reason == Reason::kNone, reason};
  }
  if (inputs.arm) {
    Reason reason =
        first_unmet(inputs.reset && output_.reset.success ? Reason::kLatched : Reason::kNone);
    if (machine_.state == State::kLatched) reason = Reason::kLatched;
    if (machine_.state == State::kHolding || machine_.state == State::kActive ||
        machine_.state == State::kBraking) {
      reason = Reason::kAlreadyArmed;
    }
    if (reason == Reason::kNone) {
      position_ = anchor_of(configuration_, state_);
      velocity_ = JointArray{};
      twist_ = JointArray{};
      mode_ = 0;
      tracking_ticks_ = 0;
      status_.finding = Finding{};
      stopped_ = false;
      apply(Event::kArm);
    }
    output_.arm = {true, reason == Reason::kNone, reason};
  }
}

bool Kernel::continues(const Chunk& chunk) const {
  return timeline_known_ && chunk.timeline == timeline_number_;
}

// Timeline, sequence and window: where the chunk stands among those before it.
Finding Kernel::judge_place(const Chunk& chunk) const {
  const auto found = [](Reason reason, std::uint64_t value, std::uint64_t limit) {
    return Finding{reason, -1, -1, static_cast<double>(value), static_cast<double>(limit)};
  };
  if (timeline_known_ && chunk.timeline < timeline_number_) {
    return found(Reason::kTimelineReplay, chunk.timeline, timeline_number_);
  }
  if (!continues(chunk)) {
    if (machine_.state == State::kActive && chunk.control_mode != mode_) {
      return found(Reason::kModeChangeInMotion, chunk.control_mode, mode_);
    }
    return {};
  }
  if (chunk.sequence <= sequence_) {
    return found(Reason::kSequenceReplay, chunk.sequence, sequence_);
  }
  if (chunk.control_mode != mode_) {
    return found(Reason::kModeChangeInMotion, chunk.control_mode, mode_);
  }
  if (chunk.dt != timeline_.window().dt) {
    return {Reason::kDt, -1, -1, chunk.dt, timeline_.window().dt};
  }
  const double last_row =
      static_cast<double>(chunk.first_row) + static_cast<double>(chunk.horizon - 1);
  if (static_cast<double>(chunk.first_row) > timeline_.phase()) {
    return {Reason::kWindowGap, 0, -1, static_cast<double>(chunk.first_row), timeline_.phase()};
  }
  if (last_row < timeline_.phase()) {
    return {Reason::kWindowPast, static_cast<std::int32_t>(chunk.horizon - 1), -1, last_row,
            timeline_.phase()};
  }
  if (timeline_finished_ && (!chunk.last || last_row != timeline_.end())) {
    return {Reason::kTimelineFinished, -1, -1, last_row, timeline_.end()};
  }
  return {};
}

Finding Kernel::judge(Nanoseconds now, const Chunk& chunk, Nanoseconds& observed) {
  if (machine_.state == State::kDisarmed) return simple(Reason::kNotArmed);
  if (machine_.state == State::kLatched) return simple(Reason::kLatched);
  if (machine_.state == State::kBraking) return simple(Reason::kStopping);
  if (Finding finding = check_shape(configuration_, chunk); !finding.ok()) return finding;
  if (chunk.epoch != machine_.epoch) {
    return {Reason::kEpochMismatch, -1, -1, static_cast<double>(chunk.epoch),
            static_cast<double>(machine_.epoch)};
  }
  if (!state_is_fresh()) return simple(Reason::kJointStateStale);
  if (Finding finding = judge_place(chunk); !finding.ok()) return finding;
  const Columns columns = columns_of(configuration_, static_cast<ControlMode>(chunk.control_mode));
  if (Finding finding = judge_motion(chunk, columns); !finding.ok()) return finding;
  if (Finding finding = judge_age(now, chunk, observed); !finding.ok()) return finding;
  if (chunk.control_mode != static_cast<std::uint8_t>(ControlMode::kBodyTwist)) {
    const double phase =
        continues(chunk) ? timeline_.phase() : static_cast<double>(chunk.first_row);
    const SpliceAnchor anchor{position_, velocity_, state_.position};
    if (Finding finding = check_splice(configuration_, *motion_, columns, phase, anchor);
        !finding.ok()) {
      return finding;
    }
  }
  if (!continues(chunk) && chunk.first_row != 0) {
    return {Reason::kFirstRow, 0, -1, static_cast<double>(chunk.first_row), 0};
  }
  return {};
}

// The rows, in the form in which they would be played.
Finding Kernel::judge_motion(const Chunk& chunk, const Columns& columns) {
  motion_ = &chunk;
  const auto mode = static_cast<ControlMode>(chunk.control_mode);
  if (mode == ControlMode::kBodyTwist) {
    // A twist starts from the one in force, which the next window would no longer know.
    if (continues(chunk)) {
      return {Reason::kTimelineReplay, -1, -1, static_cast<double>(chunk.timeline),
              static_cast<double>(timeline_number_)};
    }
    if (chunk.horizon >= kMaxHorizon) {
      return {Reason::kHorizon, -1, -1, static_cast<double>(chunk.horizon), kMaxHorizon - 1};
    }
    begin_at(twist_, chunk, prepared_);
    motion_ = &prepared_;
    return check_twists(configuration_, prepared_);
  }
  if (mode == ControlMode::kJointVelocity) {
    if (Finding finding = check_velocities(configuration_, chunk, columns); !finding.ok()) {
      return finding;
    }
    JointArray start = position_;
    if (continues(chunk)) {
      const Chunk& window = timeline_.window();
      if (chunk.first_row < window.first_row) {
        return {Reason::kFirstRow, 0, -1, static_cast<double>(chunk.first_row),
                static_cast<double>(window.first_row)};
      }
      start = interpolate(window, columns, static_cast<double>(chunk.first_row), position_);
    }
    integrate(chunk, columns, start, prepared_);
    motion_ = &prepared_;
  }
  return check_rows(configuration_, *motion_, columns, position_);
}

Finding Kernel::judge_age(Nanoseconds now, const Chunk& chunk, Nanoseconds& observed) const {
  const Nanoseconds age = now - chunk.received;
  if (age > configuration_.times.chunk_age_max) {
    return {Reason::kChunkStale, -1, -1, static_cast<double>(age) / kSecond,
            static_cast<double>(configuration_.times.chunk_age_max) / kSecond};
  }
  return observations_.locate(configuration_.times, now, chunk.observation_stamp, observed);
}

// A twist of zero asks for rest, as fast as the base may, and binds the stream to the epoch.
void Kernel::follow(Nanoseconds now, const VelocityCommand& command) {
  if (command.zero()) {
    if (drives() && machine_.state == State::kActive) {
      brake_ = planned_brake();
      apply(Event::kStop);
    }
    stream_.bind(machine_.epoch);
    return;
  }
  const std::uint64_t timeline = timeline_known_ ? timeline_number_ + 1 : 1;
  stream_.fill(command, configuration_, timeline, stream_chunk_);
  if (Finding finding = VelocityStream::check_plane(command); !finding.ok()) {
    ++status_.chunks_refused;
    report(Severity::kWarn, finding, &stream_chunk_);
    return;
  }
  const std::uint64_t epoch = machine_.epoch;
  const std::uint64_t admitted = status_.chunks_admitted;
  receive(now, stream_chunk_);
  // The change of mode that its own first twist brings does not end the stream.
  if (status_.chunks_admitted != admitted && machine_.epoch != epoch) {
    stream_.bind(machine_.epoch);
  }
}

void Kernel::receive(Nanoseconds now, const Chunk& chunk) {
  Nanoseconds observed = 0;
  const Finding finding = judge(now, chunk, observed);
  if (!finding.ok()) {
    ++status_.chunks_refused;
    if (finding.reason == Reason::kSequenceReplay) {
      freshness_.note_repeated(chunk.observation_stamp);
    }
    report(Severity::kWarn, finding, &chunk);
    return;
  }
  ++status_.chunks_admitted;
  sequence_ = chunk.sequence;
  const Columns columns = columns_of(configuration_, static_cast<ControlMode>(chunk.control_mode));
  if (continues(chunk)) {
    freshness_.note_admitted(chunk.received, chunk.observation_stamp, observed);
    if (!timeline_finished_) timeline_.extend(*motion_, columns);
    return;
  }
  if (mode_ != 0 && mode_ != chunk.control_mode) apply(Event::kModeChange);
  mode_ = chunk.control_mode;
  timeline_known_ = true;
  timeline_finished_ = false;
  timeline_number_ = chunk.timeline;
  timeline_.start(*motion_, columns, drives() ? JointArray{} : position_);
  freshness_.forget();
  freshness_.note_admitted(chunk.received, chunk.observation_stamp, observed);
  apply(Event::kAdmit);
}

void Kernel::check_stops(Nanoseconds now) {
  if (machine_.state != State::kActive) return;
  if (!state_is_fresh()) {
    const double age = static_cast<double>(now - state_.received) / kSecond;
    stop({Reason::kJointStateStale, -1, -1, age,
          static_cast<double>(configuration_.times.joint_state_age_max) / kSecond},
         false);
    return;
  }
  if (Finding finding = freshness_.check(configuration_, now); !finding.ok()) {
    stop(finding, false);
    return;
  }
  // A twist holds until the chunk is stale; a position has nowhere to go on to.
  if (timeline_.ended() && !timeline_.window().last && !drives()) {
    stop({Reason::kWindowExhausted, -1, -1, timeline_.phase(), timeline_.end()}, false);
  }
}

void Kernel::produce(Nanoseconds) {
  switch (machine_.state) {
    case State::kDisarmed:
    case State::kLatched:
      return;
    case State::kHolding:
      hold();
      return;
    case State::kActive:
      if (drives()) {
        play_base();
      } else {
        play();
      }
      return;
    case State::kBraking:
      brake();
      return;
  }
}

void Kernel::hold() {
  velocity_ = JointArray{};
  // Without a fresh measurement nothing is emitted: the arm may have been moved, or be another one.
  if (!state_is_fresh()) return;
  if (Finding finding = check_tracking(configuration_, position_, state_); !finding.ok()) {
    if (++tracking_ticks_ >= configuration_.tracking_ticks_max) latch(finding, true);
    return;
  }
  tracking_ticks_ = 0;
  emit(position_, velocity_, false);
}

void Kernel::play() {
  const double tick = configuration_.tick_seconds();
  timeline_.advance(tick);
  const JointArray next = timeline_.position();
  status_.consumed_row = timeline_.phase();
  if (Finding finding = check_emission(next); !finding.ok()) {
    // The rows were admitted, so this is no refusal: the last row's own stop is still verified.
    stop(finding, false);
    brake();
    return;
  }
  if (Finding finding = check_tracking(configuration_, next, state_); finding.ok()) {
    tracking_ticks_ = 0;
  } else if (++tracking_ticks_ >= configuration_.tracking_ticks_max) {
    stop(finding, true);
    brake();
    return;
  }
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    velocity_[j] = (next[j] - position_[j]) / tick;
  }
  emit(next, timeline_.velocity(), false);
  if (timeline_.ended() && timeline_.window().last) {
    timeline_finished_ = true;
    apply(Event::kFinish);
  }
}

void Kernel::play_base() {
  timeline_.advance(configuration_.tick_seconds());
  status_.consumed_row = timeline_.phase();
  const JointArray next = timeline_.position();
  if (Finding finding = check_twist_step(configuration_, twist_, next); !finding.ok()) {
    stop(finding, false);
    brake();
    return;
  }
  twist_ = next;
  emit_twist(false);
  if (timeline_.ended() && timeline_.window().last) {
    timeline_finished_ = true;
    apply(Event::kFinish);
  }
}

void Kernel::brake() {
  if (drives()) {
    twist_ = next_brake_velocity(brake_);
    emit_twist(true);
    if (brake_.at_rest()) apply(Event::kRest);
    return;
  }
  const double tick = configuration_.tick_seconds();
  velocity_ = next_brake_velocity(brake_);
  JointArray next = position_;
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    next[j] += velocity_[j] * tick;
    const JointLimits& limits = configuration_.limits[j];
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

// Every row again, in the order in which it is really emitted, before it leaves.
Finding Kernel::check_emission(const JointArray& position) const {
  const double tick = configuration_.tick_seconds();
  const double dt = timeline_.window().dt;
  JointArray velocity{};
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    const JointLimits& limits = configuration_.limits[j];
    velocity[j] = (position[j] - position_[j]) / tick;
    const bool inside = position[j] >= limits.position_min && position[j] <= limits.position_max;
    if (!inside || exceeds(std::abs(velocity[j]), limits.velocity_max) ||
        exceeds(std::abs(velocity[j] - velocity_[j]), limits.acceleration_max * dt)) {
      return {Reason::kRowCheck, -1, static_cast<std::int32_t>(j), position[j],
              position[j] > position_[j] ? limits.position_max : limits.position_min};
    }
  }
  if (Finding finding = check_viability(configuration_, position, velocity); !finding.ok()) {
    return finding;
  }
  if (!configuration_.arm.limited || !arm_moves(configuration_, position_, position)) return {};
  const Chain& chain = configuration_.arm.chain;
  return check_tool_motion(configuration_, forward(chain, position_), forward(chain, position),
                           position, velocity, tick, kTickAllowance);
}

void Kernel::emit(const JointArray& position, const JointArray& velocity, bool braking) {
  position_ = position;
  ++status_.commands;
  output_.emit = true;
  output_.command = {status_.commands, machine_.epoch, ControlMode::kJointPosition,
                     position,         velocity,       braking};
}

void Kernel::emit_twist(bool braking) {
  ++status_.commands;
  output_.emit = true;
  output_.command = {status_.commands, machine_.epoch, ControlMode::kBodyTwist, twist_, {},
                     braking};
}

Brake Kernel::planned_brake() const {
  return drives() ? plan_base_brake(configuration_, twist_) : plan_brake(configuration_, velocity_);
}

void Kernel::stop(const Finding& finding, bool anchor_on_measured) {
  if (machine_.state != State::kActive) return;
  if (anchor_on_measured) {
    // The gripper keeps its command: its distance to the measurement is the grip on what it holds.
    JointArray anchor = anchor_of(configuration_, state_);
    JointArray velocity = state_.velocity;
    for (std::size_t g = 0; g < configuration_.gripper_count; ++g) {
      const std::size_t joint = configuration_.gripper_joints[g];
      anchor[joint] = position_[joint];
      velocity[joint] = 0;
    }
    position_ = anchor;
    velocity_ = velocity;
  }
  brake_ = planned_brake();
  ++status_.stops;
  apply(Event::kStop);
  report(Severity::kFail, finding, nullptr);
}

void Kernel::latch(const Finding& finding, bool at_once) {
  const Machine before = machine_;
  apply(at_once ? Event::kLatchAtOnce : Event::kLatch);
  if (machine_ == before) return;
  if (before.state == State::kActive) brake_ = planned_brake();
  if (at_once) twist_ = JointArray{};
  ++status_.stops;
  report(Severity::kAbort, finding, nullptr);
}

void Kernel::apply(Event event) {
  const std::uint64_t epoch = machine_.epoch;
  machine_ = after(machine_, event);
  if (machine_.epoch == epoch) return;
  // A new epoch knows no timeline: what was sent under the old one is refused by its epoch.
  timeline_known_ = false;
  timeline_finished_ = false;
  tracking_ticks_ = 0;
  freshness_.forget();
}

void Kernel::report(Severity severity, const Finding& finding, const Chunk* chunk) {
  Report report;
  report.severity = severity;
  report.finding = finding;
  report.epoch = machine_.epoch;
  // A stop concerns the chunk that is played.
  const Chunk* concerned = chunk;
  if (concerned == nullptr && status_.chunks_admitted > 0) concerned = &timeline_.window();
  if (concerned != nullptr) {
    report.sequence = concerned->sequence;
    report.timeline = concerned->timeline;
    report.skill_id = concerned->skill_id;
    report.trace_id = concerned->trace_id;
  }
  report.source = estop_.source();
  (void)output_.reports.push(report);
  // The status keeps the cause: what merely follows from the stop must not hide it.
  const bool stop = severity != Severity::kWarn;
  if (!stop && stopped_ && follows_from_a_stop(finding.reason)) return;
  stopped_ = stop;
  status_.finding = finding;
  status_.finding_time = now_;
  output_.changed = true;
}

}  // namespace openral::safety
