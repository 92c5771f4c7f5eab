// What stops or latches the kernel, and what then follows.
#include <algorithm>
#include <cmath>

#include "base_motion.hpp"
#include "kernel.hpp"
#include "state_limits.hpp"

namespace openral::safety {
namespace {

// What a runner still sends into a stop is refused because of the stop.
bool follows_from_a_stop(Reason reason) {
  return reason == Reason::kNotArmed || reason == Reason::kLatched || reason == Reason::kStopping ||
         reason == Reason::kEpochMismatch;
}

bool is_estop(Reason reason) {
  return reason == Reason::kEstop || reason == Reason::kEstopSilent ||
         reason == Reason::kEstopOverflow;
}

}  // namespace

void Kernel::check_latches(const Inputs& inputs) {
  const bool late = watchdog_.note(configuration_, inputs.lateness);
  if (estop_level_ != Reason::kNone) latch(finding_of(estop_level_), false);
  if (second_publisher_) latch(finding_of(Reason::kSecondPublisher), false);
  const bool armed = is_armed(machine_.state);
  if (armed && state_is_fresh()) {
    // One that it was beyond for a moment only, between two ticks, it was beyond.
    const Finding finding = beyond_.ok() ? check_state(in_force(), state_) : beyond_;
    if (!finding.ok()) {
      // A stop of a fault begins at the measured state, and no row begins beyond a limit: the
      // robot's own lease stops the joints where they are. A base that drives is not at fault.
      latch(finding, !drives());
    }
  }
  if (inputs.fault) latch(finding_of(Reason::kInternalFault), true);
  if (late && armed) {
    latch({Reason::kLateTicks, -1, -1, static_cast<double>(inputs.lateness) / kSecond,
           static_cast<double>(configuration_.times.late_tolerance) / kSecond},
          true);
  }
}

void Kernel::check_stops(Nanoseconds now) {
  watch_gripper();
  watch_recovery();
  if (machine_.state != State::kActive) return;
  if (!state_is_fresh()) {
    const double age = static_cast<double>(now - state_.received) / kSecond;
    stop({Reason::kJointStateStale, -1, -1, age,
          static_cast<double>(configuration_.times.joint_state_age_max) / kSecond},
         false);
    return;
  }
  if (Finding finding = collision_.check_world_known(now); !finding.ok()) {
    stop(finding, false);
    return;
  }
  if (Finding finding = freshness_.check(configuration_, now); !finding.ok()) {
    stop(finding, false);
    return;
  }
  // A twist holds until the chunk is stale; a position has nowhere to go on to.
  if (timeline_.runs_out(configuration_.tick_seconds()) && !timeline_.window().last && !drives()) {
    stop({Reason::kWindowExhausted, -1, -1, timeline_.phase(), timeline_.end()}, false);
  }
}

// A gripper whose force lies above its cap grips what the command does not ask for: it is told to
// stay where it is. Only rows of joints tell it, so a tool in space changes over to them, and a
// hold brakes from where it is measured, which is one row if it rests, before it latches.
void Kernel::watch_gripper() {
  const bool armed = machine_.state == State::kHolding || machine_.state == State::kActive;
  if (!armed || !state_is_fresh()) {
    gripper_.forget();
    return;
  }
  const Finding finding = gripper_.note(configuration_, state_);
  if (finding.ok()) return;
  gripper_.forget();
  const JointArray anchor = anchor_of(in_force(), state_);
  for (std::size_t g = 0; g < configuration_.gripper_count; ++g) {
    const std::size_t joint = configuration_.gripper_joints[g];
    position_[joint] = anchor[joint];
    velocity_[joint] = 0;
  }
  if (machine_.state == State::kActive) {
    stop(finding, form_ == Form::kTool);
    return;
  }
  take_measured();
  plan_stop();
  apply(Event::kStop);
  latch(finding, false);
}

void Kernel::plan_stop() {
  if (form_ == Form::kTool) {
    tool_brake_ = plan_tool_brake(configuration_, tool_twist_);
  } else if (drives()) {
    brake_ = plan_base_brake(configuration_, twist_);
  } else {
    brake_ = plan_brake(configuration_, velocity_);
  }
}

// A stop that begins at a measurement, too fast or too near, would lead beyond a limit: there the
// robot's own lease stops it sooner. One that begins at a command was verified with its row.
bool Kernel::stop_ends_inside() const {
  if (form_ != Form::kJoints) return true;
  // v T (n - 1) / 2, see Brake.
  const double ticks = std::max(0.0, static_cast<double>(brake_.ticks) - 1);
  const double time = ticks / 2 * configuration_.tick_seconds();
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    const JointLimits& limits = in_force().limits[j];
    const double end = position_[j] + brake_.velocity[j] * time;
    // Written so that a NaN fails.
    if (!(end >= limits.position_min && end <= limits.position_max)) return false;
  }
  return true;
}

