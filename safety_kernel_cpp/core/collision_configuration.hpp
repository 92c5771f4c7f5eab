// Reads the bodies that must stay apart, and how far, from the configuration.
#pragma once

#include <optional>
#include <string>

#include "configuration.hpp"

namespace openral::safety {

[[nodiscard]] const std::vector<NumberField>& collision_fields();  // below robot.collision.
[[nodiscard]] const std::vector<NumberField>& world_fields();      // below world.

// What a parameter below robot.collision. or world. means, with its unit; empty for no such name.
[[nodiscard]] std::string describe_collision_field(const std::string& name);

// Needs the arm in `out`; fills `out.collision`. Everything below robot.collision. and world. must
// be known, and there if robot.collision.enabled is true: the bodies of every moving link too.
[[nodiscard]] std::optional<ConfigurationError> read_collision(const RawConfiguration& raw,
                                                               Configuration& out);

}  // namespace openral::safety
