// The faults of the fault matrix and what each must come to, per phase and mode.
#pragma once

#include <limits>
#include <string>
#include <vector>

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

// A chunk whose rows are these from where the robot is commanded to be: steps of the shoulder, of
// the finger, or of the base's speed; speeds of the shoulder in velocity mode.
inline void set_rows(FaultRig& rig, Chunk& chunk, const std::vector<double>& position,
                     const std::vector<double>& velocity, const std::vector<double>& finger,
                     const std::vector<double>& twist) {
  const JointArray& at = rig.status().commanded;
  const JointArray& speed = rig.seen_twist();
  chunk.value_count = 0;
  const auto push = [&](double value) { chunk.values[chunk.value_count++] = value; };
  const auto rows = [&](std::size_t count) { chunk.horizon = count; };
  switch (rig.mode()) {
    case ControlMode::kJointVelocity:
      for (const double v : velocity) push(v), push(0), push(0);
      rows(velocity.size());
      return;
    case ControlMode::kGripperPosition:
      for (const double step : finger) push(at[2] + step);
      rows(finger.size());
      return;
    case ControlMode::kBodyTwist:
      for (const double change : twist) push(speed[0] + change), push(0), push(0);
      rows(twist.size());
      return;
    default:
      for (const double step : position) push(at[0] + step), push(at[1]), push(at[2]);
      rows(position.size());
  }
}

// New rows make a new motion: of the same timeline they would have to lie on the old one.
inline void begin_anew(FaultRig& rig, Chunk& chunk) {
  if (moving(rig.phase())) chunk.timeline = rig.status().timeline + 1;
}

