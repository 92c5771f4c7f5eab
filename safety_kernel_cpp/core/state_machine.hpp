// States, epoch and the events that change them, as one pure function.
#pragma once

#include <cstdint>
#include <string_view>

namespace openral::safety {

// Equal to the constants of openral_msgs/KernelStatus.
enum class State : std::uint8_t {
  kDisarmed = 0,
  kHolding = 1,
  kActive = 2,
  kBraking = 3,
  kLatched = 4,
};

enum class Event : std::uint8_t {
  kArm,          // by the operator, every precondition met
  kReset,        // by the operator, every precondition met
  kAdmit,        // a chunk was admitted
  kModeChange,   // the chunk admitted has another mode than the one before
  kFinish,       // the timeline ended at rest
  kStop,         // brake, then hold
  kLatch,        // brake, then latch
  kLatchAtOnce,  // emit nothing more: the robot's lease stops it
  kRest,         // the brake has come to rest
  kDisarm,       // a recovery is over
};

struct Machine {
  State state = State::kDisarmed;
  bool latch_at_rest = false;  // only while braking
  std::uint64_t epoch = 0;

  [[nodiscard]] bool operator==(const Machine& other) const {
    return state == other.state && latch_at_rest == other.latch_at_rest && epoch == other.epoch;
  }
};

// An event that a state does not know leaves the machine as it is.
[[nodiscard]] Machine after(const Machine& machine, Event event);

[[nodiscard]] constexpr bool is_armed(State state) {
  return state == State::kHolding || state == State::kActive || state == State::kBraking;
}

[[nodiscard]] std::string_view state_name(State state);

}  // namespace openral::safety
