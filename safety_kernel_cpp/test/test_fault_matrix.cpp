// The fault matrix: every fault, in every mode that the robot plays and every phase of its work, in
// simulated time. Each cell must come to the outcome that fault_table.hpp names.
#include <cstdio>
#include <map>
#include <tuple>

#include "fault_always.hpp"
#include "fault_table.hpp"

namespace openral::safety {
namespace {

using duo::Expect;
using duo::Fault;
using duo::FaultRig;
using duo::Outcome;
using duo::Phase;
using duo::Seen;

std::string cell_name(const Fault& fault, ControlMode mode, Phase phase) {
  return fault.name + " / " + std::string(mode_name(mode)) + " / " + duo::phase_name(phase);
}

// First tick, counted from 1, in which a report of this severity came; 0 = none.
int tick_of(const FaultRig& rig, Severity severity, Finding* finding = nullptr) {
  for (std::size_t i = 0; i < rig.seen.size(); ++i) {
    for (const Report& report : rig.seen[i].reports) {
      if (report.severity != severity) continue;
      if (finding != nullptr) *finding = report.finding;
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

// The same for every fault.
const std::vector<Seen>& healthy_run(ControlMode mode, Phase phase, bool without_chunk) {
  static std::map<std::tuple<ControlMode, Phase, bool>, std::vector<Seen>> runs;
  const auto [run, is_new] = runs.try_emplace({mode, phase, without_chunk});
  if (is_new) {
    FaultRig rig(mode, phase);
    rig.run(nullptr, without_chunk);
    run->second = std::move(rig.seen);
  }
  return run->second;
}

// Bit by bit.
void check_same_commands(const std::vector<Seen>& seen, const std::vector<Seen>& healthy) {
  ASSERT_EQ(healthy.size(), seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(healthy[i].state, seen[i].state) << "tick " << i;
    ASSERT_EQ(healthy[i].epoch, seen[i].epoch) << "tick " << i;
    ASSERT_EQ(healthy[i].emit, seen[i].emit) << "tick " << i;
    if (!seen[i].emit) continue;
    ASSERT_EQ(healthy[i].command.mode, seen[i].command.mode) << "tick " << i;
    ASSERT_EQ(healthy[i].command.position, seen[i].command.position) << "tick " << i;
    ASSERT_EQ(healthy[i].command.velocity, seen[i].command.velocity) << "tick " << i;
  }
}

void check_refused(const FaultRig& rig, const Expect& expect) {
  const auto& reports = rig.seen[0].reports;
  ASSERT_EQ(1u, reports.size());
  EXPECT_EQ(reason_name(expect.reason), reason_name(reports[0].finding.reason));
  EXPECT_EQ(Severity::kWarn, reports[0].severity);
}

void check_admitted(const FaultRig& rig, Phase phase) {
  for (const Report& report : rig.seen[0].reports) {
    ADD_FAILURE() << reason_name(report.finding.reason) << " " << report.finding.value;
  }
  EXPECT_EQ(rig.epoch_before, rig.seen[0].epoch);
  // A motion of one row ends where it begins.
  const State state = rig.seen[0].state;
  EXPECT_TRUE(state == State::kActive || (phase == Phase::kIdle && state == State::kHolding));
  EXPECT_TRUE(rig.seen[0].emit);
}

// How a stop is said. Torques always change over to the joints. A tool brakes along its path where
// that is still good, and changes over where the joints, or the gripper, are what is wrong.
ControlMode mode_of_stop(ControlMode mode, Reason reason) {
  if (duo::drives(mode)) return ControlMode::kBodyTwist;
  if (!duo::leads_the_tool(mode)) return ControlMode::kJointPosition;
  switch (reason) {
    case Reason::kTrackingError:
    case Reason::kMeasuredVelocity:
    case Reason::kMeasuredViability:
    case Reason::kToolSpeed:
    case Reason::kGripperForce:
      return ControlMode::kJointPosition;
    default:
      return ControlMode::kCartesianPose;
  }
}

void check_stopped(const FaultRig& rig, const Expect& expect) {
  Finding finding;
  const int at = tick_of(rig, Severity::kFail, &finding);
  ASSERT_GT(at, 0) << "no stop";
  EXPECT_LE(at, expect.within);
  EXPECT_EQ(reason_name(expect.reason), reason_name(finding.reason));
  EXPECT_EQ(0, tick_of(rig, Severity::kAbort));
  const Seen& stop = rig.seen[static_cast<std::size_t>(at - 1)];
  EXPECT_EQ(rig.epoch_before + 1, stop.epoch);
  EXPECT_TRUE(stop.emit);
  EXPECT_TRUE(stop.command.braking);
  EXPECT_EQ(mode_of_stop(rig.mode(), expect.reason), stop.command.mode);
  EXPECT_EQ(rig.stops_before + 1, rig.status().stops);
  // No stop takes longer than that of the base, 0.2 / (1 * 0.005) ticks; it is followed by a hold.
  std::size_t i = static_cast<std::size_t>(at - 1);
  const std::size_t end = i + 41;
  while (i < end && rig.seen[i].state == State::kBraking) ++i;
  EXPECT_EQ(State::kHolding, rig.seen[i].state);
  if (expect.reason != Reason::kGripperForce) return;
  const Command& last = rig.seen.back().command;
  ASSERT_EQ(ControlMode::kJointPosition, last.mode) << "nobody told the gripper";
  EXPECT_EQ(rig.measured.position[2], last.position[2]);
}

void check_taken_over(const FaultRig& rig, const Expect& expect) {
  const Seen& taken = rig.seen[static_cast<std::size_t>(expect.within) - 1];
  EXPECT_EQ(ControlMode::kJointPosition, taken.command.mode);
  EXPECT_EQ(State::kBraking, taken.state);
  Finding finding;
  EXPECT_GT(tick_of(rig, Severity::kFail, &finding), 0) << "nobody was told why";
  EXPECT_EQ(reason_name(expect.reason), reason_name(finding.reason));
  std::size_t reports = 0;
  for (const Seen& seen : rig.seen) {
    EXPECT_TRUE(seen.emit);
    reports += seen.reports.size();
    EXPECT_EQ(rig.epoch_before, seen.epoch);
  }
  EXPECT_EQ(1u, reports);
  // From 0.55 rad/s at 5 rad/s^2: 22 ticks.
  for (std::size_t i = 25; i < rig.seen.size(); ++i) {
    EXPECT_EQ(State::kHolding, rig.seen[i].state);
    EXPECT_EQ(ControlMode::kJointPosition, rig.seen[i].command.mode);
  }
}

void check_latched(const FaultRig& rig, const Expect& expect, Phase phase) {
  Finding finding;
  const int at = tick_of(rig, Severity::kAbort, &finding);
  ASSERT_GT(at, 0) << "no latch";
  EXPECT_LE(at, expect.within);
  EXPECT_EQ(reason_name(expect.reason), reason_name(finding.reason));
  const Seen& latch = rig.seen[static_cast<std::size_t>(at - 1)];
  EXPECT_GT(latch.epoch, rig.epoch_before);
  const bool at_once =
      expect.outcome == Outcome::kCut || !(duo::moving(phase) || phase == Phase::kBraking);
  if (at_once) {
    EXPECT_EQ(State::kLatched, latch.state);
    // A gripper that squeezes must hear of it: the last row tells it to stay where it is.
    const bool tells = expect.reason == Reason::kGripperForce;
    EXPECT_EQ(tells, latch.emit);
    if (tells) {
      EXPECT_EQ(ControlMode::kJointPosition, latch.command.mode);
      EXPECT_EQ(latch.measured.position[2], latch.command.position[2]);
    }
  } else if (latch.state == State::kBraking) {
    EXPECT_TRUE(latch.command.braking);
    EXPECT_NE(ControlMode::kJointTorque, latch.command.mode);
  }
  EXPECT_EQ(State::kLatched, rig.seen.back().state);
  bool refused = false;
  for (std::size_t i = static_cast<std::size_t>(at); i < rig.seen.size(); ++i) {
    EXPECT_FALSE(rig.seen[i].arm.success);
    EXPECT_FALSE(rig.seen[i].reset.success);
    refused = refused || rig.seen[i].arm.reason == Reason::kLatched;
  }
  EXPECT_TRUE(refused) << "nobody asked to arm";
}

void check_silent(const FaultRig& rig, const Expect& expect) {
  for (std::size_t i = static_cast<std::size_t>(expect.within); i < rig.seen.size(); ++i) {
    EXPECT_FALSE(rig.seen[i].emit);
    EXPECT_EQ(State::kHolding, rig.seen[i].state);
  }
  EXPECT_TRUE(rig.unmet(expect.reason));
  EXPECT_EQ(rig.epoch_before, rig.status().epoch);
}

void check_unarmable(const FaultRig& rig, const Expect& expect) {
  const Reply& reply = rig.seen[19].arm;  // the second time that somebody asks
  EXPECT_TRUE(reply.given);
  EXPECT_FALSE(reply.success);
  EXPECT_EQ(reason_name(expect.reason), reason_name(reply.reason));
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(rig.seen[static_cast<std::size_t>(i)].emit);
}

void check_armed(const FaultRig& rig) {
  int armed = 0;
  for (const Seen& seen : rig.seen) {
    if (seen.arm.success) ++armed;
    EXPECT_TRUE(armed == 0 || seen.arm.success || seen.reports.empty());
    EXPECT_EQ(armed > 0, seen.emit);
    if (!seen.emit) continue;
    EXPECT_EQ(rig.measured.position, seen.command.position);
  }
  EXPECT_EQ(1, armed);
}

void check_answered(const FaultRig& rig, const Expect& expect) {
  const Seen& seen = rig.seen[0];
  const Reply& reply = seen.arm.given ? seen.arm : seen.reset;
  EXPECT_TRUE(reply.given);
  EXPECT_FALSE(reply.success);
  EXPECT_EQ(reason_name(expect.reason), reason_name(reply.reason));
}

void check_cell(const Fault& fault, ControlMode mode, Phase phase) {
  const Expect expect = fault.expect(phase, mode);
  FaultRig rig(mode, phase);
  rig.ask_to_arm = expect.outcome != Outcome::kAdmitted;
  rig.run(&fault.tampering);
  ASSERT_EQ(static_cast<std::size_t>(FaultRig::kAfter), rig.seen.size());
  duo::check_always(rig);
  const auto compare = [&](bool without_chunk) {
    check_same_commands(rig.seen, healthy_run(mode, phase, without_chunk));
  };
  switch (expect.outcome) {
    case Outcome::kHarmless:
      return compare(false);
    case Outcome::kAdmitted:
      return check_admitted(rig, phase);
    case Outcome::kRefused:
      check_refused(rig, expect);
      return compare(true);
    case Outcome::kStopped:
      return check_stopped(rig, expect);
    case Outcome::kTakenOver:
      return check_taken_over(rig, expect);
    case Outcome::kLatched:
    case Outcome::kCut:
      return check_latched(rig, expect, phase);
    case Outcome::kSilent:
      return check_silent(rig, expect);
    case Outcome::kUnarmable:
      return check_unarmable(rig, expect);
    case Outcome::kArmed:
      return check_armed(rig);
    case Outcome::kAnswered:
      check_answered(rig, expect);
      return compare(false);
  }
}

TEST(FaultMatrix, EveryFaultInEveryModeAndPhaseComesToItsOutcome) {
  const std::vector<Fault> faults = duo::all_faults();
  std::map<Outcome, int> outcomes;
  int cells = 0;
  for (const Fault& fault : faults) {
    for (const ControlMode mode : duo::kPlayedModes) {
      for (const Phase phase : duo::kPhases) {
        SCOPED_TRACE(cell_name(fault, mode, phase));
        check_cell(fault, mode, phase);
        ++cells;
        ++outcomes[fault.expect(phase, mode).outcome];
      }
    }
  }
  EXPECT_GE(faults.size(), 40u);
  // Every kind of outcome is met.
  EXPECT_EQ(duo::kOutcomes, outcomes.size());
  std::printf("fault_matrix: %d cells: %zu faults, %zu modes, %zu phases\n", cells, faults.size(),
              std::size(duo::kPlayedModes), std::size(duo::kPhases));
}

}  // namespace
}  // namespace openral::safety
