// The faults of the fault matrix and what each must come to, per phase and mode.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "fault_chunks.hpp"
#include "fault_states.hpp"

namespace openral::safety::duo {

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
  const auto near = [](Phase phase, ControlMode) -> Expect {
    // Nothing may move, a finger no more than the arm; a hold does not.
    if (!moving(phase)) return {};
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
      {"distance_frozen", from_now_on([](Rig rig, Inputs&, int) { rig.ranger_frozen = true; }),
       near},
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
