// Any sequence of inputs to one kernel: every command stays within the limits, and no latch is left
// without a reset.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "../test/duo_every_mode_robot.hpp"
#include "../test/duo_with_base.hpp"
#include "bytes.hpp"
#include "kernel.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

constexpr int kTicks = 100;  // of a run: half a second, room for a motion and several stops

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_sequence: %s\n", what);
  std::abort();
}

// The small robot in space and on a base, with every mode enabled.
Configuration whole_robot() {
  RawConfiguration raw = duo::raw_in_every_mode();
  const RawConfiguration base = duo::raw_with_base();
  raw.numbers.insert(base.numbers.begin(), base.numbers.end());
  raw.lists["robot.modes"].push_back("body_twist");
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
  // A stop in whole ticks takes at least as long as its slowest axis; counted one by one.
  int ticks = 0;
  const auto stands = [&](std::size_t i) {
    const double able = configuration.base.axes[i].acceleration_max * configuration.tick_seconds();
    return std::abs(twist[i]) <= able * ticks * (1 + 1e-9);
  };
  while (ticks < 100'000 && !(stands(0) && stands(1) && stands(2))) ++ticks;
  const double time = ticks * configuration.tick_seconds() / 2 + configuration.brake_delay;
  require(std::hypot(twist[0], twist[1]) * time <=
              configuration.base.stopping_distance_max * (1 + 1e-6),
          "base stopping distance");
}

void check_tool(const Configuration& configuration, const Command& last, const Command& command,
                bool goes_on) {
  const ArmLimits& arm = configuration.arm;
  double way = 0;
  double norm = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    require(
        command.position[i] >= arm.workspace_min[i] && command.position[i] <= arm.workspace_max[i],
        "a pose in the workspace");
    way = std::hypot(way, command.position[i] - last.position[i]);
  }
  for (std::size_t i = 3; i < 7; ++i) norm += command.position[i] * command.position[i];
  require(std::abs(norm - 1) < 1e-9, "a unit quaternion");
  if (!goes_on || last.mode != ControlMode::kCartesianPose || command.epoch != last.epoch) return;
  require(way <= arm.tool_speed_max * 1.0101 * configuration.tick_seconds(), "speed of a pose");
}

void check_torque(const Configuration& configuration, const JointArray& last,
                  const JointArray& torque) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointTorqueLimits& limits = configuration.torque.joints[j];
    require(std::abs(torque[j]) <= limits.effort_max, "torque");
    require(std::abs(torque[j] - last[j]) <=
                limits.rate_max * configuration.tick_seconds() * (1 + 1e-6),
            "torque rate");
  }
}

// An admitted chunk of joint positions, by the definitions of the limits. A stop takes no less way
// than an even deceleration of each joint alone.
void check_admitted(const Configuration& configuration, const Chunk& chunk) {
  constexpr double kRounding = 1 + 1e-6;
  const std::size_t width = configuration.joint_count;
  for (std::size_t j = 0; j < width; ++j) {
    const JointLimits& limits = configuration.limits[j];
    double last = 0, speed_before = 0, acceleration_before = 0;
    for (std::size_t row = 0; row < chunk.horizon; ++row) {
      const double position = chunk.values[row * width + j];
      require(position >= limits.position_min && position <= limits.position_max,
              "an admitted position");
      const double speed = row > 0 ? (position - last) / chunk.dt : 0;
      const double acceleration = row > 1 ? (speed - speed_before) / chunk.dt : 0;
      const double jerk = row > 2 ? (acceleration - acceleration_before) / chunk.dt : 0;
      require(std::abs(speed) <= limits.velocity_max * kRounding &&
                  std::abs(speed) * chunk.dt <= limits.step_max * kRounding,
              "an admitted speed");
      require(std::abs(acceleration) <= limits.acceleration_max * kRounding,
              "an admitted acceleration");
      require(std::abs(jerk) <= limits.jerk_max * kRounding, "an admitted jerk");
      const double way =
          speed * (std::abs(speed) / limits.acceleration_max / 2 + configuration.brake_delay);
      require(position + way >= limits.position_min - 1e-6 &&
                  position + way <= limits.position_max + 1e-6,
              "the end of an admitted row's stop");
      last = position;
      speed_before = speed;
      acceleration_before = acceleration;
    }
  }
}

// A hold that was not commanded for longer than its lease goes on from where the arm is by now.
void check_anew(const Configuration& configuration, const JointArray& measured,
                const Command& command) {
  for (std::size_t j = 0; j < 2; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const double inside = std::min(std::max(measured[j], limits.position_min), limits.position_max);
    require(command.position[j] == inside, "a hold from the measured place");
  }
}

// On the way back no joint goes further out.
void check_inward(const Configuration& configuration, const JointArray& last,
                  const JointArray& position) {
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    const JointLimits& limits = configuration.limits[j];
    const auto out = [&](double q) {
      return std::max({0.0, limits.position_min - q, q - limits.position_max});
    };
    require(out(position[j]) <= out(last[j]), "a recovery goes inward");
  }
}

