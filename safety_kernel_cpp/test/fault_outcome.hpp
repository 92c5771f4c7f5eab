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
  kTakenOver,  // a stop of the tool goes on as one of the measured joints, then held
  kLatched,    // braked to rest if it moved, then latched
  kCut,        // latched at once, without another command
  kSilent,     // held, without commands
  kUnarmable,  // arming is refused
  kArmed,      // armed where it stands
  kAnswered,   // the operator's request is refused, and changes nothing
};
inline constexpr std::size_t kOutcomes = 11;

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

// Refused for `reason` where a chunk may be admitted at all; kNone where that chunk is a good one.
inline std::function<Expect(Phase, ControlMode)> refused(
    const std::function<Reason(Phase, ControlMode)>& reason) {
  return [reason](Phase phase, ControlMode mode) -> Expect {
    if (phase == Phase::kBoot) return {Outcome::kRefused, Reason::kNotArmed};
    if (phase == Phase::kBraking) return {Outcome::kRefused, Reason::kStopping};
    const Reason found = reason(phase, mode);
    return {found == Reason::kNone ? Outcome::kAdmitted : Outcome::kRefused, found};
  };
}
inline std::function<Expect(Phase, ControlMode)> refused(Reason reason) {
  return refused([reason](Phase, ControlMode) { return reason; });
}
inline std::function<Expect(Phase, ControlMode)> refused_in_motion(Reason reason) {
  return refused(
      [reason](Phase phase, ControlMode) { return moving(phase) ? reason : Reason::kNone; });
}
// One reason for all Cartesian modes, one for each of the others.
inline std::function<Expect(Phase, ControlMode)> refused(Reason position, Reason velocity,
                                                         Reason torque, Reason tool, Reason gripper,
                                                         Reason base) {
  return refused([=](Phase, ControlMode mode) {
    switch (mode) {
      case ControlMode::kJointPosition:
        return position;
      case ControlMode::kJointVelocity:
        return velocity;
      case ControlMode::kJointTorque:
        return torque;
      case ControlMode::kGripperPosition:
        return gripper;
      case ControlMode::kBodyTwist:
        return base;
      default:
        return tool;
    }
  });
}
inline std::function<Expect(Phase, ControlMode)> latched(Reason reason, int within = 1) {
  return [=](Phase, ControlMode) { return Expect{Outcome::kLatched, reason, within}; };
}
inline std::function<Expect(Phase, ControlMode)> harmless() {
  return [](Phase, ControlMode) { return Expect{}; };
}
// A joint state that is none, for good. Torques say nothing of where the joints are: without a
// measurement there is no place to stop at.
inline std::function<Expect(Phase, ControlMode)> blind() {
  return [](Phase phase, ControlMode mode) -> Expect {
    if (phase == Phase::kBoot) return {Outcome::kUnarmable, Reason::kJointStateStale, 20};
    if (phase == Phase::kIdle) return {Outcome::kSilent, Reason::kJointStateStale, 12};
    if (phase == Phase::kBraking) return {Outcome::kSilent, Reason::kJointStateStale, 45};
    return {pushes(mode) ? Outcome::kCut : Outcome::kStopped, Reason::kJointStateStale, 12};
  };
}

}  // namespace openral::safety::duo
