// Where a chunk would bring the arm among what stands around it.
#include "kernel.hpp"

namespace openral::safety {

Finding Kernel::judge_collision(const Chunk& chunk, const Columns& columns) {
  if (form_of(static_cast<ControlMode>(chunk.control_mode)) != Form::kJoints) return {};
  const double phase = continues(chunk) ? timeline_.phase() : static_cast<double>(chunk.first_row);
  return collision_.check_chunk(*motion_, columns, phase, position_);
}

}  // namespace openral::safety
