// Reads the arm's chain and its limits in space from the configuration.
#pragma once

#include <optional>

#include "configuration.hpp"

namespace openral::safety {

// A vector that the chain or its limits need; the shell declares one parameter per entry.
struct VectorField {
  const char* name;
  const char* unit;
  double magnitude;  // of each of its three numbers, at most
  const char* description;
};
// Three numbers within the field's magnitude.
[[nodiscard]] std::optional<ConfigurationError> read_vector(const RawConfiguration& raw,
                                                            const std::string& name,
                                                            const VectorField& field, Vector3& out);

[[nodiscard]] const std::vector<VectorField>& arm_vector_fields();  // below robot.arm.
[[nodiscard]] const std::vector<VectorField>&
chain_vector_fields();  // below robot.arm.chain.<joint>.
[[nodiscard]] const std::vector<NumberField>& arm_number_fields();  // below robot.arm.

// Needs the joints and gripper joints in `out`; fills `out.arm`. Everything below robot.arm. must
// be known, and there if robot.arm.forward_kinematics is true.
[[nodiscard]] std::optional<ConfigurationError> read_arm(const RawConfiguration& raw,
                                                         Configuration& out);

}  // namespace openral::safety
