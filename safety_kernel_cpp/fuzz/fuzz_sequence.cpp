// Any sequence of inputs to one kernel: every command stays within the limits, and no latch is left
// without a reset.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "../test/duo_in_space.hpp"
#include "../test/duo_with_base.hpp"
#include "bytes.hpp"
#include "kernel.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_sequence: %s\n", what);
  std::abort();
}

// The small robot in space and on a base, with every mode enabled.
Configuration whole_robot() {
  RawConfiguration raw = duo::raw_in_space();
  const RawConfiguration base = duo::raw_with_base();
  raw.numbers.insert(base.numbers.begin(), base.numbers.end());
  raw.lists["robot.modes"] = {"joint_position", "joint_velocity", "body_twist", "gripper_position"};
  Configuration configuration;
  require(!configure(raw, configuration), "configuration");
  return configuration;
}

struct Point {
  double x, y;
};

// Of the planar arm, by its own formula.
Point tool(const JointArray& q) {
  return {std::cos(q[0]) + std::cos(q[0] + q[1]), std::sin(q[0]) + std::sin(q[0] + q[1])};
}

// An arm that is played stays in its box and under its tool's speed.
void check_space(const Configuration& configuration, const Command& last, const Command& command) {
  const bool moves =
      command.position[0] != last.position[0] || command.position[1] != last.position[1];
  if (!moves || command.braking) return;
  const Point a = tool(last.position);
  const Point b = tool(command.position);
  const ArmLimits& arm = configuration.arm;
  require(b.x >= arm.workspace_min[0] && b.x <= arm.workspace_max[0] &&
              b.y >= arm.workspace_min[1] && b.y <= arm.workspace_max[1],
          "workspace");
  require(std::hypot(b.x - a.x, b.y - a.y) <=
              arm.tool_speed_max * 1.0101 * configuration.tick_seconds(),
          "tool speed");
}

void check_twist(const Configuration& configuration, const JointArray& last,
                 const JointArray& twist) {
  for (std::size_t i = 0; i < kBaseAxes; ++i) {
    const BaseAxis& axis = configuration.base.axes[i];
    require(std::abs(twist[i]) <= axis.speed_max * (1 + 1e-6), "base speed");
    require(std::abs(twist[i] - last[i]) <=
                axis.acceleration_max * configuration.tick_seconds() * (1 + 1e-6),
            "base acceleration");
  }
}

