#include "state_machine.hpp"

namespace openral::safety {

Machine after(const Machine& machine, Event event) {
  const auto to = [&](State state, bool latch_at_rest = false) {
    return Machine{state, latch_at_rest, machine.epoch};
  };
  const auto to_next_epoch = [&](State state, bool latch_at_rest = false) {
    return Machine{state, latch_at_rest, machine.epoch + 1};
  };
  switch (event) {
    case Event::kArm:
      return machine.state == State::kDisarmed ? to_next_epoch(State::kHolding) : machine;
    case Event::kReset:
      return machine.state == State::kLatched ? to_next_epoch(State::kDisarmed) : machine;
    case Event::kAdmit:
      return machine.state == State::kHolding ? to(State::kActive) : machine;
    case Event::kModeChange:
      return machine.state == State::kHolding ? to_next_epoch(State::kHolding) : machine;
    case Event::kFinish:
      return machine.state == State::kActive ? to(State::kHolding) : machine;
    case Event::kStop:
      return machine.state == State::kActive || machine.state == State::kHolding
                 ? to_next_epoch(State::kBraking)
                 : machine;
    case Event::kLatch:
      switch (machine.state) {
        case State::kActive:
          return to_next_epoch(State::kBraking, true);
        case State::kBraking:
          return machine.latch_at_rest ? machine : to_next_epoch(State::kBraking, true);
        case State::kDisarmed:
        case State::kHolding:
          return to_next_epoch(State::kLatched);
        case State::kLatched:
          return machine;
      }
      return machine;
    case Event::kLatchAtOnce:
      return machine.state == State::kLatched ? machine : to_next_epoch(State::kLatched);
    case Event::kRest:
      if (machine.state != State::kBraking) return machine;
      return to(machine.latch_at_rest ? State::kLatched : State::kHolding);
    case Event::kDisarm:
      return machine.state == State::kHolding ? to_next_epoch(State::kDisarmed) : machine;
  }
  return machine;
}

std::string_view state_name(State state) {
  switch (state) {
    case State::kDisarmed:
      return "DISARMED";
    case State::kHolding:
      return "HOLDING";
    case State::kActive:
      return "ACTIVE";
    case State::kBraking:
      return "BRAKING";
    case State::kLatched:
      return "LATCHED";
  }
  return "UNKNOWN";
}

}  // namespace openral::safety
