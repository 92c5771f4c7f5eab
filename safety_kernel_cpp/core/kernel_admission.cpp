// What the kernel does with a chunk: judged against itself, its predecessors and the robot's state,
// then refused whole or played.
#include <cmath>

#include "admission.hpp"
#include "base_motion.hpp"
#include "columns.hpp"
#include "kernel.hpp"
#include "measured_motion.hpp"
#include "state_limits.hpp"
#include "torque_rows.hpp"
#include "velocity_rows.hpp"

namespace openral::safety {

bool Kernel::continues(const Chunk& chunk) const {
  return timeline_known_ && chunk.timeline == timeline_number_;
}

// By the last command.
bool Kernel::is_told_to_move() const {
  if (form_ == Form::kTool) return length(tool_twist_.linear) + length(tool_twist_.angular) > 0;
  return form_ == Form::kJoints && velocity_ != JointArray{};
}

// A base that drives has one driver: a runner and a stick do not take it from each other.
Finding Kernel::judge_authority(const Chunk& chunk) const {
  if (machine_.state != State::kActive || !drives()) return {};
  if ((&chunk == &stream_chunk_) == stream_drives_) return {};
  return finding_of(Reason::kBaseAuthority);
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
    const bool other_form = form_of(static_cast<ControlMode>(chunk.control_mode)) != form_;
    // A timeline that has ended in its last command is at rest with the next one.
    if ((machine_.state == State::kActive && chunk.control_mode != mode_) ||
        (other_form && is_told_to_move())) {
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
  if (machine_.state == State::kDisarmed) return finding_of(Reason::kNotArmed);
  if (machine_.state == State::kLatched) return finding_of(Reason::kLatched);
  if (machine_.state == State::kBraking) return finding_of(Reason::kStopping);
  if (Finding finding = check_shape(configuration_, chunk); !finding.ok()) return finding;
  if (chunk.epoch != machine_.epoch) {
    return {Reason::kEpochMismatch, -1, -1, static_cast<double>(chunk.epoch),
            static_cast<double>(machine_.epoch)};
  }
  if (!state_is_fresh()) return finding_of(Reason::kJointStateStale);
  const bool base = form_of(static_cast<ControlMode>(chunk.control_mode)) == Form::kBase;
  if (lapsed() && !base) {
    if (Finding finding = check_lapsed(); !finding.ok()) return finding;
  }
  if (Finding finding = collision_.check_world_known(now); !finding.ok()) return finding;
  if (Finding finding = judge_authority(chunk); !finding.ok()) return finding;
  if (Finding finding = judge_place(chunk); !finding.ok()) return finding;
  const Columns columns = columns_of(configuration_, static_cast<ControlMode>(chunk.control_mode));
  if (Finding finding = judge_recovery(chunk); !finding.ok()) return finding;
  if (Finding finding = judge_motion(chunk, columns); !finding.ok()) return finding;
  if (Finding finding = judge_age(now, chunk, observed); !finding.ok()) return finding;
  if (Finding finding = judge_splice(chunk, columns); !finding.ok()) return finding;
  if (Finding finding = judge_collision(chunk, columns); !finding.ok()) return finding;
  if (!continues(chunk) && chunk.first_row != 0) {
    return {Reason::kFirstRow, 0, -1, static_cast<double>(chunk.first_row), 0};
  }
  return {};
}

// The rows, in the form in which they would be played.
Finding Kernel::judge_motion(const Chunk& chunk, const Columns& columns) {
  motion_ = &chunk;
  const auto mode = static_cast<ControlMode>(chunk.control_mode);
  switch (form_of(mode)) {
    case Form::kBase:
      return judge_twists(chunk);
    case Form::kTool:
      return judge_tool(chunk);
    case Form::kTorque:
      return check_torques(configuration_, chunk, columns);
    case Form::kJoints:
      break;
  }
  if (mode == ControlMode::kJointVelocity) {
    if (Finding finding = judge_velocities(chunk, columns); !finding.ok()) return finding;
  }
  Finding finding = check_rows(in_force(), *motion_, columns, position_);
  if (finding.ok() && recovery_.active()) {
    finding = check_inward(configuration_, *motion_, columns, position_);
  }
  return finding;
}

Finding Kernel::judge_twists(const Chunk& chunk) {
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

Finding Kernel::judge_velocities(const Chunk& chunk, const Columns& columns) {
  if (Finding finding = check_velocities(configuration_, chunk, columns); !finding.ok()) {
    return finding;
  }
  if (Finding finding = judge_window_start(chunk); !finding.ok()) return finding;
  JointArray start = position_;
  if (continues(chunk)) {
    start =
        interpolate(timeline_.window(), columns, static_cast<double>(chunk.first_row), position_);
  }
  integrate(chunk, columns, start, prepared_);
  motion_ = &prepared_;
  return {};
}

// Rows that say how to go on need the place that they go on from, which only the window in force
// knows.
Finding Kernel::judge_window_start(const Chunk& chunk) const {
  if (!continues(chunk) || chunk.first_row >= timeline_.window().first_row) return {};
  return {Reason::kFirstRow, 0, -1, static_cast<double>(chunk.first_row),
          static_cast<double>(timeline_.window().first_row)};
}

// From the last command and from the measured state on.
Finding Kernel::judge_splice(const Chunk& chunk, const Columns& columns) {
  const Form form = form_of(static_cast<ControlMode>(chunk.control_mode));
  const double phase = continues(chunk) ? timeline_.phase() : static_cast<double>(chunk.first_row);
  // Where the joints of a commanded pose are, only the measurement says, and only at rest exactly.
  if (form_ == Form::kTool && form != Form::kTool) {
    if (Finding finding = check_rest(configuration_, state_); !finding.ok()) return finding;
  }
  switch (form) {
    case Form::kBase:
      return {};
    case Form::kTool: {
      const ToolTwist twist = form_ == Form::kTool ? tool_twist_ : ToolTwist{};
      ToolAnchor anchor{tool_in_force(), twist, measured_tool()};
      anchor.continues = continues(chunk);
      anchor.changes = tool_changes_;
      if (machine_.state == State::kActive) {
        anchor.row = tool_rows_.row();
        anchor.row_lasts = tool_rows_.row_lasts();
      }
      const Finding finding = check_tool_splice(configuration_, *motion_, phase, anchor);
      return finding.ok() ? judge_measured(form) : finding;
    }
    case Form::kTorque: {
      const JointArray in_force = form_ == Form::kTorque ? torque_ : JointArray{};
      const Finding finding =
          check_torque_splice(configuration_, *motion_, columns, phase, in_force);
      return finding.ok() ? judge_measured(form) : finding;
    }
    case Form::kJoints:
      break;
  }
  SpliceAnchor anchor;
  anchor.position = position_;
  anchor.velocity = velocity_;
  anchor.measured = state_;
  anchor.age = state_age();
  anchor.changes = changes_;
  if (machine_.state == State::kActive) {
    anchor.row_speed = timeline_.row_speed();
    anchor.acceleration = timeline_.acceleration();
    anchor.acceleration_before = timeline_.acceleration_before();
    anchor.continues = continues(chunk);
    anchor.row_lasts = timeline_.row_lasts();
  }
  return check_splice(in_force(), *motion_, columns, phase, anchor);
}

Finding Kernel::judge_age(Nanoseconds now, const Chunk& chunk, Nanoseconds& observed) const {
  const Nanoseconds age = now - chunk.received;
  if (age > configuration_.times.chunk_age_max) {
    return {Reason::kChunkStale, -1, -1, static_cast<double>(age) / kSecond,
            static_cast<double>(configuration_.times.chunk_age_max) / kSecond};
  }
  return observations_.locate(configuration_.times, now, chunk.observation_stamp, observed);
}

// A twist of zero asks for rest, as fast as the base may, and binds the stream to the epoch. What
// it takes from a runner is a stop like any other.
void Kernel::follow(Nanoseconds now, const VelocityCommand& command) {
  if (command.zero()) {
    if (drives() && machine_.state == State::kActive) {
      if (stream_drives_) {
        plan_stop();
        apply(Event::kStop);
      } else {
        stop({Reason::kBaseAuthority, -1, -1, std::hypot(twist_[0], twist_[1], twist_[2]), 0},
             false);
      }
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

// What they said nobody knows: they are told of with the motion that is played.
void Kernel::refuse_lost(std::uint64_t chunks) {
  status_.chunks_refused += chunks;
  report(Severity::kWarn, {Reason::kQueueFull, -1, -1, static_cast<double>(chunks), 0}, nullptr);
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
  playing_ = true;
  sequence_ = chunk.sequence;
  const auto mode = static_cast<ControlMode>(chunk.control_mode);
  const Form form = form_of(mode);
  const Columns columns = form == Form::kTool ? pose_columns() : columns_of(configuration_, mode);
  if (continues(chunk)) {
    freshness_.note_admitted(chunk.received, chunk.observation_stamp, observed);
    if (!timeline_finished_) timeline_.extend(*motion_, columns);
    return;
  }
  if (mode_ != 0 && mode_ != chunk.control_mode) apply(Event::kModeChange);
  mode_ = chunk.control_mode;
  if (form != form_) {
    tool_ = tool_in_force();
    tool_twist_ = ToolTwist{};
    torque_ = JointArray{};
    form_ = form;
  }
  stream_drives_ = &chunk == &stream_chunk_;
  timeline_known_ = true;
  timeline_finished_ = false;
  timeline_number_ = chunk.timeline;
  timeline_.start(*motion_, columns, form == Form::kJoints ? position_ : JointArray{},
                  machine_.state == State::kActive);
  tool_rows_.start(machine_.state == State::kActive);
  // A runner that plans anew with every chunk may be frozen too: in motion the ticks count on.
  if (machine_.state != State::kActive) freshness_.forget();
  freshness_.note_admitted(chunk.received, chunk.observation_stamp, observed);
  apply(Event::kAdmit);
}

}  // namespace openral::safety
