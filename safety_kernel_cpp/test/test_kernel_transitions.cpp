// The state machine searched exhaustively on the compiled kernel: from every state, one tick with
// every combination of what can happen in it. The expected state, epoch, emission and answers come
// from a model that is written from docs/safety.md and shares nothing with the kernel.
#include <cmath>
#include <cstdio>
#include <set>

#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::kMillisecond;
using duo::kTick;

enum class Start {
  kDisarmed,
  kHolding,
  kActive,
  kBraking,        // some ticks are left
  kBrakingLast,    // one tick is left
  kLatching,       // braking to a latch
  kLatchingLast,   // one tick is left
  kLatched,        // the cooldown is over
  kLatchedLately,  // it is not
};
constexpr Start kStarts[] = {Start::kDisarmed,     Start::kHolding,     Start::kActive,
                             Start::kBraking,      Start::kBrakingLast, Start::kLatching,
                             Start::kLatchingLast, Start::kLatched,     Start::kLatchedLately};

enum class Pendant { kClear, kPressed, kLost };
enum class Feed { kFresh, kStale, kOutside, kMoving };
enum class Sent { kNothing, kGood, kBad };

// What happens in the tick.
struct Happening {
  bool arm, arm_recovery, reset, second_publisher, fault, late;
  Pendant pendant;
  Feed feed;
  Sent sent;
};

struct Result {
  State state;
  std::uint64_t epoch;  // beyond the one before
  bool emit;
  bool armed;
  bool recovers;
  bool was_reset;

  bool operator==(const Result& other) const {
    return state == other.state && epoch == other.epoch && emit == other.emit &&
           armed == other.armed && recovers == other.recovers && was_reset == other.was_reset;
  }
};

// ---- the model

class Model {
 public:
  explicit Model(Start start) {
    switch (start) {
      case Start::kDisarmed:
        state_ = State::kDisarmed;
        break;
      case Start::kHolding:
        state_ = State::kHolding;
        break;
      case Start::kActive:
        state_ = State::kActive;
        break;
      case Start::kLatching:
      case Start::kLatchingLast:
        latching_ = true;
        [[fallthrough]];
      case Start::kBraking:
      case Start::kBrakingLast:
        state_ = State::kBraking;
        break;
      case Start::kLatched:
      case Start::kLatchedLately:
        state_ = State::kLatched;
    }
    robot_moves_ = moving();
    last_tick_ = start == Start::kBrakingLast || start == Start::kLatchingLast;
    was_latched_ = state_ == State::kLatched;
    cooled_ = start != Start::kLatchedLately;
  }

  [[nodiscard]] Result after(const Happening& h) {
    const bool pressed = h.pendant != Pendant::kClear;
    if (pressed || h.second_publisher) latch();
    const bool armed = moving() || state_ == State::kHolding;
    // No row begins beyond a limit.
    if (armed && h.feed == Feed::kOutside) cut();
    if (h.fault || (armed && h.late)) cut();
    // The operator is answered from what is known now.
    const bool still = !standing() || (h.feed != Feed::kMoving && !robot_moves_);
    const bool clear =
        !pressed && !h.second_publisher && !h.fault && h.feed != Feed::kStale && still;
    const bool outside = h.feed == Feed::kOutside;
    Result result{};
    // Where the robot stands is no matter of a reset.
    if (h.reset && was_latched_ && clear && cooled_) {
      state_ = State::kDisarmed;
      ++epoch_;
      result.was_reset = true;
    }
    if (h.arm && state_ == State::kDisarmed && clear && !outside) {
      state_ = State::kHolding;
      ++epoch_;
      result.armed = true;
    }
    if (h.arm_recovery && state_ == State::kDisarmed && clear && outside) {
      state_ = State::kHolding;
      ++epoch_;
      result.recovers = true;
    }
    // A chunk names the epoch before the tick.
    const bool heard = state_ == State::kHolding && h.feed != Feed::kStale && epoch_ == 0;
    if (h.sent == Sent::kGood && heard) state_ = State::kActive;
    if (state_ == State::kActive && h.feed == Feed::kStale) {
      state_ = State::kBraking;
      ++epoch_;
    }
    result.emit = moving() || (state_ == State::kHolding && h.feed != Feed::kStale);
    if (state_ == State::kBraking && last_tick_) {
      state_ = latching_ ? State::kLatched : State::kHolding;
    }
    result.state = state_;
    result.epoch = epoch_;
    return result;
  }

 private:
  [[nodiscard]] bool moving() const {
    return state_ == State::kActive || state_ == State::kBraking;
  }
  [[nodiscard]] bool standing() const {
    return state_ == State::kDisarmed || state_ == State::kLatched;
  }
  void latch() {
    if (state_ == State::kLatched || latching_) return;
    ++epoch_;
    if (moving()) {
      state_ = State::kBraking;
      latching_ = true;
    } else {
      state_ = State::kLatched;
    }
  }
  void cut() {
    if (state_ == State::kLatched) return;
    ++epoch_;
    state_ = State::kLatched;
  }

  State state_ = State::kDisarmed;
  bool latching_ = false;
  bool last_tick_ = false;
  bool robot_moves_ = false;
  bool was_latched_ = false;
  bool cooled_ = true;
  std::uint64_t epoch_ = 0;
};

// ---- the kernel

