// What a tick takes in and gives out, field by field.
//
// Each function takes its structure apart by name, so that a field which is added to the core does
// not compile here before it is recorded too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "../core/kernel.hpp"
#include "line.hpp"

namespace openral::safety::record {

// Whether a value is the one that stands for nothing: zero, or NaN.
inline bool is_blank(double value, double blank) {
  if (std::isnan(blank)) return std::isnan(value);
  return value == blank && !std::signbit(value);
}

// Values up to the last that is not blank: the rest of a fixed array says nothing.
template <typename Archive, typename Array>
void values(Archive& line, Array& array, double blank = 0) {
  std::size_t count = 0;
  if constexpr (Archive::kReads) {
    line.integer(count);
    if (count > array.size()) line.fail("at most " + std::to_string(array.size()) + " values", "");
    array.fill(blank);
    for (std::size_t i = 0; i < count && line.ok(); ++i) line.real(array[i]);
  } else {
    count = array.size();
    while (count > 0 && is_blank(array[count - 1], blank)) --count;
    line.integer(count);
    for (std::size_t i = 0; i < count; ++i) line.real(array[i]);
  }
}

template <typename Archive, typename Vector, typename Each>
void list(Archive& line, std::string_view name, Vector& vector, Each each) {
  line.word(name);
  if constexpr (Archive::kReads) {
    std::size_t count = 0;
    line.integer(count);
    vector.clear();
    for (std::size_t i = 0; i < count && line.ok(); ++i) {
      std::remove_reference_t<decltype(vector[0])> element{};
      each(element);
      if (!vector.push(element)) line.fail("fewer " + std::string(name), std::to_string(count));
    }
  } else {
    line.integer(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) each(vector[i]);
  }
}

template <typename Archive, typename State>
void joint_state(Archive& line, State& state) {
  auto& [received, stamp, position, velocity, effort, complete] = state;
  line.integer(received);
  line.integer(stamp);
  values(line, position);
  values(line, velocity);
  values(line, effort, std::numeric_limits<double>::quiet_NaN());
  line.flag(complete);
}

template <typename Archive, typename Level>
void estop_level(Archive& line, Level& level) {
  auto& [received, source, asserted] = level;
  line.integer(received);
  line.name(source);
  line.flag(asserted);
}

template <typename Archive, typename Reading>
void separation(Archive& line, Reading& reading) {
  auto& [received, stamp, distance] = reading;
  line.integer(received);
  line.integer(stamp);
  line.real(distance);
}

template <typename Archive, typename Twist>
void velocity_command(Archive& line, Twist& command) {
  auto& [received, stamp, twist, in_base_frame] = command;
  line.integer(received);
  line.integer(stamp);
  values(line, twist);
  line.flag(in_base_frame);
}

template <typename Archive, typename AnyChunk>
void chunk(Archive& line, AnyChunk& chunk) {
  auto& [received, observation_stamp, skill_id, robot, trace_id, configuration_hash, epoch,
         sequence, timeline, first_row, control_mode, last, dt, horizon, name_count, joint_names,
         value_count, values] = chunk;
  line.integer(received);
  line.integer(observation_stamp);
  line.name(skill_id);
  line.name(robot);
  line.name(trace_id);
  line.integer(configuration_hash);
  line.integer(epoch);
  line.integer(sequence);
  line.integer(timeline);
  line.integer(first_row);
  line.integer(control_mode);
  line.flag(last);
  line.real(dt);
  line.integer(horizon);
  // The counts are what a message claims, and may be more than fits.
  line.integer(name_count);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(name_count, joint_names.size()); ++i) {
    line.name(joint_names[i]);
    if constexpr (Archive::kReads) {
      if (!line.ok()) return;
    }
  }
  line.integer(value_count);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(value_count, values.size()); ++i) {
    line.real(values[i]);
    if constexpr (Archive::kReads) {
      if (!line.ok()) return;
    }
  }
}

// As many of an array's elements as `count`, which is what a message claims, and may be more than
// fits.
template <typename Archive, typename Array, typename Each>
void counted(Archive& line, std::uint64_t& count, Array& array, Each each) {
  line.integer(count);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(count, array.size()); ++i) {
    each(array[i]);
    if constexpr (Archive::kReads) {
      if (!line.ok()) return;
    }
  }
}

template <typename Archive, typename Body>
void world_body(Archive& line, Body& body) {
  auto& [name, shape, position, orientation, size] = body;
  line.name(name);
  line.integer(shape);
  values(line, position);
  values(line, orientation);
  values(line, size);
}

template <typename Archive, typename World>
void world(Archive& line, World& world) {
  auto& [received, stamp, frame, body_count, bodies, payload_count, payload, touchable_count,
         touchable] = world;
  line.integer(received);
  line.integer(stamp);
  line.name(frame);
  std::uint64_t counts[] = {body_count, payload_count, touchable_count};
  counted(line, counts[0], bodies, [&](auto& body) { world_body(line, body); });
  counted(line, counts[1], payload, [&](auto& body) { world_body(line, body); });
  counted(line, counts[2], touchable, [&](auto& name) { line.name(name); });
  if constexpr (Archive::kReads) {
    body_count = counts[0];
    payload_count = counts[1];
    touchable_count = counts[2];
  }
}

