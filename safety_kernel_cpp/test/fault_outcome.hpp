// What a fault is, and what it may come to.
#pragma once

#include <functional>
#include <string>

#include "fault_rig.hpp"

namespace openral::safety::duo {

enum class Outcome {
  kHarmless,   // the same commands and states as without the fault
  kAdmitted,   // here the chunk is a good one
  kRefused,    // the chunk, with the reason; the same commands as without it
  kStopped,    // braked to rest, then held
  kLatched,    // braked to rest if it moved, then latched
  kCut,        // latched at once, without another command
  kSilent,     // held, without commands
  kUnarmable,  // arming is refused
  kArmed,      // armed where it stands
  kAnswered,   // the operator's request is refused, and changes nothing
};

struct Expect {
  Outcome outcome = Outcome::kHarmless;
  Reason reason = Reason::kNone;
  int within = 1;  // ticks
};

struct Fault {
  std::string name;
  Tampering tampering;
  std::function<Expect(Phase, ControlMode)> expect;
};

inline bool moving(Phase phase) { return phase == Phase::kSteady || phase == Phase::kSplice; }
inline bool drives(ControlMode mode) { return mode == ControlMode::kBodyTwist; }

// Refused for `reason` where a chunk may be admitted at all.
inline std::function<Expect(Phase, ControlMode)> refused(
    const std::function<Expect(Phase, ControlMode)>& where) {
  return [where](Phase phase, ControlMode mode) -> Expect {
    if (phase == Phase::kBoot) return {Outcome::kRefused, Reason::kNotArmed};
    if (phase == Phase::kBraking) return {Outcome::kRefused, Reason::kStopping};
    return where(phase, mode);
  };
}
inline std::function<Expect(Phase, ControlMode)> refused(Reason reason) {
  return refused([reason](Phase, ControlMode) { return Expect{Outcome::kRefused, reason}; });
}
// One reason a mode, in the order of kPlayedModes; kNone where that chunk is a good one.
inline std::function<Expect(Phase, ControlMode)> refused(Reason position, Reason velocity,
                                                         Reason gripper, Reason twist) {
  return refused([=](Phase, ControlMode mode) {
    const Reason reason = mode == ControlMode::kJointPosition     ? position
                          : mode == ControlMode::kJointVelocity   ? velocity
                          : mode == ControlMode::kGripperPosition ? gripper
                                                                  : twist;
    return Expect{reason == Reason::kNone ? Outcome::kAdmitted : Outcome::kRefused, reason};
  });
}
inline std::function<Expect(Phase, ControlMode)> latched(Reason reason, int within = 1) {
  return [=](Phase, ControlMode) { return Expect{Outcome::kLatched, reason, within}; };
}
inline std::function<Expect(Phase, ControlMode)> harmless() {
  return [](Phase, ControlMode) { return Expect{}; };
}
// A joint state that is none, for good.
inline std::function<Expect(Phase, ControlMode)> blind() {
  return [](Phase phase, ControlMode) -> Expect {
    if (phase == Phase::kBoot) return {Outcome::kUnarmable, Reason::kJointStateStale, 20};
    if (phase == Phase::kIdle) return {Outcome::kSilent, Reason::kJointStateStale, 12};
    if (phase == Phase::kBraking) return {Outcome::kSilent, Reason::kJointStateStale, 45};
    return {Outcome::kStopped, Reason::kJointStateStale, 12};
  };
}

}  // namespace openral::safety::duo
