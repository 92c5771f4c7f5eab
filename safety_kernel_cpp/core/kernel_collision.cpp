// Where a chunk would bring the arm among what stands around it.
#include "kernel.hpp"

namespace openral::safety {

Finding Kernel::judge_collision(const Chunk& chunk, const Columns& columns) {
  const double phase = continues(chunk) ? timeline_.phase() : static_cast<double>(chunk.first_row);
  switch (form_of(static_cast<ControlMode>(chunk.control_mode))) {
    case Form::kJoints:
      return collision_.check_chunk(*motion_, columns, phase, position_);
    case Form::kTool:
      return collision_.check_poses(*motion_, phase, tool_in_force());
    case Form::kTorque:
      // Where torques lead, only the measurement says: check_measured.
    case Form::kBase:
      return {};
  }
  return {};
}

}  // namespace openral::safety