// A short chunk from where the kernel stands, with a few things wrong.
void fill(Bytes& bytes, const Kernel& kernel, Nanoseconds now, Nanoseconds stamp, Chunk& chunk) {
  const Status& status = kernel.status();
  const auto twist = bytes.take<std::uint8_t>();
  chunk.robot.assign("duo");
  chunk.received = now;
  chunk.observation_stamp = twist == 1 ? bytes.take<std::int64_t>() : stamp;
  chunk.epoch = twist == 2 ? bytes.take<std::uint64_t>() : status.epoch;
  chunk.sequence = twist == 3 ? bytes.take<std::uint64_t>() : chunk.sequence + 1;
  const bool next = twist % 4 == 0;
  chunk.timeline = twist == 5 ? bytes.take<std::uint64_t>() : status.timeline + (next ? 1 : 0);
  chunk.first_row = next ? 0 : static_cast<std::uint64_t>(status.consumed_row);
  chunk.control_mode = twist == 6 ? 8 : 1;
  chunk.last = bytes.flag();
  chunk.dt = 0.02;
  chunk.horizon = 1 + bytes.take<std::uint8_t>() % 12;
  chunk.name_count = twist == 6 ? 1 : 3;
  chunk.joint_names[0].assign(twist == 6 ? "finger" : "shoulder");
  chunk.joint_names[1].assign("elbow");
  chunk.joint_names[2].assign("finger");
  chunk.value_count = chunk.horizon * chunk.name_count;
  const double steps[] = {0.02, 0.01, 0.002};
  const double speed[] = {bytes.number(1), bytes.number(1), bytes.number(1)};
  const bool velocity = twist == 8 || twist == 16;
  const bool drive = twist == 10 || twist == 20;
  if (velocity) chunk.control_mode = 2;
  if (drive) {
    chunk.control_mode = 7;
    chunk.name_count = 0;
    chunk.value_count = chunk.horizon * 3;
    const double changes[] = {0.02, 0, 0.04};
    for (std::size_t i = 0; i < chunk.value_count; ++i) {
      const double before = i >= 3 ? chunk.values[i - 3] : 0;
      chunk.values[i] = before + speed[i % 3] * changes[i % 3];
    }
    return;
  }
  for (std::size_t i = 0; i < chunk.value_count; ++i) {
    if (velocity) {
      const double changes[] = {0.2, 0.1, 0.04};
      const bool end = i + 3 >= chunk.value_count;
      const double before = i >= 3 ? chunk.values[i - 3] : 0;
      chunk.values[i] = end ? 0 : before + speed[i % 3] * changes[i % 3];
      continue;
    }
    const std::size_t joint = twist == 6 ? 2 : i % 3;
    const double before =
        i >= chunk.name_count ? chunk.values[i - chunk.name_count] : status.commanded[joint];
    chunk.values[i] = before + speed[joint] * steps[joint];
    if (twist == 7 && bytes.flag()) chunk.values[i] += bytes.number(0.1);
  }
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration configuration = fuzz::whole_robot();
  static Chunk chunk;
  fuzz::Bytes bytes(data, size);
  VelocityCommand velocity;
  JointArray driven{};
  const auto kernel = std::make_unique<Kernel>(configuration, 0);
  JointState state;
  state.position = {0, 0, 0.04};
  state.complete = true;
  Nanoseconds now = 0;
  Command last;
  bool emitted = false;
  chunk.sequence = 0;
  while (!bytes.empty()) {
    now += configuration.times.tick;
    Inputs inputs;
    const auto what = bytes.take<std::uint8_t>();
    if ((what & 1) == 0) {
      state.received = state.stamp = now;
      if ((what & 0xF0) == 0xF0) state.position[what % 3] += bytes.number(0.3);
      (void)inputs.joint_states.push(state);
    }
    if ((what & 2) != 0) {
      fuzz::fill(bytes, *kernel, now, state.stamp, chunk);
      inputs.chunk = &chunk;
    }
    if ((what & 0x12) == 0x10) {
      velocity.received = velocity.stamp = now;
      const double forward = bytes.number(0.1);
      velocity.twist = {forward, 0, what == 0x54 ? 0.1 : 0, 0, 0, bytes.flag() ? 0 : forward};
      if ((what & 8) != 0) velocity.twist = {};
      inputs.velocity_command = &velocity;
    }
    inputs.arm = (what & 4) != 0;
    inputs.reset = (what & 0x0C) == 0x0C;
    if ((what & 0x70) == 0x70) {
      EStopLevel level;
      level.received = now;
      level.source.assign("pendant");
      level.asserted = (what & 8) != 0;
      (void)inputs.estops.push(level);
    }
    if ((what & 0xE1) == 0x61) inputs.lateness = bytes.take<std::int32_t>();
    if (what == 0x99) inputs.second_publisher = true;
    if (what == 0x9B) inputs.fault = true;
    const Status before = kernel->status();
    const Output& output = kernel->tick(now, inputs);
    const Status& after = kernel->status();

    fuzz::require(after.epoch >= before.epoch, "the epoch never falls");
    if (before.state == State::kLatched && !output.reset.success) {
      fuzz::require(after.state == State::kLatched, "only a reset leaves the latch");
    }
    if (before.state == State::kDisarmed && !output.arm.success) {
      fuzz::require(!output.emit, "nothing is emitted while disarmed");
    }
    if (inputs.second_publisher || inputs.fault) {
      fuzz::require(after.state == State::kLatched || after.state == State::kBraking,
                    "a latch is decided in its tick");
    }
    // Without a command the robot brakes by itself.
    const bool drives = output.emit && output.command.mode == ControlMode::kBodyTwist;
    if (drives) fuzz::check_twist(configuration, driven, output.command.position);
    driven = drives ? output.command.position : JointArray{};
    if (!output.emit || drives) continue;
    const Command& command = output.command;
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      const JointLimits& limits = configuration.limits[j];
      fuzz::require(command.position[j] >= limits.position_min, "position_min");
      fuzz::require(command.position[j] <= limits.position_max, "position_max");
      // Arming and a stop after a fault begin at the measurement, under a new epoch.
      if (!emitted || command.epoch != last.epoch) continue;
      fuzz::require(std::abs(command.position[j] - last.position[j]) <=
                        limits.velocity_max * configuration.tick_seconds() * (1 + 1e-6),
                    "velocity_max");
    }
    if (emitted && command.epoch == last.epoch) fuzz::check_space(configuration, last, command);
    emitted = true;
    last = command;
    state.position = command.position;
    state.velocity = command.velocity;
  }
  return 0;
}