// A kernel in a state, two late ticks into a row of three, with a joint state of this very tick.
class Prepared {
 public:
  explicit Prepared(Start start) : motion_(duo::chunk(rows())), bad_(duo::chunk(rows())) {
    bad_->values[4] = std::nan("");
    bench.ticks(4);
    switch (start) {
      case Start::kDisarmed:
        break;
      case Start::kLatched:
        bench.inputs.second_publisher = true;
        bench.tick();
        break;
      case Start::kLatchedLately:
        bench.estop(true);
        bench.tick();
        bench.estop(false);
        bench.tick();
        break;
      default:
        bench.start();
        if (start == Start::kHolding) break;
        bench.play(*motion_, 17);
        if (start == Start::kActive) break;
        stop(start);
    }
    settle();
  }

  [[nodiscard]] Result after(const Happening& h) {
    Inputs& in = bench.inputs;
    in.arm = h.arm;
    in.arm_recovery = h.arm_recovery;
    in.reset = h.reset;
    in.second_publisher = h.second_publisher;
    in.fault = h.fault;
    in.lateness = h.late ? 6 * kMillisecond : 0;
    if (h.pendant == Pendant::kPressed) bench.estop(true);
    if (h.pendant == Pendant::kLost) in.estop_lost = true;
    bench.driver_silent = true;
    if (h.feed == Feed::kStale) {
      bench.now += 50 * kMillisecond;
    } else {
      JointState state = bench.measured;
      if (h.feed == Feed::kOutside) state.position[1] = 1.02;
      if (h.feed == Feed::kMoving) state.velocity[1] = 0.05;
      state.stamp = bench.now + kTick + bench.clock_offset;
      state.received = bench.now + kTick;
      (void)in.joint_states.push(state);
    }
    Chunk* const chunk = h.sent == Sent::kGood ? motion_.get() : bad_.get();
    if (h.sent != Sent::kNothing) {
      bench.stamp(*chunk);
      in.chunk = chunk;
    }
    const std::uint64_t before = bench.epoch();
    const Output& output = bench.tick();
    return {bench.state(),      bench.epoch() - before,      output.emit,
            output.arm.success, output.arm_recovery.success, output.reset.success};
  }

  duo::Bench bench;

 private:
  [[nodiscard]] static duo::Rows rows() { return duo::shoulder_rows(duo::trapezoid(3, 44)); }

  // At 0.6 rad/s a stop takes twelve ticks.
  void stop(Start start) {
    const bool latching = start == Start::kLatching || start == Start::kLatchingLast;
    if (latching) bench.inputs.second_publisher = true;
    while (bench.state() == State::kActive) bench.tick();
    const bool last = start == Start::kBrakingLast || start == Start::kLatchingLast;
    // The first tick of the stop is over, two more follow in settle().
    bench.ticks(last ? 8 : 4);
  }
  void settle() {
    for (int i = 0; i < 2; ++i) {
      bench.inputs.lateness = 6 * kMillisecond;
      bench.tick();
    }
  }

  std::unique_ptr<Chunk> motion_;
  std::unique_ptr<Chunk> bad_;
};

std::string text(Start start, const Happening& h) {
  return "start " + std::to_string(static_cast<int>(start)) + " arm " + std::to_string(h.arm) +
         " recovery " + std::to_string(h.arm_recovery) + " reset " + std::to_string(h.reset) +
         " second " + std::to_string(h.second_publisher) + " fault " + std::to_string(h.fault) +
         " late " + std::to_string(h.late) + " pendant " +
         std::to_string(static_cast<int>(h.pendant)) + " feed " +
         std::to_string(static_cast<int>(h.feed)) + " sent " +
         std::to_string(static_cast<int>(h.sent));
}

std::string text(const Result& r) {
  return std::string(state_name(r.state)) + " epoch +" + std::to_string(r.epoch) +
         (r.emit ? " emits" : " silent") + (r.armed ? " armed" : "") +
         (r.recovers ? " recovers" : "") + (r.was_reset ? " reset" : "");
}

TEST(KernelTransitions, EveryStateWithEveryCombinationOfEventsAndGuardsIsAsTheModelSays) {
  int transitions = 0;
  std::set<std::pair<Start, State>> edges;
  for (const Start start : kStarts) {
    for (int bits = 0; bits < 64; ++bits) {
      for (const Pendant pendant : {Pendant::kClear, Pendant::kPressed, Pendant::kLost}) {
        for (const Feed feed : {Feed::kFresh, Feed::kStale, Feed::kOutside, Feed::kMoving}) {
          for (const Sent sent : {Sent::kNothing, Sent::kGood, Sent::kBad}) {
            const auto bit = [bits](int number) { return (bits >> number & 1) != 0; };
            const Happening h{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), pendant, feed, sent};
            Prepared prepared(start);
            const Result got = prepared.after(h);
            const Result expected = Model(start).after(h);
            ASSERT_TRUE(expected == got)
                << text(start, h) << ": expected " << text(expected) << ", got " << text(got);
            edges.insert({start, got.state});
            ++transitions;
          }
        }
      }
    }
  }
  EXPECT_EQ(9 * 64 * 3 * 4 * 3, transitions);
  // Disarmed 3: itself, holding, latched. Holding 3: itself, active, latched. Active 3: itself,
  // braking, latched. Braking 2: itself, latched; in its last tick 2: holding, latched. Braking to
  // a latch 2 and 1. Latched 3: itself, disarmed, holding by reset and arm at once; lately 1.
  EXPECT_EQ(20u, edges.size());
  std::printf("kernel_transitions: %d transitions from %zu states, %zu edges\n", transitions,
              std::size(kStarts), edges.size());
}

}  // namespace
}  // namespace openral::safety
