// The fault matrix: every fault, in every mode that the robot plays and every phase of its work, in
// simulated time. Each cell must come to the outcome that fault_table.hpp names.
#include <cstdio>
#include <map>

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

// Whatever happens: rows within their limits, nothing while nothing may move, an epoch that never
// falls, evidence that names a place or none.
void check_always(const FaultRig& rig, State state, std::uint64_t epoch) {
  static const Configuration configuration = duo::configuration(duo::raw_with_all());
  const Command* before = nullptr;
  for (const Seen& seen : rig.seen) {
    ASSERT_GE(seen.epoch, epoch);
    ASSERT_LE(seen.epoch, epoch + 3);
    if (seen.emit && state != State::kHolding && state != State::kActive) {
      ASSERT_TRUE(state == State::kBraking || seen.arm.success);
    }
    if (state == State::kLatched && !seen.reset.success) {
      ASSERT_EQ(State::kLatched, seen.state);
      ASSERT_FALSE(seen.emit);
    }
    for (const Report& report : seen.reports) {
      ASSERT_GE(report.finding.row, -1);
      ASSERT_GE(report.finding.joint, -1);
      ASSERT_LT(report.finding.joint, 3);
      ASSERT_LE(report.epoch, seen.epoch);
    }
    state = seen.state;
    epoch = seen.epoch;
    if (!seen.emit) continue;
    const Command& command = seen.command;
    ASSERT_LE(command.epoch, seen.epoch);
    const bool twist = command.mode == ControlMode::kBodyTwist;
    const bool follows =
        before != nullptr && before->mode == command.mode && before->epoch == command.epoch;
    for (std::size_t j = 0; j < 3; ++j) {
      const double value = command.position[j];
      if (twist) {
        const BaseAxis& axis = configuration.base.axes[j];
        ASSERT_LE(std::abs(value), axis.speed_max + 1e-9);
        if (!follows) continue;
        ASSERT_LE(std::abs(value - before->position[j]), axis.acceleration_max * 0.005 + 1e-9);
        continue;
      }
      const JointLimits& limits = configuration.limits[j];
      ASSERT_GE(value, limits.position_min);
      ASSERT_LE(value, limits.position_max);
      ASSERT_LE(std::abs(command.velocity[j]), limits.velocity_max + 1e-9);
      if (!follows) continue;
      ASSERT_LE(std::abs(value - before->position[j]), limits.velocity_max * 0.005 + 1e-9);
    }
    before = &command;
  }
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

void check_same_commands(const FaultRig& rig, const FaultRig& healthy) {
  ASSERT_EQ(healthy.seen.size(), rig.seen.size());
  for (std::size_t i = 0; i < rig.seen.size(); ++i) {
    ASSERT_EQ(healthy.seen[i].state, rig.seen[i].state) << "tick " << i;
    ASSERT_EQ(healthy.seen[i].epoch, rig.seen[i].epoch) << "tick " << i;
    ASSERT_EQ(healthy.seen[i].emit, rig.seen[i].emit) << "tick " << i;
    if (!rig.seen[i].emit) continue;
    ASSERT_EQ(healthy.seen[i].command.position, rig.seen[i].command.position) << "tick " << i;
    ASSERT_EQ(healthy.seen[i].command.velocity, rig.seen[i].command.velocity) << "tick " << i;
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
  EXPECT_EQ(rig.stops_before + 1, rig.status().stops);
  // No stop takes longer than that of the base, 0.2 / (1 * 0.005) ticks; it is followed by a hold.
  std::size_t i = static_cast<std::size_t>(at - 1);
  const std::size_t end = i + 41;
  while (i < end && rig.seen[i].state == State::kBraking) ++i;
  EXPECT_EQ(State::kHolding, rig.seen[i].state);
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
    EXPECT_FALSE(latch.emit);
  } else if (latch.state == State::kBraking) {
    EXPECT_TRUE(latch.command.braking);
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
  check_always(rig, rig.state_before, rig.epoch_before);
  const auto compare = [&](bool without_chunk) {
    FaultRig healthy(mode, phase);
    healthy.run(nullptr, without_chunk);
    check_same_commands(rig, healthy);
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
  EXPECT_EQ(10u, outcomes.size());
  std::printf("fault_matrix: %d cells: %zu faults, %zu modes, %zu phases\n", cells, faults.size(),
              std::size(duo::kPlayedModes), std::size(duo::kPhases));
}

}  // namespace
}  // namespace openral::safety
