// What the kernel goes by where the joints are not commanded: their measurement.
#include <algorithm>

#include "columns.hpp"
#include "kernel.hpp"
#include "measured_motion.hpp"
#include "state_limits.hpp"

namespace openral::safety {

double Kernel::state_age() const { return static_cast<double>(now_ - state_.received) / kSecond; }

// Torques are bounded in space by the measurement alone.
Finding Kernel::check_measured_limits(Form form) const {
  const Tolerance tolerance = form == Form::kTorque ? Tolerance{} : servo_tolerance(configuration_);
  return check_measured_motion(configuration_, state_, state_age(), tolerance);
}

Finding Kernel::check_measured(Form form) {
  if (Finding finding = check_measured_limits(form); !finding.ok()) return finding;
  return collision_.check_way(state_.position,
                              end_of_measured_stop(configuration_, state_, state_age()));
}

// The same of a chunk that asks to be played.
Finding Kernel::judge_measured(Form form) {
  if (Finding finding = check_measured_limits(form); !finding.ok()) return finding;
  return collision_.judge_way(state_.position,
                              end_of_measured_stop(configuration_, state_, state_age()));
}

// Where the joints are not commanded, the status and a later motion go by where they are. A gripper
// is commanded by torques only.
void Kernel::follow_measured() {
  const JointArray measured = anchor_of(in_force(), state_);
  for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
    if (form_ == Form::kTorque || !is_gripper(configuration_, j)) position_[j] = measured[j];
  }
  // What the joints were commanded before they were followed is over.
  velocity_ = JointArray{};
}

// From here on the joints are commanded, from where they are measured to be: moved on by the age of
// the measurement, or the first row would lie behind an arm that moves.
void Kernel::take_measured() {
  JointArray anchor = measured_now(in_force(), state_, state_age());
  JointArray velocity = state_.velocity;
  // The gripper keeps its command: its distance to the measurement is the grip on what it holds.
  for (std::size_t g = 0; g < configuration_.gripper_count; ++g) {
    const std::size_t joint = configuration_.gripper_joints[g];
    anchor[joint] = position_[joint];
    velocity[joint] = 0;
  }
  position_ = anchor;
  velocity_ = velocity;
  form_ = Form::kJoints;
  anchored_ = now_;
}

// A hold whose last command is older than its lease: the robot stopped by itself since, and may
// have been moved.
bool Kernel::lapsed() const { return machine_.state == State::kHolding && lease_is_over(); }

// It goes on only from rest, about where it was.
Finding Kernel::check_lapsed() const {
  if (Finding finding = check_rest(configuration_, state_); !finding.ok()) return finding;
  if (form_ == Form::kTool) return check_tool_tracking(configuration_, tool_, measured_tool());
  return check_tracking(configuration_, position_, state_);
}

// The old command would be a step from where it is measured by now. No command lies outside a
// limit, by which a measurement may miss it. The gripper keeps its command, as the robot did.
void Kernel::anchor_anew() {
  if (!lapsed() || !state_is_fresh() || !check_lapsed().ok()) return;
  if (form_ == Form::kTool) {
    tool_ = measured_tool();
    const ArmLimits& arm = configuration_.arm;
    for (std::size_t i = 0; i < 3; ++i) {
      tool_.position[i] =
          std::min(std::max(tool_.position[i], arm.workspace_min[i]), arm.workspace_max[i]);
    }
  } else {
    const JointArray measured = anchor_of(in_force(), state_);
    for (std::size_t j = 0; j < configuration_.joint_count; ++j) {
      if (!is_gripper(configuration_, j)) position_[j] = measured[j];
    }
  }
  anchored_ = now_;
}

}  // namespace openral::safety
