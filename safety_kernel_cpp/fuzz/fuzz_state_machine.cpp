// Any sequence of operators, pendants, faults and motions: every change of the kernel's state is
// one that docs/safety.md allows, has its cause in that tick, and counts the epoch as it must.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "bytes.hpp"
#include "kernel.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

constexpr int kTicks = 20;        // of a run: room for a motion, a stop, a latch and a reset
constexpr int kLongestStop = 21;  // ticks, of the small robot from full speed

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_state_machine: %s\n", what);
  std::abort();
}

// What the world did in a tick, and what is known of the state before it.
struct World {
  bool pressed = false;  // a pendant, or a message of one was lost
  bool second_publisher = false;
  bool fault = false;
  bool late = false;  // the third tick in a row
};

// The reference: a state, how long it has braked, and whether it must latch then.
class Reference {
 public:
  void follow(const World& world, const Output& output, const Status& status) {
    const bool was_armed = armed();
    const State before = state_;
    std::uint64_t epoch = epoch_;
    // The causes, in the order in which a tick takes them.
    if (world.pressed || world.second_publisher) epoch += latch();
    int latches = 0;
    int stops = 0;
    for (const Report& report : output.reports) {
      latches += report.severity == Severity::kAbort ? 1 : 0;
      stops += report.severity == Severity::kFail ? 1 : 0;
    }
    require(stops <= 1 && latches <= 3, "one stop and at most three latches a tick");
    if (world.fault || (world.late && armed())) epoch += cut();
    if (output.reset.success) {
      require(before == State::kLatched, "only what was latched is reset");
      require(!world.pressed && !world.second_publisher && !world.fault, "reset against a cause");
      state_ = State::kDisarmed;
      ++epoch;
    }
    if (output.arm.success) {
      require(state_ == State::kDisarmed, "only what is disarmed is armed");
      require(!world.pressed && !world.second_publisher && !world.fault, "armed against a cause");
      state_ = State::kHolding;
      ++epoch;
    }
    settle(output, status, epoch, stops, latches, was_armed);
  }

 private:
  [[nodiscard]] bool armed() const {
    return state_ != State::kDisarmed && state_ != State::kLatched;
  }
  int latch() {
    if (state_ == State::kLatched || latching_) return 0;
    const bool moves = state_ == State::kActive || state_ == State::kBraking;
    state_ = moves ? State::kBraking : State::kLatched;
    latching_ = moves;
    return 1;
  }
  int cut() {
    if (state_ == State::kLatched) return 0;
    state_ = State::kLatched;
    latching_ = false;
    return 1;
  }
  // What is left is the kernel's own: limits that the measurement breaks, stops, the end of a
  // motion. Each is allowed from some states only.
  void settle(const Output& output, const Status& status, std::uint64_t epoch, int stops,
              int latches, bool was_armed) {
    const State now = status.state;
    if (stops > 0) require(was_armed, "only what is armed stops");
    const std::uint64_t own = status.epoch - epoch;
    require(status.epoch >= epoch && own <= static_cast<std::uint64_t>(stops + latches + 1),
            "the epoch counts arming, resets, stops, latches and changes of mode");
    switch (state_) {
      case State::kDisarmed:
        require(now == State::kDisarmed, "a disarmed kernel stays so");
        break;
      case State::kLatched:
        require(now == State::kLatched, "a latched kernel stays so");
        require(!output.emit, "nothing is emitted once latched");
        break;
      case State::kHolding:
      case State::kActive:
        require(now != State::kDisarmed, "nothing but a reset disarms");
        require(now != State::kLatched || latches > 0, "a latch has a report");
        require(now != State::kBraking || stops + latches > 0, "a stop has a report");
        break;
      case State::kBraking:
        require(now == State::kBraking || now == State::kHolding || now == State::kLatched,
                "a stop ends in a hold or a latch");
        require(!latching_ || now != State::kHolding, "a latch that is due is not forgotten");
    }
    if (now == State::kBraking) {
      ++braking_;
      latching_ = latching_ || latches > 0;
      require(braking_ <= kLongestStop * 2, "a stop ends");
    } else {
      braking_ = 0;
      latching_ = false;
    }
    require(now == State::kDisarmed || now == State::kLatched || output.emit || !moving(now),
            "what moves is commanded");
    state_ = now;
    epoch_ = status.epoch;
  }
  [[nodiscard]] static bool moving(State state) {
    return state == State::kActive || state == State::kBraking;
  }

  State state_ = State::kDisarmed;
  bool latching_ = false;
  int braking_ = 0;
  std::uint64_t epoch_ = 0;
};

