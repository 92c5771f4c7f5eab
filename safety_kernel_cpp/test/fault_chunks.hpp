// The faults of a chunk in the fault matrix.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fault_rows.hpp"

namespace openral::safety::duo {

// 0.5 rad/s of the shoulder, until the tool is far beyond y = 1.2.
inline std::vector<double> steps_out() {
  std::vector<double> steps = {0, 0.004, 0.012};
  while (steps.size() < 180) steps.push_back(steps.back() + 0.01);
  return steps;
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
  // Alone on its timeline, so that no earlier check than the one in question meets it.
  const auto rows = [chunk](const WrongRows& wrong, bool last = false) {
    return chunk([=](Rig rig, Chunk& c) {
      set_rows(c, rows_of(wrong, rig.mode(), rig.commanded()));
      begin_anew(rig, c);
      c.last = last;
    });
  };
  using Speeds = std::vector<double>;
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
       refused_in_motion(Reason::kSequenceReplay)},
      {"an_old_timeline", chunk([](Rig, Chunk& c) { c.timeline = 0; }),
       refused_in_motion(Reason::kTimelineReplay)},
      {"another_robot", chunk([](Rig, Chunk& c) { c.robot.assign("trio"); }),
       refused(Reason::kRobotMismatch)},
      {"a_skill_that_is_not_allowed", chunk([](Rig, Chunk& c) { c.skill_id.assign("wave"); }),
       refused(Reason::kSkillRefused)},
      {"an_unknown_mode", chunk([](Rig, Chunk& c) { c.control_mode = 200; }),
       refused(Reason::kModeUnknown)},
      {"a_mode_that_is_not_enabled", chunk([](Rig rig, Chunk& c) {
         c.control_mode = static_cast<std::uint8_t>(mode_left_out(rig.mode()));
       }),
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
       refused_in_motion(Reason::kModeChangeInMotion)},
      {"no_rows", chunk([](Rig, Chunk& c) { c.horizon = c.value_count = 0; }),
       refused(Reason::kHorizon)},
      {"rows_beyond_any_capacity", chunk([](Rig, Chunk& c) { c.horizon = 1ULL << 62; }),
       refused(Reason::kHorizon)},
      {"rows_without_time", chunk([](Rig, Chunk& c) { c.dt = 0; }), refused(Reason::kDt)},
      {"nan_between_rows", chunk([=](Rig, Chunk& c) { c.dt = nan; }), refused(Reason::kDt)},
      {"a_motion_from_its_middle", chunk([](Rig, Chunk& c) { c.first_row = 30; }),
       refused([](Phase phase, ControlMode mode) {
         const bool gap = phase == Phase::kSteady && !drives(mode);
         return gap ? Reason::kWindowGap : Reason::kFirstRow;
       })},
      // A tool meets its room to stop before it meets the box; torques have a range, and no place.
      {"beyond_a_position",
       rows({{2.5},
             Speeds(240, -0.4),
             {0, 9, 18, 27},
             {ToolSpeeds::kX, Speeds(240, 0.6)},
             {0.05},
             {0.6}}),
       refused(Reason::kPositionLimit, Reason::kViability, Reason::kTorqueLimit, Reason::kViability,
               Reason::kPositionLimit, Reason::kBaseSpeed)},
      {"beyond_a_speed",
       rows({{0, 0.03}, {1.1}, {0, 11}, {ToolSpeeds::kY, {1.3}}, {0, 0.003}, {1}}),
       refused(Reason::kVelocityLimit, Reason::kVelocityLimit, Reason::kTorqueRate,
               Reason::kToolSpeed, Reason::kVelocityLimit, Reason::kBaseSpeed)},
      {"beyond_an_acceleration",
       rows({{0, 0, 0.008},
             {0, 0.4, 0.4},
             {0, 0, 4},
             {ToolSpeeds::kY, {0, 0.4, 0.4}},
             {0, 0.0001, 0.0015},
             {0.05}}),
       refused(Reason::kAccelerationLimit, Reason::kAccelerationLimit, Reason::kNone,
               Reason::kToolAcceleration, Reason::kAccelerationLimit, Reason::kBaseAcceleration)},
      {"beyond_a_jerk",
       rows({{0, 0.004, 0.012, 0.016},
             {0.2, 0.4, 0.2, 0.2},
             {0, 2, 4, 2},
             {ToolSpeeds::kY, {0.19, 0.38, 0.19, 0.19}},
             {0, 0.0008, 0.0024, 0.0032},
             {0, 0}}),
       refused(Reason::kJerkLimit, Reason::kJerkLimit, Reason::kNone, Reason::kToolJerk,
               Reason::kJerkLimit, Reason::kNone)},
      {"from_another_place", chunk([](Rig rig, Chunk& c) {
         const WrongRows wrong = {{0.3, 0.3},   {-0.55, -0.55},
                                  {8, 8},       {ToolSpeeds::kY, {-0.5, -0.5}},
                                  {0.02, 0.02}, {0.3, 0.3}};
         Rows rows = rows_of(wrong, rig.mode(), rig.commanded());
         if (rig.mode() == ControlMode::kCartesianPose) {
           for (auto& row : rows) row[0] -= 0.02;
         }
         set_rows(c, rows);
         begin_anew(rig, c);
         c.last = false;
       }),
       // What says how to go on can only be from another speed.
       refused([](Phase, ControlMode mode) {
         switch (mode) {
           case ControlMode::kJointPosition:
           case ControlMode::kCartesianPose:
           case ControlMode::kGripperPosition:
             return Reason::kSplicePosition;
           case ControlMode::kJointTorque:
             return Reason::kSpliceTorque;
           case ControlMode::kBodyTwist:
             return Reason::kBaseAcceleration;
           default:
             return Reason::kSpliceAcceleration;
         }
       })},
      {"ends_in_motion",
       rows({{0, 0.004, 0.012, 0.02, 0.028},
             {0.4, 0.4},
             {0, 6, 11},
             {ToolSpeeds::kY, {0.19, 0.38, 0.38, 0.38}},
             {0, 0.0018, 0.0036},
             {0.01, 0.02}},
            true),
       refused(Reason::kEndNotAtRest)},
      // Where torques lead, only the measurement will say.
      {"a_tool_too_fast",
       rows({{0, 0.004, 0.012, 0.024, 0.04},
             {0.2, 0.4, 0.6, 0.8, 0.8},
             {0, 2, 4, 4},
             {ToolSpeeds::kTurning, {1}},
             {0, 0.0005},
             {0}}),
       refused(Reason::kToolSpeed, Reason::kToolSpeed, Reason::kNone, Reason::kToolRotation,
               Reason::kNone, Reason::kNone)},
      {"out_of_the_workspace",
       rows({steps_out(),
             Speeds(200, 0.4),
             {0, 2, 4, 4},
             {ToolSpeeds::kY, Speeds(200, 0.4)},
             {0, 0.0005},
             {0}}),
       refused(Reason::kWorkspace, Reason::kWorkspace, Reason::kNone, Reason::kViability,
               Reason::kNone, Reason::kNone)},
      {"a_quaternion_too_long", chunk([](Rig rig, Chunk& c) {
         if (rig.mode() != ControlMode::kCartesianPose) return;
         for (std::size_t i = 3; i < 7; ++i) c.values[i] *= 1.002;
       }),
       refused([](Phase, ControlMode mode) {
         return mode == ControlMode::kCartesianPose ? Reason::kQuaternionNorm : Reason::kNone;
       })},
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
