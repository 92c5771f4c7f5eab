// A tick as one line: `tick NOW <what came in> | <what was decided>`.
#pragma once

#include "fields.hpp"
#include "line.hpp"

namespace openral::safety {

// Between what came in and what was decided.
inline constexpr std::string_view kDecided = " | ";

// Reads what came in; the line's rest is left in it.
inline void read_tick(LineReader& line, Nanoseconds& now, Inputs& inputs, Chunk& chunk,
                      VelocityCommand& velocity_command, CollisionWorld& world) {
  line.word("tick");
  line.integer(now);
  record::inputs(
      line, inputs,
      record::Attached<Chunk, VelocityCommand, CollisionWorld>{&chunk, &velocity_command, &world});
}

inline void write_inputs(LineWriter& line, Nanoseconds now, const Inputs& inputs) {
  line.word("tick");
  line.integer(now);
  record::inputs(line, inputs,
                 record::Attached<const Chunk, const VelocityCommand, const CollisionWorld>{
                     inputs.chunk, inputs.velocity_command, inputs.world});
}

inline void write_decision(LineWriter& line, const Output& output, const Status& status) {
  record::output(line, output);
  record::status(line, status);
}

}  // namespace openral::safety
