// The faults of a chunk in the fault matrix.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fault_outcome.hpp"

namespace openral::safety::duo {

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

}  // namespace openral::safety::duo
