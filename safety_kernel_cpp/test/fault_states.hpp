// The faults of the measured state in the fault matrix.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fault_outcome.hpp"

namespace openral::safety::duo {

inline std::vector<Fault> state_faults() {
  using Rig = FaultRig&;
  const auto from_now_on = [](std::function<void(FaultRig&, Inputs&, int)> inputs) {
    return Tampering{FaultRig::kAfter, std::move(inputs), nullptr};
  };
  const auto measured_limit = [](Reason reason) {
    return [reason](Phase phase, ControlMode mode) -> Expect {
      if (phase == Phase::kBoot) return {Outcome::kUnarmable, reason, 20};
      // A base beside it brakes; no row of joints begins beyond a limit.
      const bool brakes = phase == Phase::kIdle || drives(mode);
      return {brakes ? Outcome::kLatched : Outcome::kCut, reason, 3};
    };
  };
  // What the joints do is watched by measurement where they are not commanded.
  const auto measured_motion = [](Reason torque, Reason tool, Outcome in_a_stop_of_the_tool) {
    return [=](Phase phase, ControlMode mode) -> Expect {
      if (phase == Phase::kBoot) return {Outcome::kUnarmable, Reason::kNotAtRest, 20};
      if (phase == Phase::kIdle) return {};
      if (phase == Phase::kBraking) {
        // Nobody commanded the arm while the base drove: it is held again once it rests.
        if (drives(mode)) return {Outcome::kSilent, Reason::kNotAtRest, 45};
        if (!leads_the_tool(mode) || in_a_stop_of_the_tool == Outcome::kHarmless) return {};
        return {in_a_stop_of_the_tool, tool, 3};
      }
      const Reason found = pushes(mode) ? torque : leads_the_tool(mode) ? tool : Reason::kNone;
      return {found == Reason::kNone ? Outcome::kHarmless : Outcome::kStopped, found, 3};
    };
  };
  return {
      {"nan_in_the_joint_state", from_now_on([](Rig rig, Inputs&, int) {
         rig.measured.velocity[1] = std::nan("");
         rig.follows = false;
       }),
       blind()},
      {"infinity_in_the_joint_state", from_now_on([](Rig rig, Inputs&, int) {
         rig.measured.position[2] = std::numeric_limits<double>::infinity();
         rig.follows = false;
       }),
       blind()},
      {"partial_joint_state",
       from_now_on([](Rig rig, Inputs&, int) { rig.measured.complete = false; }), blind()},
      {"driver_silent", from_now_on([](Rig rig, Inputs&, int) { rig.driver = false; }), blind()},
      {"driver_frozen", from_now_on([](Rig rig, Inputs&, int) { rig.driver_frozen = true; }),
       blind()},
      {"outside_a_position", from_now_on([](Rig rig, Inputs&, int) {
         rig.measured.position[1] = 1.02;
         rig.follows = false;
       }),
       measured_limit(Reason::kStatePositionLimit)},
      {"faster_than_any_command", from_now_on([](Rig rig, Inputs&, int) {
         rig.measured.velocity[0] = 3.1;
         rig.follows = false;
       }),
       measured_limit(Reason::kStateVelocityLimit)},
      {"moved_by_hand", from_now_on([](Rig rig, Inputs&, int since) {
         if (since == 0) rig.measured.position[1] += 0.3;
         rig.measured.velocity = {};
         rig.follows = false;
       }),
       [](Phase phase, ControlMode mode) -> Expect {
         if (phase == Phase::kBoot) return {Outcome::kArmed};
         if (phase == Phase::kIdle) return {Outcome::kCut, Reason::kTrackingError, 5};
         // While a stop runs, it ends where it was planned to; the hold that follows notices.
         if (phase == Phase::kBraking) return {Outcome::kCut, Reason::kTrackingError, 45};
         // A base drives on beside an arm that somebody moves, and torques name no place.
         if (drives(mode) || pushes(mode)) return {};
         return {Outcome::kStopped, Reason::kTrackingError, 5};
       }},
      {"a_robot_that_moves_by_itself", from_now_on([](Rig rig, Inputs&, int since) {
         if (rig.phase() != Phase::kBoot || since > 30) return;
         rig.measured.velocity[0] = 0.05;
       }),
       [](Phase phase, ControlMode) -> Expect {
         if (phase == Phase::kBoot) return {Outcome::kUnarmable, Reason::kNotAtRest, 20};
         return {};
       }},
      // Beside what it is commanded: an elbow at 0.55 rad/s of 0.5. Where the joints are commanded
      // a measurement may be three times its limit.
      {"a_joint_that_races", from_now_on([](Rig rig, Inputs&, int) { rig.push[1] = 0.55; }),
       measured_motion(Reason::kMeasuredVelocity, Reason::kMeasuredVelocity, Outcome::kTakenOver)},
      // 0.55 rad/s of the shoulder and 0.3 of the elbow: the tool at 1.34 m/s of 1.2, a tenth more
      // allowed to a servo that follows a pose. A stop of the tool has slowed down by then.
      {"a_tool_pushed_along", from_now_on([](Rig rig, Inputs&, int) {
         rig.push[0] = 0.15;
         rig.push[1] = 0.3;
       }),
       measured_motion(Reason::kToolSpeed, Reason::kToolSpeed, Outcome::kHarmless)},
      // 8 N m at 0.6 rad/s: 4.8 W of 4.6; the tool at 1.15 m/s.
      {"a_push_beyond_the_power", from_now_on([](Rig rig, Inputs&, int) { rig.push[0] = 0.2; }),
       measured_motion(Reason::kPower, Reason::kNone, Outcome::kHarmless)},
      // At 0.9885 rad with 0.3 rad/s: 12 ticks of the stop, two of delay and the measurement's age
      // end beyond 1 rad, the stop alone at 0.997.
      {"a_joint_without_room_to_stop", from_now_on([](Rig rig, Inputs&, int since) {
         if (since == 0) rig.measured.position[1] = 0.9885;
         rig.measured.velocity = {0, 0.3};
         rig.follows = false;
       }),
       [](Phase phase, ControlMode mode) -> Expect {
         if (phase == Phase::kBoot) return {Outcome::kUnarmable, Reason::kNotAtRest, 20};
         if (phase == Phase::kIdle) return {Outcome::kCut, Reason::kTrackingError, 5};
         if (phase == Phase::kBraking && leads_the_tool(mode)) {
           return {Outcome::kTakenOver, Reason::kMeasuredViability, 3};
         }
         if (phase == Phase::kBraking) return {Outcome::kCut, Reason::kTrackingError, 45};
         if (drives(mode)) return {};
         if (leads_the_tool(mode) || pushes(mode)) {
           return {Outcome::kStopped, Reason::kMeasuredViability, 3};
         }
         return {Outcome::kStopped, Reason::kTrackingError, 5};
       }},
      // 50 N of 40, until the kernel has told the gripper to stay where it is.
      {"a_grip_too_hard", from_now_on([](Rig rig, Inputs&, int) {
         rig.measured.effort[2] = rig.status().stops > rig.stops_before ? 0 : 50;
       }),
       [](Phase phase, ControlMode) -> Expect {
         // Armed after 20 ticks, as nothing that it does forbids it.
         if (phase == Phase::kBoot) return {Outcome::kLatched, Reason::kGripperForce, 24};
         if (phase == Phase::kIdle) return {Outcome::kLatched, Reason::kGripperForce, 5};
         // A stop is not watched; the hold that follows is.
         if (phase == Phase::kBraking) return {Outcome::kLatched, Reason::kGripperForce, 45};
         return {Outcome::kStopped, Reason::kGripperForce, 5};
       }},
  };
}

}  // namespace openral::safety::duo