void Kernel::stop(const Finding& finding, bool anchor_on_measured) {
  // A tool that is held may hide joints that move.
  if (machine_.state != State::kActive && machine_.state != State::kHolding) return;
  // Torques say nothing of where the joints are: without a measurement there is no place to stop
  // at, and the robot's own lease ends the motion.
  if (form_ == Form::kTorque && !state_is_fresh()) {
    latch(finding, true);
    return;
  }
  if (anchor_on_measured || form_ == Form::kTorque) take_measured();
  plan_stop();
  if (!stop_ends_inside()) {
    latch(finding, true);
    return;
  }
  ++status_.stops;
  apply(Event::kStop);
  report(Severity::kFail, finding, nullptr);
}

void Kernel::latch(const Finding& finding, bool at_once) {
  const Machine before = machine_;
  if (before.state == State::kActive && !at_once) {
    if (form_ == Form::kTorque && state_is_fresh()) take_measured();
    plan_stop();
    at_once = form_ == Form::kTorque || !stop_ends_inside();
  }
  apply(at_once ? Event::kLatchAtOnce : Event::kLatch);
  if (machine_ == before) return;
  ++status_.stops;
  report(Severity::kAbort, finding, nullptr);
}

void Kernel::apply(Event event) {
  const std::uint64_t epoch = machine_.epoch;
  machine_ = after(machine_, event);
  if (!is_armed(machine_.state)) recovery_.end();
  if (machine_.epoch == epoch) return;
  // A new epoch knows no timeline: what was sent under the old one is refused by its epoch.
  timeline_known_ = false;
  tracking_ticks_ = 0;
}

// Counted from the first row of the chunk as it came.
std::int32_t Kernel::row_reached() const {
  const Chunk& window = timeline_.window();
  const double row = std::floor(timeline_.phase()) - static_cast<double>(window.first_row);
  // A base is played from the twist in force, one row ahead of the chunk.
  return static_cast<std::int32_t>(std::max(0.0, drives() ? row - 1 : row));
}

void Kernel::report(Severity severity, const Finding& finding, const Chunk* chunk) {
  Report report;
  report.severity = severity;
  report.epoch = machine_.epoch;
  report.finding = finding;
  // A stop concerns the chunk that was played when the tick began, and the row that it had reached.
  const Chunk* concerned = chunk;
  if (concerned == nullptr && playing_) {
    concerned = &timeline_.window();
    if (finding.row < 0) report.finding.row = row_reached();
  }
  if (concerned != nullptr) {
    report.sequence = concerned->sequence;
    report.timeline = concerned->timeline;
    report.skill_id = concerned->skill_id;
    report.trace_id = concerned->trace_id;
  }
  if (is_estop(finding.reason)) report.source = estop_.source();
  report.bodies = {collision_.name(finding.body), collision_.name(finding.other)};
  (void)output_.reports.push(report);
  // The status keeps the cause: what merely follows from the stop, or comes while it lasts, must
  // not hide it.
  const bool stop = severity != Severity::kWarn;
  const bool lasts = machine_.state == State::kBraking || machine_.state == State::kLatched;
  if (!stop && stopped_ && (lasts || follows_from_a_stop(finding.reason))) return;
  stopped_ = stop;
  status_.finding = report.finding;
  status_.bodies = report.bodies;
  status_.finding_time = now_;
  output_.changed = true;
}

}  // namespace openral::safety