// A motion of the shoulder from where it is commanded, of some rows, good or with a NaN.
void fill(Bytes& bytes, const Status& status, Nanoseconds now, std::uint64_t sequence,
          Chunk& chunk) {
  const auto kind = bytes.take<std::uint8_t>();
  chunk.robot.assign("duo");
  chunk.received = chunk.observation_stamp = now;
  chunk.epoch = status.epoch;
  chunk.sequence = sequence;
  chunk.timeline = status.timeline + (kind % 2);
  chunk.first_row = kind % 2 == 1 ? 0 : static_cast<std::uint64_t>(status.consumed_row);
  const bool gripper = kind % 8 == 7;
  chunk.control_mode = gripper ? 8 : 1;
  chunk.last = kind % 4 != 3;
  chunk.dt = 0.02;
  chunk.horizon = 3 + kind % 16;
  chunk.name_count = gripper ? 1 : 3;
  chunk.joint_names[0].assign(gripper ? "finger" : "shoulder");
  chunk.joint_names[1].assign("elbow");
  chunk.joint_names[2].assign("finger");
  const std::size_t width = gripper ? 1 : 3;
  chunk.value_count = chunk.horizon * width;
  double shoulder = status.commanded[0];
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    double* const values = &chunk.values[row * width];
    if (gripper) {
      values[0] = status.commanded[2];
      continue;
    }
    const std::size_t left = chunk.horizon - 1 - row;
    const std::size_t reach = row < left ? row : left;
    shoulder += 0.004 * static_cast<double>(reach < 4 ? reach : 4);
    values[0] = shoulder;
    values[1] = status.commanded[1];
    values[2] = status.commanded[2];
  }
  if (kind == 200) chunk.values[0] = std::nan("");
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration configuration = [] {
    RawConfiguration raw = fuzz::raw();
    raw.numbers["estop.cooldown_s"] = 0.01;
    Configuration configuration;
    if (configure(raw, configuration)) std::abort();
    return configuration;
  }();
  static Chunk chunk;
  fuzz::Bytes bytes(data, size);
  // In the same place each time: a kernel is large, and the sanitizer's heap slow.
  alignas(Kernel) static unsigned char place[sizeof(Kernel)];
  Kernel* const kernel = new (place) Kernel(configuration, 0);
  fuzz::Reference reference;
  JointState state;
  state.position = {0, 0, 0.04};
  state.complete = true;
  Nanoseconds now = 0;
  std::uint64_t sequence = 0;
  int late = 0;
  bool pressed = false;
  // In one place, too, and cleared of what the tick before put in.
  static Inputs inputs;
  for (int tick = 0; tick < fuzz::kTicks && !bytes.empty(); ++tick) {
    now += configuration.times.tick;
    inputs.joint_states.clear();
    inputs.estops.clear();
    inputs.chunk = nullptr;
    inputs.lateness = 0;
    fuzz::World world;
    const auto what = bytes.take<std::uint8_t>();
    inputs.arm = (what & 1) != 0;
    inputs.reset = (what & 2) != 0;
    if ((what & 4) != 0) {
      fuzz::fill(bytes, kernel->status(), now, ++sequence, chunk);
      inputs.chunk = &chunk;
    }
    if ((what & 8) == 0) {
      state.received = state.stamp = now;
      (void)inputs.joint_states.push(state);
    }
    const int rare = what >> 4;
    if (rare == 1 || rare == 2) {
      EStopLevel level;
      level.received = now;
      level.source.assign("pendant");
      level.asserted = pressed = rare == 1;
      (void)inputs.estops.push(level);
    }
    inputs.estop_lost = rare == 3;
    inputs.second_publisher = world.second_publisher = rare == 4;
    inputs.fault = world.fault = rare == 5;
    late = rare == 6 ? late + 1 : 0;
    if (rare == 6) inputs.lateness = configuration.times.late_tolerance + 1;
    if (rare == 7) state.position[0] += bytes.number(0.3);
    world.late = late >= 3;
    world.pressed = pressed || inputs.estop_lost;
    const Output& output = kernel->tick(now, inputs);
    // A pendant that was heard once and is silent counts as pressed.
    const Reason found = kernel->status().unmet.empty() ? Reason::kNone : kernel->status().unmet[0];
    world.pressed = world.pressed || found == Reason::kEstopSilent;
    reference.follow(world, output, kernel->status());
    if (!output.emit) continue;
    state.position = output.command.position;
    state.velocity = output.command.velocity;
  }
  kernel->~Kernel();
  return 0;
}
