// A proposal of motion as it was received: nothing in it is trusted yet.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "capacity.hpp"
#include "fixed.hpp"

namespace openral::safety {

// Mirrors openral_msgs/ActionChunk. `name_count` and `value_count` are what the message holds,
// which may disagree with its own horizon; the arrays hold what fits.
struct Chunk {
  // User-provided, so that `Chunk{}` leaves the values uninitialised too: zeroing 128 KiB would
  // take longer than a tick's whole work.
  Chunk() {}

  Nanoseconds received = 0;           // monotonic
  Nanoseconds observation_stamp = 0;  // the robot's clock
  FixedString<kMaxName> skill_id;
  FixedString<kMaxName> robot;
  FixedString<kMaxName> trace_id;
  std::uint64_t configuration_hash = 0;  // 0 = not known
  std::uint64_t epoch = 0;
  std::uint64_t sequence = 0;
  std::uint64_t timeline = 0;
  std::uint64_t first_row = 0;
  std::uint8_t control_mode = 0;
  bool last = false;
  double dt = 0;  // [s]
  std::uint64_t horizon = 0;
  std::uint64_t name_count = 0;
  std::array<FixedString<kMaxName>, kMaxJoints> joint_names;
  std::uint64_t value_count = 0;
  std::array<double, kMaxValues> values;  // valid up to value_count

  // Row-major access, valid once the shape has been checked.
  [[nodiscard]] double at(std::size_t row, std::size_t width, std::size_t column) const {
    return values[row * width + column];
  }

  // Copies the values in use only: a whole copy costs ten times as much as a usual chunk needs.
  void copy_from(const Chunk& other) {
    received = other.received;
    observation_stamp = other.observation_stamp;
    skill_id = other.skill_id;
    robot = other.robot;
    trace_id = other.trace_id;
    configuration_hash = other.configuration_hash;
    epoch = other.epoch;
    sequence = other.sequence;
    timeline = other.timeline;
    first_row = other.first_row;
    control_mode = other.control_mode;
    last = other.last;
    dt = other.dt;
    horizon = other.horizon;
    name_count = other.name_count;
    joint_names = other.joint_names;
    value_count = other.value_count;
    const std::size_t count = std::min<std::uint64_t>(other.value_count, kMaxValues);
    std::copy_n(other.values.begin(), count, values.begin());
  }
};

}  // namespace openral::safety