inline std::vector<Fault> chunk_faults() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  using Rig = FaultRig&;
  const auto chunk = [](std::function<void(FaultRig&, Chunk&)> spoil) {
    Tampering tampering;
    tampering.chunk = std::move(spoil);
    return tampering;
  };
  const auto in_motion = [](Reason reason) {
    return refused([reason](Phase phase, ControlMode) {
      return phase == Phase::kIdle ? Expect{Outcome::kAdmitted} : Expect{Outcome::kRefused, reason};
    });
  };
  // Alone on its timeline, so that no earlier check than the one in question meets it.
  const auto rows = [chunk](std::vector<double> position, std::vector<double> velocity,
                            std::vector<double> finger, std::vector<double> twist) {
    return chunk([=](Rig rig, Chunk& c) {
      set_rows(rig, c, position, velocity, finger, twist);
      begin_anew(rig, c);
      c.last = false;
    });
  };
  // Speed at which the splice finds the robot, as steps of a row; nothing where it stands.
  std::vector<Fault> faults = {
      {"nan_in_the_command", chunk([=](Rig, Chunk& c) { c.values[c.value_count / 2] = nan; }),
       refused(Reason::kNotFinite)},
      {"infinity_in_the_command",
       chunk([=](Rig, Chunk& c) { c.values[c.value_count - 1] = infinity; }),
       refused(Reason::kNotFinite)},
      {"a_value_too_few", chunk([](Rig, Chunk& c) { --c.value_count; }),
       refused(Reason::kValueCount)},
      {"a_row_too_many", chunk([](Rig, Chunk& c) { ++c.horizon; }), refused(Reason::kValueCount)},
      {"swapped_joints", chunk([](Rig, Chunk& c) {
         std::swap(c.joint_names[0], c.joint_names[1]);
         if (c.name_count == 0) c.name_count = 3;
       }),
       refused(Reason::kJointNames)},
      {"a_joint_named_twice", chunk([](Rig, Chunk& c) {
         c.joint_names[c.name_count] = c.joint_names[0];
         ++c.name_count;
       }),
       refused(Reason::kJointNames)},
      {"an_unknown_joint", chunk([](Rig, Chunk& c) {
         c.joint_names[0].assign("hip");
         c.name_count = std::max<std::uint64_t>(1, c.name_count);
       }),
       refused(Reason::kJointNames)},
      {"an_old_epoch", chunk([](Rig, Chunk& c) { --c.epoch; }), refused(Reason::kEpochMismatch)},
      {"an_epoch_to_come", chunk([](Rig, Chunk& c) { ++c.epoch; }),
       refused(Reason::kEpochMismatch)},
      {"a_chunk_sent_twice", chunk([](Rig rig, Chunk& c) {
         c.timeline = rig.status().timeline;
         c.sequence = rig.last_sequence();
       }),
       in_motion(Reason::kSequenceReplay)},
      {"an_old_timeline", chunk([](Rig, Chunk& c) { c.timeline = 0; }),
       in_motion(Reason::kTimelineReplay)},
      {"another_robot", chunk([](Rig, Chunk& c) { c.robot.assign("trio"); }),
       refused(Reason::kRobotMismatch)},
      {"a_skill_that_is_not_allowed", chunk([](Rig, Chunk& c) { c.skill_id.assign("wave"); }),
       refused(Reason::kSkillRefused)},
      {"an_unknown_mode", chunk([](Rig, Chunk& c) { c.control_mode = 200; }),
       refused(Reason::kModeUnknown)},
      {"a_mode_that_is_not_enabled", chunk([](Rig, Chunk& c) { c.control_mode = 3; }),
       refused(Reason::kModeDisabled)},
      {"another_mode_in_motion", chunk([](Rig rig, Chunk& c) {
         const bool arm = !drives(rig.mode());
         c.control_mode = arm ? 7 : 1;
         c.timeline = rig.status().timeline + 1;
         c.horizon = 1;
         c.last = true;
         c.name_count = arm ? 0 : 3;
         c.joint_names[0].assign("shoulder");
         c.value_count = 3;
         const JointArray& at = rig.status().commanded;
         for (std::size_t i = 0; i < 3; ++i) c.values[i] = arm ? 0 : at[i];
       }),
       in_motion(Reason::kModeChangeInMotion)},
      {"no_rows", chunk([](Rig, Chunk& c) { c.horizon = c.value_count = 0; }),
       refused(Reason::kHorizon)},
      {"rows_beyond_any_capacity", chunk([](Rig, Chunk& c) { c.horizon = 1ULL << 62; }),
       refused(Reason::kHorizon)},
      {"rows_without_time", chunk([](Rig, Chunk& c) { c.dt = 0; }), refused(Reason::kDt)},
      {"nan_between_rows", chunk([=](Rig, Chunk& c) { c.dt = nan; }), refused(Reason::kDt)},
      {"a_motion_from_its_middle", chunk([](Rig, Chunk& c) { c.first_row = 30; }),
       refused([](Phase phase, ControlMode mode) {
         const bool gap = phase == Phase::kSteady && !drives(mode);
         return Expect{Outcome::kRefused, gap ? Reason::kWindowGap : Reason::kFirstRow};
       })},
      {"beyond_a_position", rows({2.5}, std::vector<double>(240, -0.4), {0.05}, {0.6}),
       refused(Reason::kPositionLimit, Reason::kViability, Reason::kPositionLimit,
               Reason::kBaseSpeed)},
      {"beyond_a_speed", rows({0, 0.03}, {1.1}, {0, 0.003}, {1}),
       refused(Reason::kVelocityLimit, Reason::kVelocityLimit, Reason::kVelocityLimit,
               Reason::kBaseSpeed)},
      {"beyond_an_acceleration", rows({0, 0, 0.008}, {0, 0.4, 0.4}, {0, 0.0001, 0.0015}, {0.05}),
       refused(Reason::kAccelerationLimit, Reason::kAccelerationLimit, Reason::kAccelerationLimit,
               Reason::kBaseAcceleration)},
      {"beyond_a_jerk",
       rows({0, 0.004, 0.012, 0.016}, {0.2, 0.4, 0.2, 0.2}, {0, 0.0008, 0.0024, 0.0032}, {0, 0}),
       refused(Reason::kJerkLimit, Reason::kJerkLimit, Reason::kJerkLimit, Reason::kNone)},
      {"from_another_place", chunk([](Rig rig, Chunk& c) {
         set_rows(rig, c, {0.3, 0.3}, {-0.55, -0.55}, {0.02, 0.02}, {0.3, 0.3});
         begin_anew(rig, c);
         c.last = false;
       }),
       refused(Reason::kSplicePosition, Reason::kSpliceAcceleration, Reason::kSplicePosition,
               Reason::kBaseAcceleration)},
      {"ends_in_motion", chunk([](Rig rig, Chunk& c) {
         set_rows(rig, c, {0, 0.004, 0.012, 0.02, 0.028}, {0.4, 0.4}, {0, 0.0018, 0.0036},
                  {0.01, 0.02});
         begin_anew(rig, c);
         c.last = true;
       }),
       refused(Reason::kEndNotAtRest, Reason::kEndNotAtRest, Reason::kEndNotAtRest,
               Reason::kEndNotAtRest)},
      {"a_tool_too_fast",
       rows({0, 0.004, 0.012, 0.024, 0.04}, {0.2, 0.4, 0.6, 0.8, 0.8}, {0, 0.0005}, {0}),
       refused(Reason::kToolSpeed, Reason::kToolSpeed, Reason::kNone, Reason::kNone)},
      {"out_of_the_workspace", chunk([](Rig rig, Chunk& c) {
         std::vector<double> steps = {0, 0.004, 0.012};
         while (steps.size() < 180) steps.push_back(steps.back() + 0.01);
         set_rows(rig, c, steps, std::vector<double>(200, 0.4), {0, 0.0005}, {0});
         begin_anew(rig, c);
         c.last = false;
       }),
       refused(Reason::kWorkspace, Reason::kWorkspace, Reason::kNone, Reason::kNone)},
      {"a_chunk_that_lay_about",
       chunk([](Rig rig, Chunk& c) { c.received = rig.now() - 200 * kMillisecond; }),
       refused(Reason::kChunkStale)},
      {"an_old_observation",
       chunk([](Rig, Chunk& c) { c.observation_stamp -= 130 * kMillisecond; }),
       refused(Reason::kObservationStale)},
      {"an_observation_to_come",
       chunk([](Rig, Chunk& c) { c.observation_stamp += 40 * kMillisecond; }),
       refused(Reason::kObservationFuture)},
      {"an_observation_from_nowhere",
       chunk([](Rig, Chunk& c) { c.observation_stamp = std::numeric_limits<Nanoseconds>::min(); }),
       refused(Reason::kObservationStale)},
  };
  return faults;
}