// However timelines follow each other: each change of a joint's speed takes the time that it needs
// at acceleration_max, and no more is taken at a time than the longest rows, of 20 ms, may take.
class SpeedOverTime {
 public:
  void forget() { known_ = false; }
  void follow(const Configuration& configuration, const Command& last, const Command& command,
              Nanoseconds since) {
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      const double speed = (command.position[j] - last.position[j]) / configuration.tick_seconds();
      taken_[j] = known_ ? std::max(0.0, taken_[j] - static_cast<double>(since) / kSecond) : 0;
      if (known_) {
        taken_[j] += std::abs(speed - speed_[j]) / configuration.limits[j].acceleration_max;
      }
      require(taken_[j] <= 0.02 * (1 + 1e-6), "changes of speed");
      speed_[j] = speed;
    }
    known_ = true;
  }

 private:
  bool known_ = false;
  JointArray speed_{};
  JointArray taken_{};
};

// A robot that is at once where it is commanded, and of unit inertia under torques.
void obey(const Configuration& configuration, const Command& command, JointState& state) {
  if (command.mode != ControlMode::kJointTorque) {
    duo::obey_poses(command, state);
    return;
  }
  for (std::size_t j = 0; j < 2; ++j) {
    state.velocity[j] += command.position[j] * configuration.tick_seconds();
    state.position[j] += state.velocity[j] * configuration.tick_seconds();
  }
}

// A short chunk in space or of torques, from where the kernel stands.
void fill_mode(Bytes& bytes, const Kernel& kernel, std::uint8_t mode, Chunk& chunk) {
  const JointArray& q = kernel.status().commanded;
  const std::size_t width = mode == 3 ? 3 : mode == 4 ? 7 : 6;
  chunk.control_mode = mode;
  chunk.name_count = mode == 3 ? 3 : 0;
  chunk.value_count = chunk.horizon * width;
  double shoulder = q[0];
  double speed = 0;
  const double change = bytes.number(mode == 3 ? 3 : 0.1);
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    double* values = &chunk.values[row * width];
    std::fill_n(values, width, 0.0);
    if (mode == 4) {
      const auto pose = duo::planar_pose(shoulder, q[1]);
      std::copy(pose.begin(), pose.end(), values);
    } else if (row + 1 < chunk.horizon) {
      values[mode == 3 ? 0 : 1] = mode == 5 ? speed * 0.02 : speed;
    }
    speed += change;
    shoulder += speed * 0.02;
    if (bytes.flag()) continue;
    values[bytes.take<std::uint8_t>() % width] += bytes.number(0.05);
  }
}

