// A tool that is commanded in space: the Cartesian modes.
#include "cartesian_pose.hpp"
#include "cartesian_steps.hpp"
#include "kernel.hpp"
#include "measured_motion.hpp"

namespace openral::safety {

// The pose that is commanded now: itself, or what the commanded joints come to.
ToolPose Kernel::tool_in_force() const {
  if (form_ == Form::kTool) return tool_;
  return tool_pose(forward(configuration_.arm.chain, position_));
}

ToolPose Kernel::measured_tool() const {
  return tool_pose(forward(configuration_.arm.chain, state_.position));
}

Finding Kernel::judge_tool(const Chunk& chunk) {
  motion_ = &prepared_;
  const ToolPose in_force = tool_in_force();
  if (static_cast<ControlMode>(chunk.control_mode) == ControlMode::kCartesianPose) {
    const Finding finding = read_poses(chunk, in_force.orientation, prepared_);
    return finding.ok() ? check_poses(configuration_, prepared_) : finding;
  }
  if (Finding finding = check_steps(configuration_, chunk); !finding.ok()) return finding;
  if (Finding finding = judge_window_start(chunk); !finding.ok()) return finding;
  ToolPose start = in_force;
  if (continues(chunk)) {
    // The row itself: what is interpolated is made a unit again, which may move a last digit.
    const Chunk& window = timeline_.window();
    start = pose_row(window, static_cast<std::size_t>(chunk.first_row - window.first_row));
  }
  add_up(chunk, start, prepared_);
  return check_poses(configuration_, prepared_);
}

void Kernel::play_tool() {
  const double tick = configuration_.tick_seconds();
  timeline_.advance(tick);
  tool_rows_.note(timeline_.window(), timeline_.phase(), tick);
  status_.consumed_row = timeline_.phase();
  follow_measured();
  const ToolPose next = pose_from(timeline_.position());
  const ToolTwist twist = twist_between(tool_, next, tick);
  Finding finding = check_tool_step(configuration_, tool_, tool_twist_, next, timeline_.window().dt,
                                    tool_changes_);
  if (finding.ok()) finding = check_separation(tool_step(twist));
  if (finding.ok()) finding = collision_.check_tool_step(tool_, next);
  if (!finding.ok()) {
    stop(finding, false);
    brake();
    return;
  }
  finding = check_measured(form_);
  // The tool is commanded, the links behind it are not.
  if (finding.ok() && configuration_.separation.enabled) {
    finding = check_separation(measured_step(configuration_, state_));
  }
  if (finding.ok()) {
    finding = check_tool_tracking(configuration_, next, measured_tool());
    tracking_ticks_ = finding.ok() ? 0 : tracking_ticks_ + 1;
    if (tracking_ticks_ < configuration_.tracking_ticks_max) finding = Finding{};
  }
  if (!finding.ok()) {
    stop(finding, true);
    brake();
    return;
  }
  tool_ = next;
  set_tool_twist(twist);
  emit_tool(false);
  finish();
}

// The tool is told to move with `twist` now.
void Kernel::set_tool_twist(const ToolTwist& twist) {
  note_change(configuration_, tool_twist_, twist, tool_changes_);
  tool_twist_ = twist;
}

void Kernel::hold_tool() {
  set_tool_twist({});
  // As the joints are held: without a fresh measurement nothing is emitted.
  if (!state_is_fresh()) return;
  follow_measured();
  // A tool that stands says nothing of the joints behind it.
  if (Finding finding = check_measured(form_); !finding.ok()) {
    stop(finding, true);
    brake();
    return;
  }
  if (Finding finding = check_tool_tracking(configuration_, tool_, measured_tool());
      !finding.ok()) {
    if (++tracking_ticks_ >= configuration_.tracking_ticks_max) latch(finding, true);
    return;
  }
  tracking_ticks_ = 0;
  if (lapsed()) return;
  emit_tool(false);
}

void Kernel::brake_tool() {
  if (state_is_fresh()) {
    if (Finding finding = check_measured(form_); !finding.ok()) {
      take_measured();
      plan_stop();
      if (stop_ends_inside()) {
        report(Severity::kFail, finding, nullptr);
      } else {
        latch(finding, true);
      }
      return;
    }
  }
  const ToolTwist twist = next_brake_twist(tool_brake_);
  const ToolPose next = moved(tool_, twist, configuration_.tick_seconds());
  // The rows were admitted with their stops: nothing comes here but a fault.
  if (Finding finding = check_tool_point(configuration_, next.position); !finding.ok()) {
    finding.reason = Reason::kRowCheck;
    latch(finding, true);
    return;
  }
  tool_ = next;
  set_tool_twist(twist);
  if (state_is_fresh()) follow_measured();
  emit_tool(true);
  if (tool_brake_.at_rest()) apply(Event::kRest);
}

void Kernel::emit_tool(bool braking) {
  anchored_ = now_;
  ++status_.commands;
  output_.emit = true;
  output_.command = {status_.commands, machine_.epoch, ControlMode::kCartesianPose, {}, {},
                     braking};
  Command& command = output_.command;
  for (std::size_t i = 0; i < 3; ++i) {
    command.position[i] = tool_.position[i];
    command.velocity[i] = tool_twist_.linear[i];
    command.velocity[3 + i] = tool_twist_.angular[i];
  }
  for (std::size_t i = 0; i < 4; ++i) command.position[3 + i] = tool_.orientation[i];
}

}  // namespace openral::safety