inline std::vector<Fault> runner_faults() {
  using Rig = FaultRig&;
  const auto stopped_in_motion = [](Reason reason, int within) {
    return [=](Phase phase, ControlMode) {
      return moving(phase) ? Expect{Outcome::kStopped, reason, within} : Expect{};
    };
  };
  Tampering dead;
  dead.inputs = [](Rig rig, Inputs&, int) { rig.runs_ = false; };
  Tampering frozen;
  frozen.inputs = [](Rig rig, Inputs&, int) { rig.observation_frozen = true; };
  Tampering flood;
  flood.duration = FaultRig::kAfter;
  flood.inputs = [](Rig rig, Inputs& inputs, int) {
    if (inputs.chunk == nullptr && rig.runs_) inputs.chunk = rig.flood_chunk();
  };
  return {
      {"runner_dead", dead, stopped_in_motion(Reason::kChunkStale, 18)},
      {"observation_stands_still", frozen, stopped_in_motion(Reason::kObservationFrozen, 11)},
      {"flood_of_chunks", flood, harmless()},
  };
}

inline std::vector<Fault> state_faults() {
  using Rig = FaultRig&;
  const auto from_now_on = [](std::function<void(FaultRig&, Inputs&, int)> inputs) {
    return Tampering{FaultRig::kAfter, std::move(inputs), nullptr};
  };
  const auto measured_limit = [](Reason reason) {
    return [reason](Phase phase, ControlMode) -> Expect {
      if (phase == Phase::kBoot) return {Outcome::kUnarmable, reason, 20};
      return {Outcome::kLatched, reason, 3};
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
         // A base drives on beside an arm that somebody moves.
         if (!moving(phase) || drives(mode)) return {};
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
  };
}

inline std::vector<Fault> clock_faults() {
  using Rig = FaultRig&;
  const auto jump = [](Nanoseconds by) {
    Tampering tampering;
    tampering.inputs = [by](Rig rig, Inputs&, int) { rig.clock_offset += by; };
    return tampering;
  };
  const auto late = [](int ticks, Nanoseconds by) {
    return Tampering{ticks, [by](Rig, Inputs& inputs, int) { inputs.lateness = by; }, nullptr};
  };
  const auto lost = [](int ticks) {
    Tampering tampering;
    tampering.inputs = [ticks](Rig rig, Inputs& inputs, int) {
      rig.lose_ticks(ticks);
      inputs.lateness = ticks * kTick;
    };
    return tampering;
  };
  const auto cut = [](Phase phase, ControlMode) -> Expect {
    if (phase == Phase::kBoot) return {};
    return {Outcome::kCut, Reason::kLateTicks, 1};
  };
  return {
      {"clock_an_hour_ahead", jump(3'600'000 * kMillisecond), harmless()},
      {"clock_an_hour_back", jump(-3'600'000 * kMillisecond), harmless()},
      {"two_late_ticks", late(2, 6 * kMillisecond), harmless()},
      {"three_ticks_almost_late", late(3, 5 * kMillisecond), harmless()},
      {"three_late_ticks", late(3, 6 * kMillisecond),
       [](Phase phase, ControlMode) -> Expect {
         if (phase == Phase::kBoot) return {};
         return {Outcome::kCut, Reason::kLateTicks, 3};
       }},
      {"three_ticks_lost", lost(3), harmless()},
      {"four_ticks_lost", lost(4), cut},
  };
}

inline std::vector<Fault> authority_faults() {
  using Rig = FaultRig&;
  const auto once = [](std::function<void(FaultRig&, Inputs&, int)> inputs) {
    return Tampering{1, std::move(inputs), nullptr};
  };
  const auto from_now_on = [](std::function<void(FaultRig&, Inputs&, int)> inputs) {
    return Tampering{FaultRig::kAfter, std::move(inputs), nullptr};
  };
  const auto near = [](Phase phase, ControlMode mode) -> Expect {
    // Neither a finger nor a hold is fast.
    if (!moving(phase) || mode == ControlMode::kGripperPosition) return {};
    return {Outcome::kStopped, Reason::kSeparation, 25};
  };
  return {
      {"estop_pressed",
       from_now_on([](Rig rig, Inputs& inputs, int) { rig.assert_estop(inputs, true); }),
       latched(Reason::kEstop)},
      {"estop_pressed_and_let_go_in_one_tick", once([](Rig rig, Inputs& inputs, int) {
         rig.assert_estop(inputs, true);
         rig.assert_estop(inputs, false);
       }),
       latched(Reason::kEstop)},
      {"estop_unplugged", from_now_on([](Rig rig, Inputs&, int) { rig.pendant = false; }),
       latched(Reason::kEstopSilent, 102)},
      {"estop_message_lost", once([](Rig, Inputs& inputs, int) { inputs.estop_lost = true; }),
       latched(Reason::kEstop)},
      {"estop_sources_beyond_count", once([](Rig rig, Inputs& inputs, int) {
         for (int i = 0; i < 16; ++i) rig.assert_estop(inputs, false, std::to_string(i));
       }),
       latched(Reason::kEstopOverflow)},
      {"second_publisher", once([](Rig, Inputs& inputs, int) { inputs.second_publisher = true; }),
       latched(Reason::kSecondPublisher)},
      {"internal_fault", once([](Rig, Inputs& inputs, int) { inputs.fault = true; }),
       [](Phase, ControlMode) { return Expect{Outcome::kCut, Reason::kInternalFault, 1}; }},
      {"people_near", from_now_on([](Rig rig, Inputs&, int) { rig.distance = 0.4; }), near},
      {"distance_lost", from_now_on([](Rig rig, Inputs&, int) { rig.ranger = false; }), near},
      {"distance_is_no_number",
       from_now_on([](Rig rig, Inputs&, int) { rig.distance = std::nan(""); }), near},
      {"armed_twice", once([](Rig, Inputs& inputs, int) { inputs.arm = true; }),
       [](Phase phase, ControlMode) -> Expect {
         if (phase == Phase::kBoot) return {Outcome::kArmed};
         return {Outcome::kAnswered, Reason::kAlreadyArmed};
       }},
      {"reset_without_a_latch", once([](Rig, Inputs& inputs, int) { inputs.reset = true; }),
       [](Phase, ControlMode) { return Expect{Outcome::kAnswered, Reason::kNotLatched}; }},
      {"reset_while_pressed", from_now_on([](Rig rig, Inputs& inputs, int since) {
         rig.assert_estop(inputs, true);
         inputs.reset = since > 50;
       }),
       latched(Reason::kEstop)},
      {"reset_while_moving", from_now_on([](Rig rig, Inputs& inputs, int since) {
         inputs.second_publisher = since == 0;
         if (since > 50) rig.measured.velocity[0] = 0.05;
         inputs.reset = since > 60;
       }),
       latched(Reason::kSecondPublisher)},
      {"reset_before_the_cooldown", from_now_on([](Rig rig, Inputs& inputs, int since) {
         if (since == 0) rig.assert_estop(inputs, true);
         if (since == 1) rig.assert_estop(inputs, false);
         inputs.reset = since > 50;
       }),
       latched(Reason::kEstop)},
  };
}

inline std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (const auto& part :
       {chunk_faults(), runner_faults(), state_faults(), clock_faults(), authority_faults()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace openral::safety::duo