// A short motion from where the kernel stands by the accelerations of its rows, a little above the
// limit at most. Between rows of one tick each the jerk reaches its limit, over longer ones the
// speed.
void fill_smooth(Bytes& bytes, const Kernel& kernel, bool quick, Chunk& chunk) {
  chunk.dt = quick ? 0.005 : 0.02;
  JointArray position = kernel.status().commanded;
  double speed[3] = {};
  for (std::size_t i = 0; i < chunk.value_count; ++i) {
    const std::size_t joint = i % 3;
    const JointLimits& limits = kernel.configuration().limits[joint];
    chunk.values[i] = position[joint];
    speed[joint] += bytes.number(1.1 * limits.acceleration_max) * chunk.dt;
    position[joint] += speed[joint] * chunk.dt;
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
  if (twist >= 224) {
    fill_smooth(bytes, kernel, twist >= 240, chunk);
    return;
  }
  const double speed[] = {bytes.number(1), bytes.number(1), bytes.number(1)};
  const bool velocity = twist == 8 || twist == 16;
  const bool drive = twist == 10 || twist == 20;
  if (velocity) chunk.control_mode = 2;
  if (twist >= 96 && twist < 192) {
    fill_mode(bytes, kernel, static_cast<std::uint8_t>(3 + twist % 16 / 4), chunk);
    return;
  }
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
  JointArray pushed{};
  bool drove = false;
  bool pushed_before = false;
  // One place for all kernels: asking the system for it anew took most of the time.
  static std::optional<Kernel> place;
  Kernel* const kernel = &place.emplace(configuration, 0);
  JointState state;
  state.position = {0, 0, 0.04};
  state.complete = true;
  JointArray measured = state.position;
  Nanoseconds now = 0;
  Command last;
  bool emitted = false;
  Nanoseconds emitted_at = 0;
  fuzz::SpeedOverTime speeds;
  chunk.sequence = 0;
  // In one place, too, and cleared of what the tick before put in.
  static Inputs inputs;
  for (int tick = 0; tick < fuzz::kTicks && !bytes.empty(); ++tick) {
    now += configuration.times.tick;
    inputs.joint_states.clear();
    inputs.estops.clear();
    inputs.chunk = nullptr;
    inputs.velocity_command = nullptr;
    inputs.lateness = 0;
    inputs.second_publisher = inputs.fault = false;
    const auto what = bytes.take<std::uint8_t>();
    if ((what & 1) == 0) {
      state.received = state.stamp = now;
      if ((what & 0xF0) == 0xF0) state.position[what % 3] += bytes.number(0.3);
      (void)inputs.joint_states.push(state);
      if (state_is_usable(configuration, state)) measured = state.position;
    }
    // Moved by hand, unseen until the next measurement.
    if (what == 0xA1) state.position[0] += bytes.number(0.1);
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
    inputs.arm_recovery = (what & 0x1C) == 0x18;
    if ((what & 0xF8) == 0xE8) state.effort[2] = bytes.number(100);
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
    const std::uint64_t epoch_before = kernel->status().epoch;
    const State state_before = kernel->status().state;
    const bool recovery_before = kernel->status().recovery;
    const std::uint64_t admitted_before = kernel->status().chunks_admitted;
    const Output& output = kernel->tick(now, inputs);
    const Status& after = kernel->status();

    fuzz::require(after.epoch >= epoch_before, "the epoch never falls");
    if (state_before == State::kLatched && !output.reset.success) {
      fuzz::require(after.state == State::kLatched, "only a reset leaves the latch");
    }
    const bool armed_now = output.arm.success || output.arm_recovery.success;
    // A twist of the same tick may be admitted where the chunk was not.
    const bool admitted = inputs.chunk != nullptr && inputs.velocity_command == nullptr &&
                          after.chunks_admitted > admitted_before;
    if (admitted) {
      const bool new_epoch = armed_now || output.reset.success;
      fuzz::require(chunk.epoch >= epoch_before + (new_epoch ? 1 : 0) && chunk.epoch <= after.epoch,
                    "a chunk of another epoch is refused");
    }
    if (admitted && chunk.control_mode == 1 && !recovery_before && !after.recovery) {
      fuzz::check_admitted(configuration, chunk);
    }
    if (state_before == State::kDisarmed && !armed_now) {
      fuzz::require(!output.emit, "nothing is emitted while disarmed");
    }
    if (inputs.second_publisher || inputs.fault) {
      fuzz::require(after.state == State::kLatched || after.state == State::kBraking,
                    "a latch is decided in its tick");
    }
    // Without a command the robot brakes by itself.
    const bool drives = output.emit && output.command.mode == ControlMode::kBodyTwist;
    if (drives) fuzz::check_twist(configuration, driven, output.command.position);
    if (drives) {
      driven = output.command.position;
    } else if (drove) {
      driven = JointArray{};
    }
    drove = drives;
    const bool pushes = output.emit && output.command.mode == ControlMode::kJointTorque;
    if (pushes) fuzz::check_torque(configuration, pushed, output.command.position);
    if (pushes) {
      pushed = output.command.position;
    } else if (pushed_before) {
      pushed = JointArray{};
    }
    pushed_before = pushes;
    if (!output.emit || drives) continue;
    const Command& command = output.command;
    // A hold whose last command was older than its lease begins at the measurement.
    const Nanoseconds since = now - emitted_at;
    const bool goes_on = emitted && since <= configuration.times.lease;
    emitted_at = now;
    const bool tool = command.mode == ControlMode::kCartesianPose;
    if (tool) fuzz::check_tool(configuration, last, command, goes_on);
    if (tool || pushes) {
      speeds.forget();
      fuzz::obey(configuration, command, state);
      emitted = true;
      last = command;
      continue;
    }
    const bool joints_before = goes_on && last.mode == ControlMode::kJointPosition;
    if (joints_before && command.epoch == last.epoch && !recovery_before && !after.recovery) {
      speeds.follow(configuration, last, command, since);
    } else {
      speeds.forget();
    }
    if (recovery_before || after.recovery) {
      if (joints_before && command.epoch == last.epoch) {
        fuzz::check_inward(configuration, last.position, command.position);
      }
      fuzz::obey(configuration, command, state);
      emitted = true;
      last = command;
      continue;
    }
    // Without a motion that may have begun and ended in this tick.
    const bool held = state_before == State::kHolding && after.state == State::kHolding &&
                      last.mode == ControlMode::kJointPosition && command.epoch == last.epoch &&
                      inputs.chunk == nullptr && inputs.velocity_command == nullptr;
    if (emitted && !goes_on && held) fuzz::check_anew(configuration, measured, command);
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      const JointLimits& limits = configuration.limits[j];
      fuzz::require(command.position[j] >= limits.position_min, "position_min");
      fuzz::require(command.position[j] <= limits.position_max, "position_max");
      // Arming and a stop after a fault begin at the measurement, under a new epoch.
      if (!joints_before || command.epoch != last.epoch) continue;
      // A stop from a measured state begins at its speed, and only slows down.
      const double before_it = command.braking ? std::abs(last.velocity[j]) : 0;
      const double fastest = std::max(limits.velocity_max, before_it);
      fuzz::require(std::abs(command.position[j] - last.position[j]) <=
                        fastest * configuration.tick_seconds() * (1 + 1e-6),
                    "velocity_max");
      fuzz::require(std::abs(command.velocity[j]) <= fastest * (1 + 1e-6), "feed-forward");
    }
    if (joints_before && command.epoch == last.epoch)
      fuzz::check_space(configuration, last, command);
    emitted = true;
    last = command;
    fuzz::obey(configuration, command, state);
  }
  return 0;
}