// What is behind the pointers of the inputs.
template <typename AnyChunk, typename Twist, typename World>
struct Attached {
  AnyChunk* chunk = nullptr;
  Twist* velocity_command = nullptr;
  World* world = nullptr;
};

// When reading, `attached` is where a chunk, a twist and a world are put.
template <typename Archive, typename AnyInputs, typename AnyChunk, typename Twist, typename World>
void inputs(Archive& line, AnyInputs& inputs, Attached<AnyChunk, Twist, World> attached) {
  auto& [lateness, joint_states, estops, separations, estop_lost, chunks_lost, chunk,
         velocity_command, world, arm, arm_recovery, reset, second_publisher, fault] = inputs;
  line.integer(lateness);
  list(line, "joints", joint_states, [&](auto& state) { joint_state(line, state); });
  list(line, "estops", estops, [&](auto& level) { estop_level(line, level); });
  list(line, "separations", separations, [&](auto& reading) { separation(line, reading); });
  bool has_chunk = chunk != nullptr;
  line.word("chunk");
  line.flag(has_chunk);
  if (has_chunk) record::chunk(line, *attached.chunk);
  bool has_twist = velocity_command != nullptr;
  line.word("twist");
  line.flag(has_twist);
  if (has_twist) record::velocity_command(line, *attached.velocity_command);
  bool has_world = world != nullptr;
  line.word("world");
  line.flag(has_world);
  if (has_world) record::world(line, *attached.world);
  if constexpr (Archive::kReads) {
    chunk = has_chunk ? attached.chunk : nullptr;
    velocity_command = has_twist ? attached.velocity_command : nullptr;
    world = has_world ? attached.world : nullptr;
  }
  line.word("estop_lost");
  line.flag(estop_lost);
  line.word("chunks_lost");
  line.integer(chunks_lost);
  line.word("arm");
  line.flag(arm);
  line.word("arm_recovery");
  line.flag(arm_recovery);
  line.word("reset");
  line.flag(reset);
  line.word("second_publisher");
  line.flag(second_publisher);
  line.word("fault");
  line.flag(fault);
}

inline void reason(LineWriter& line, Reason reason) {
  line.word(reason == Reason::kNone ? "-" : reason_name(reason));
}

inline void finding(LineWriter& line, const Finding& found) {
  const auto& [why, row, joint, value, limit, body, other] = found;
  reason(line, why);
  line.integer(row);
  line.integer(joint);
  line.real(value);
  line.real(limit);
  line.integer(body);
  line.integer(other);
}

inline void body_names(LineWriter& line, const BodyNames& bodies) {
  const auto& [body, other] = bodies;
  line.name(body);
  line.name(other);
}

inline void reply(LineWriter& line, std::string_view name, const Reply& answer) {
  const auto& [given, success, why] = answer;
  line.word(name);
  line.flag(given);
  line.flag(success);
  reason(line, why);
}

inline void report(LineWriter& line, const Report& given) {
  const auto& [severity, found, epoch, sequence, timeline, skill_id, trace_id, source, bodies] =
      given;
  line.integer(static_cast<int>(severity));
  finding(line, found);
  line.integer(epoch);
  line.integer(sequence);
  line.integer(timeline);
  line.name(skill_id);
  line.name(trace_id);
  line.name(source);
  body_names(line, bodies);
}

inline void output(LineWriter& line, const Output& given) {
  const auto& [emit, command, reports, arm, arm_recovery, reset, changed] = given;
  line.word("emit");
  line.flag(emit);
  if (emit) {
    const auto& [sequence, epoch, mode, position, velocity, braking] = command;
    line.integer(sequence);
    line.integer(epoch);
    line.integer(static_cast<int>(mode));
    line.flag(braking);
    values(line, position);
    values(line, velocity);
  }
  list(line, "reports", reports, [&](const Report& one) { report(line, one); });
  reply(line, "armed", arm);
  reply(line, "armed_for_recovery", arm_recovery);
  reply(line, "was_reset", reset);
  line.word("changed");
  line.flag(changed);
}

inline void status(LineWriter& line, const Status& given) {
  const auto& [state, epoch, found, bodies, finding_time, recovery, unmet, timeline, consumed_row,
               commanded, chunks_admitted, chunks_refused, stops, commands, late_ticks] = given;
  line.word("state");
  line.word(state_name(state));
  line.word("epoch");
  line.integer(epoch);
  line.word("finding");
  finding(line, found);
  body_names(line, bodies);
  line.integer(finding_time);
  line.word("recovery");
  line.flag(recovery);
  list(line, "unmet", unmet, [&](Reason why) { reason(line, why); });
  line.word("timeline");
  line.integer(timeline);
  line.word("row");
  line.real(consumed_row);
  line.word("commanded");
  values(line, commanded);
  line.word("counts");
  line.integer(chunks_admitted);
  line.integer(chunks_refused);
  line.integer(stops);
  line.integer(commands);
  line.integer(late_ticks);
}

}  // namespace openral::safety::record
