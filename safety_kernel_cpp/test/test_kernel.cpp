#include "kernel.hpp"

#include <cmath>

#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::kMillisecond;

// One step of rest, up to 0.6 rad/s and down again: 0.02 (0.2+0.4+0.6*11+0.4+0.2) = 0.156 rad in 15
// rows.
std::unique_ptr<Chunk> reach(double start = 0) {
  return duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 9), start));
}

// ---- 1. Deny by default

TEST(Kernel, DenyByDefaultForEverySubsetOfUnmetPreconditions) {
  // Bits: no joint state, e-stop asserted, second publisher, not armed by the operator.
  for (int subset = 1; subset < 16; ++subset) {
    Bench bench;
    auto chunk = reach();
    const bool no_state = (subset & 1) != 0;
    bench.driver_silent = no_state;
    bench.ticks(2);
    for (int i = 0; i < 10000; ++i) {
      if ((subset & 2) != 0 && i % 50 == 0) bench.estop(true);
      bench.inputs.second_publisher = (subset & 4) != 0;
      bench.inputs.arm = (subset & 8) == 0;
      if (i % 4 == 0) {
        bench.stamp(*chunk);
        bench.inputs.chunk = chunk.get();
      }
      bench.tick();
    }
    EXPECT_TRUE(bench.emitted.empty()) << subset;
  }
}

TEST(Kernel, ArmsOnlyWhenNothingIsUnmetAndSaysWhatIs) {
  Bench bench;
  bench.tick();
  bench.inputs.arm = true;
  const Reply reply = bench.tick().arm;  // this tick brings the first joint state
  EXPECT_TRUE(reply.success);
  Bench blind;
  blind.driver_silent = true;
  blind.ticks(2);
  EXPECT_TRUE(blind.unmet(Reason::kJointStateStale));
  blind.inputs.arm = true;
  EXPECT_EQ(Reason::kJointStateStale, blind.tick().arm.reason);
}

// The monotonic clock and the robot's own may begin at zero.
TEST(Kernel, NothingIsKnownAtTheBeginningOfTime) {
  const auto kernel = std::make_unique<Kernel>(duo::configuration(), 0);
  Inputs inputs;
  inputs.arm = true;
  EXPECT_EQ(Reason::kJointStateStale, kernel->tick(0, inputs).arm.reason);
  JointState state;
  state.complete = true;
  (void)inputs.joint_states.push(state);
  EXPECT_TRUE(kernel->tick(duo::kTick, inputs).arm.success);
}

TEST(Kernel, ArmingAMovingRobotIsRefused) {
  Bench bench;
  bench.measured.velocity[0] = 0.03;
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kNotAtRest));
  EXPECT_FALSE(bench.arm());
}

TEST(Kernel, ArmingOutsideTheLimitsIsRefused) {
  Bench bench;
  bench.measured.position[1] = 1.02;  // beyond 1 + 0.01
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kStatePositionLimit));
  EXPECT_FALSE(bench.arm());
}

TEST(Kernel, EStopRequiredButNeverHeardKeepsItFromArming) {
  RawConfiguration raw = duo::raw();
  raw.flags["estop.required"] = true;
  Bench bench(raw);
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kEstopMissing));
  EXPECT_FALSE(bench.arm());
  bench.estop(false);
  bench.tick();
  EXPECT_TRUE(bench.arm());
}

TEST(Kernel, HoldsWhereItWasArmed) {
  Bench bench;
  bench.measured.position = {0.3, -0.2, 0.0401};
  bench.start();
  bench.ticks(5);
  EXPECT_EQ(0.3, bench.last.position[0]);
  EXPECT_EQ(-0.2, bench.last.position[1]);
  EXPECT_EQ(0.04, bench.last.position[2]);  // no command beyond the limit
  EXPECT_EQ(0, bench.last.velocity[0]);
}

// ---- Playing

TEST(Kernel, PlaysAnAdmittedTimelineToItsEndAndHolds) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_EQ(State::kActive, bench.state());
  bench.play(*chunk, 58);
  EXPECT_EQ(State::kActive, bench.state());
  // 15 rows of 4 ticks each.
  bench.ticks(1);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_NEAR(0.156, bench.last.position[0], 1e-12);
  EXPECT_EQ(0u, bench.status().chunks_refused);
  EXPECT_EQ(15, bench.status().consumed_row);
  EXPECT_EQ(1u, bench.status().timeline);
}

TEST(Kernel, EveryTickIsAQuarterOfARow) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_NEAR(0.001, bench.last.position[0], 1e-15);  // 0.2 rad/s * 5 ms
  EXPECT_NEAR(0.2, bench.last.velocity[0], 1e-12);
  bench.ticks(4);
  EXPECT_NEAR(0.006, bench.last.position[0], 1e-15);  // 0.004 + 0.4 * 5 ms
  EXPECT_DOUBLE_EQ(1.25, bench.status().consumed_row);
}

TEST(Kernel, WindowsOfOneTimelinePlayLikeTheWhole) {
  const auto rows = duo::shoulder_rows(duo::trapezoid(3, 9));
  Bench whole;
  whole.start();
  auto chunk = duo::chunk(rows);
  whole.play(*chunk, 62);

  Bench windowed;
  windowed.start();
  for (int i = 0; i < 62; ++i) {
    if (i % 4 != 0) {
      windowed.tick();
      continue;
    }
    // Eight rows from one before the row reached.
    const int reached = i == 0 ? 0 : static_cast<int>(windowed.status().consumed_row);
    const int first = std::min(std::max(0, reached - 1), 8);
    auto window = duo::chunk(duo::Rows(rows.begin() + first, rows.begin() + first + 8));
    window->first_row = static_cast<std::uint64_t>(first);
    window->last = first == 8;
    windowed.send(*window);
  }
  EXPECT_EQ(0u, windowed.status().chunks_refused) << windowed.reason_text();
  ASSERT_EQ(whole.emitted.size(), windowed.emitted.size());
  for (std::size_t i = 0; i < whole.emitted.size(); ++i) {
    EXPECT_NEAR(whole.emitted[i].position[0], windowed.emitted[i].position[0], 1e-12);
  }
  EXPECT_EQ(State::kHolding, windowed.state());
}

TEST(Kernel, ALateWindowOfAFinishedTimelineChangesNothing) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 61);
  ASSERT_EQ(State::kHolding, bench.state());
  bench.send(*chunk);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(0u, bench.status().chunks_refused);
  // One that ends elsewhere, or not there, is of another motion.
  auto rows = duo::shoulder_rows(duo::trapezoid(3, 9));
  const double end = static_cast<double>(rows.size() - 1);
  ASSERT_EQ(rows.size(), chunk->horizon);
  rows.push_back(rows.back());
  for (const bool longer : {true, false}) {
    auto other = longer ? duo::chunk(rows) : reach();
    other->last = longer;
    bench.send(*other);
    const Finding& finding = bench.status().finding;
    EXPECT_EQ("timeline_finished", bench.reason_text());
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(-1, finding.joint);
    EXPECT_EQ(longer ? end + 1 : end, finding.value);
    EXPECT_EQ(end, finding.limit);
    EXPECT_EQ(State::kHolding, bench.state());
  }
}

TEST(Kernel, ExhaustedWindowStops) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.4}));
  chunk->last = false;
  bench.send(*chunk);
  bench.ticks(7);  // to row 2
  EXPECT_EQ(State::kActive, bench.state());
  bench.tick();
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ("window_exhausted", bench.reason_text());
  bench.ticks(7);  // 0.4 / 0.05 = 8 ticks
  EXPECT_EQ(State::kHolding, bench.state());
}

// ---- 5. A refused NaN leaves no trace

TEST(Kernel, NanDoesNotStick) {
  Bench with;
  Bench without;
  for (Bench* bench : {&with, &without}) {
    bench->start();
    auto good = reach();
    bench->play(*good, 20);
    if (bench == &with) {
      auto bad = reach();
      bad->values[30] = std::nan("");
      bench->send(*bad);
      EXPECT_EQ("not_finite", bench->reason_text());
    } else {
      bench->tick();
    }
    bench->play(*good, 40);
  }
  ASSERT_EQ(without.emitted.size(), with.emitted.size());
  for (std::size_t i = 0; i < with.emitted.size(); ++i) {
    EXPECT_EQ(without.emitted[i].position, with.emitted[i].position);  // bit for bit
    EXPECT_EQ(without.emitted[i].velocity, with.emitted[i].velocity);
  }
  EXPECT_EQ(1u, with.status().chunks_refused);
}

TEST(Kernel, ANanInTheJointStateIsNoMeasurement) {
  Bench bench;
  bench.start();
  bench.measured.velocity[1] = std::nan("");
  bench.follows = false;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
  EXPECT_FALSE(bench.tick().emit);
}

// ---- 8. Epoch and sequence

TEST(Kernel, EpochRisesOnArmStopLatchAndReset) {
  Bench bench(duo::raw(), 100);
  EXPECT_EQ(100u, bench.epoch());
  EXPECT_FALSE(bench.tick().arm.given);  // nothing was asked
  bench.tick();
  EXPECT_EQ(100u, bench.epoch());
  bench.arm();
  EXPECT_EQ(101u, bench.epoch());
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_EQ(101u, bench.epoch());
  bench.ticks(30);  // the chunk goes stale
  EXPECT_EQ(102u, bench.epoch());
  bench.estop(true);
  bench.tick();
  EXPECT_EQ(103u, bench.epoch());
  bench.estop(false);
  for (int i = 0; i < 201; ++i) {
    if (i % 50 == 0) bench.estop(false);
    bench.tick();
  }
  EXPECT_TRUE(bench.reset());
  EXPECT_EQ(104u, bench.epoch());
}

TEST(Kernel, EpochRisesOnModeChange) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 61);
  ASSERT_EQ(State::kHolding, bench.state());
  const std::uint64_t epoch = bench.epoch();
  auto gripper = duo::chunk({{0.04}, {0.0392}, {0.0384}});
  gripper->control_mode = 8;
  gripper->name_count = 1;
  gripper->joint_names[0].assign("finger");
  gripper->timeline = 2;
  bench.send(*gripper);
  EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
  EXPECT_EQ(epoch + 1, bench.epoch());
  bench.ticks(7);
  EXPECT_NEAR(0.0384, bench.last.position[2], 1e-12);
  EXPECT_NEAR(0.156, bench.last.position[0], 1e-12);
}

TEST(Kernel, ModeChangeInMotionIsRefused) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  auto gripper = duo::chunk({{0.04}});
  gripper->control_mode = 8;
  gripper->name_count = 1;
  gripper->joint_names[0].assign("finger");
  gripper->timeline = 2;
  bench.send(*gripper);
  EXPECT_EQ("mode_change_in_motion", bench.reason_text());
  gripper->timeline = 1;
  bench.send(*gripper);
  EXPECT_EQ("mode_change_in_motion", bench.reason_text());
  EXPECT_EQ(State::kActive, bench.state());
}

TEST(Kernel, RowsLieAsFarApartInEveryWindow) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  chunk->dt = 0.025;
  bench.send(*chunk);
  EXPECT_EQ("dt", bench.reason_text());
  EXPECT_EQ(-1, bench.status().finding.row);
  EXPECT_EQ(-1, bench.status().finding.joint);
  EXPECT_EQ(0.025, bench.status().finding.value);
  EXPECT_EQ(0.02, bench.status().finding.limit);
}

TEST(Kernel, ATimelineBeginsWithItsFirstRow) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk({{0, 0, 0.04}, {0, 0, 0.04}});
  chunk->first_row = 5;
  bench.send(*chunk);
  EXPECT_EQ("first_row", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.row);
  EXPECT_EQ(-1, bench.status().finding.joint);
  EXPECT_EQ(5, bench.status().finding.value);
  EXPECT_EQ(0, bench.status().finding.limit);
}

// 80 ms are allowed, and a chunk is refused by its own age, not stopped by it.
TEST(Kernel, AChunkThatWasLongOnItsWayIsRefused) {
  for (const Nanoseconds beyond : {0, 1}) {
    Bench bench;
    bench.start();
    bench.ticks(30);
    auto chunk = reach();
    bench.stamp(*chunk);
    chunk->received -= 80 * kMillisecond + beyond;
    bench.inputs.chunk = chunk.get();
    bench.tick();
    if (beyond == 0) {
      EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
      continue;
    }
    EXPECT_EQ(State::kHolding, bench.state());
    EXPECT_EQ("chunk_stale", bench.reason_text());
    EXPECT_EQ(1u, bench.status().chunks_refused);
    EXPECT_EQ(-1, bench.status().finding.row);
    EXPECT_EQ(-1, bench.status().finding.joint);
    EXPECT_EQ(0.080000001, bench.status().finding.value);
    EXPECT_EQ(0.08, bench.status().finding.limit);
  }
}

TEST(Kernel, NoDuplicateReplayOrReorderedChunkExecutes) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 9);
  const auto refused = [&](std::uint64_t sequence, std::uint64_t timeline, std::uint64_t epoch) {
    auto copy = reach();
    bench.stamp(*copy);
    copy->sequence = sequence;
    copy->timeline = timeline;
    copy->epoch = epoch;
    bench.inputs.chunk = copy.get();
    const std::uint64_t before = bench.status().chunks_refused;
    bench.tick();
    EXPECT_EQ(before + 1, bench.status().chunks_refused);
    return bench.reason_text();
  };
  EXPECT_EQ("sequence_replay", refused(3, 1, 1));  // three were sent
  EXPECT_EQ("sequence_replay", refused(2, 1, 1));
  EXPECT_EQ("timeline_replay", refused(9, 0, 1));
  EXPECT_EQ("epoch_mismatch", refused(9, 1, 0));
  EXPECT_EQ("epoch_mismatch", refused(9, 1, 2));
  EXPECT_EQ(State::kActive, bench.state());
}

// Case leap-after-stop.
TEST(Kernel, LeapAfterStopIsRefused) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));  // 50 rows and one
  const std::uint64_t old_epoch = bench.epoch();
  bench.play(*chunk, 40);  // row 10
  bench.estop(true);
  bench.ticks(20);
  ASSERT_EQ(State::kLatched, bench.state());
  bench.follows = false;
  bench.measured.position[0] += 0.5;
  bench.measured.velocity = {};
  for (int i = 0; i < 201; ++i) {
    if (i % 50 == 0) bench.estop(false);
    bench.tick();
  }
  ASSERT_TRUE(bench.reset());
  ASSERT_TRUE(bench.arm());
  const double here = bench.measured.position[0];
  chunk->first_row = 0;
  bench.stamp(*chunk);
  chunk->epoch = old_epoch;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  EXPECT_EQ("epoch_mismatch", bench.reason_text());
  // Rows 11 and on, under the new epoch.
  auto rest = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 33), 0.14));
  rest->first_row = 11;
  bench.send(*rest);
  EXPECT_EQ("splice_position", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.joint);
  EXPECT_EQ(here, bench.last.position[0]);
}

// Case first-chunk-from-the-middle.
TEST(Kernel, FirstChunkFromTheMiddleIsRefused) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.2}, 0.3));
  chunk->first_row = 21;
  bench.send(*chunk);
  EXPECT_EQ("splice_position", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.joint);
  EXPECT_NEAR(0.301, bench.status().finding.value, 1e-12);
  EXPECT_DOUBLE_EQ(0.005, bench.status().finding.limit);
  // From the right place it still does not begin a motion.
  chunk = duo::chunk(duo::shoulder_rows({0.2, 0.2}));
  chunk->first_row = 21;
  bench.send(*chunk);
  EXPECT_EQ("first_row", bench.reason_text());
  EXPECT_EQ(21, bench.status().finding.value);
  EXPECT_EQ(0, bench.status().finding.limit);
}

// ---- 29. Evidence: the status is announced when something changed, and only then

TEST(Kernel, AChangeOfWhatIsUnmetIsAnnouncedOnce) {
  Bench bench;
  bench.ticks(4);
  EXPECT_FALSE(bench.tick().changed);
  bench.driver_silent = true;
  int announced = 0;
  for (int tick = 0; tick < 30; ++tick) announced += bench.tick().changed ? 1 : 0;
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
  EXPECT_EQ(1, announced);
}

TEST(Kernel, WhatIsUnmetNamesEveryCause) {
  Bench bench;
  bench.ticks(2);
  bench.estop(true);
  bench.inputs.second_publisher = true;
  bench.inputs.fault = true;
  bench.tick();
  EXPECT_TRUE(bench.unmet(Reason::kEstop));
  EXPECT_TRUE(bench.unmet(Reason::kSecondPublisher));
  EXPECT_TRUE(bench.unmet(Reason::kInternalFault));
  EXPECT_TRUE(bench.unmet(Reason::kEstopCooldown));
  EXPECT_TRUE(bench.unmet(Reason::kLatched));
  bench.estop(false);
  bench.tick();
  EXPECT_FALSE(bench.unmet(Reason::kEstop));
  EXPECT_FALSE(bench.unmet(Reason::kSecondPublisher));
  EXPECT_FALSE(bench.unmet(Reason::kInternalFault));
}

TEST(Kernel, EveryChangeOfStateIsAnnounced) {
  Bench bench;
  bench.ticks(4);
  bench.inputs.arm = true;
  EXPECT_TRUE(bench.tick().changed);
  EXPECT_FALSE(bench.tick().changed);
  auto chunk = reach();
  EXPECT_TRUE(bench.send(*chunk).changed);  // active
  bench.play(*chunk, 58);
  EXPECT_TRUE(bench.tick().changed);  // its end, under the same epoch and without a report
  EXPECT_FALSE(bench.tick().changed);
}

TEST(Kernel, AChangeOfWhatIsUnmetIsAnnouncedEvenInTheTickOfARequest) {
  Bench bench;
  bench.ticks(4);
  bench.inputs.second_publisher = true;
  bench.inputs.reset = true;
  EXPECT_TRUE(bench.tick().changed);
  // Latched by now, and the second publisher is gone: that alone is new.
  bench.inputs.reset = true;
  bench.inputs.fault = true;
  EXPECT_TRUE(bench.tick().changed);
  EXPECT_TRUE(bench.unmet(Reason::kInternalFault));
}

// ---- 9 to 12. Freshness

TEST(Kernel, DeadRunnerBrakesWithin120Milliseconds) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 21);  // the last chunk came one tick ago
  int ticks = 0;
  while (bench.state() == State::kActive) {
    bench.tick();
    ++ticks;
  }
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(17, ticks);  // 80 ms are 16 ticks; braking begins with the 17th, 85 ms
  int braking = 1;
  while (bench.state() == State::kBraking) {
    bench.tick();
    ++braking;
  }
  EXPECT_EQ(12, braking);  // 0.6 / 0.05
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_TRUE(bench.last.braking);
  EXPECT_EQ(0, bench.last.velocity[0]);
}

// Case frozen-publisher: the stamp stands still, the headers do not.
TEST(Kernel, FrozenPublisherStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 17);
  const Nanoseconds frozen = chunk->observation_stamp;
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 30) {
    ++ticks;
    if (ticks % 7 == 0) {  // 30 Hz
      bench.stamp(*chunk);
      chunk->observation_stamp = frozen;
      bench.inputs.chunk = chunk.get();
    }
    bench.tick();
  }
  EXPECT_EQ("observation_frozen", bench.reason_text());
  EXPECT_LE(ticks, 10);
}

// A chunk that comes again and again is refused, and shows that its maker runs on what it saw.
TEST(Kernel, AFrozenPublisherThatRepeatsItsChunkStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 17);
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 30) {
    if (++ticks % 4 == 0) {
      chunk->received = bench.now + duo::kTick;
      bench.inputs.chunk = chunk.get();
    }
    bench.tick();
  }
  EXPECT_EQ("observation_frozen", bench.reason_text());
  EXPECT_LE(ticks, 10);
}

// From rest a motion may begin with what was seen for the end of the one before it.
TEST(Kernel, AMotionFromRestCountsItsOwnTicks) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench.state());
  auto next = duo::chunk(duo::shoulder_rows(duo::trapezoid(2, 9), bench.last.position[0]));
  next->timeline = 2;
  bench.stamp(*next);
  next->observation_stamp = chunk->observation_stamp;  // of four ticks ago
  bench.inputs.chunk = next.get();
  bench.ticks(9);
  EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
}

TEST(Kernel, AFrozenPublisherThatPlansAnewWithEveryChunkStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 17);
  const Nanoseconds frozen = chunk->observation_stamp;
  int ticks = 0;
  std::uint64_t timeline = 1;
  while (bench.state() == State::kActive && ticks < 30) {
    if (++ticks % 4 == 0) {
      // Goes on at 0.6 rad/s from where the last command is.
      auto anew = duo::chunk(
          duo::shoulder_rows({0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6}, bench.last.position[0]));
      anew->last = false;
      anew->timeline = ++timeline;
      bench.stamp(*anew);
      anew->observation_stamp = frozen;
      bench.inputs.chunk = anew.get();
      bench.tick();
      continue;
    }
    bench.tick();
  }
  EXPECT_EQ("observation_frozen", bench.reason_text());
  EXPECT_LE(ticks, 10);
  EXPECT_EQ(0u, bench.status().chunks_refused);
}

TEST(Kernel, ClockImmunity) {
  // Two runs, in one of which the robot's clock jumps by an hour while a runner dies: the same
  // commands.
  Bench still;
  Bench jumping;
  for (Bench* bench : {&still, &jumping}) {
    bench->start();
    auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
    bench->play(*chunk, 20);
    if (bench == &jumping) bench->clock_offset += 3'600'000 * kMillisecond;
    bench->play(*chunk, 20);
    if (bench == &jumping) bench->clock_offset -= 7'200'000 * kMillisecond;
    bench->play(*chunk, 20);
    bench->ticks(60);
  }
  ASSERT_EQ(still.emitted.size(), jumping.emitted.size());
  for (std::size_t i = 0; i < still.emitted.size(); ++i) {
    EXPECT_EQ(still.emitted[i].position, jumping.emitted[i].position);
  }
  EXPECT_EQ("chunk_stale", jumping.reason_text());
  EXPECT_EQ(0u, jumping.status().chunks_refused);
}

TEST(Kernel, StaleAndFutureObservationsAreRefused) {
  Bench bench;
  bench.start();
  bench.ticks(40);
  auto chunk = reach();
  bench.stamp(*chunk);
  chunk->observation_stamp -= 130 * kMillisecond;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  EXPECT_EQ("observation_stale", bench.reason_text());
  bench.stamp(*chunk);
  chunk->observation_stamp += 40 * kMillisecond;
  bench.inputs.chunk = chunk.get();
  bench.tick();
  EXPECT_EQ("observation_future", bench.reason_text());
  EXPECT_EQ(State::kHolding, bench.state());
}

// ---- 13. Splice

TEST(Kernel, ARefusedChunkLeavesTheOldTailRunning) {
  Bench with;
  Bench without;
  for (Bench* bench : {&with, &without}) {
    bench->start();
    auto chunk = reach();
    bench->play(*chunk, 24);
    if (bench == &with) {
      auto jump = duo::chunk(duo::shoulder_rows({0.2, 0.2}, 1));
      jump->timeline = 2;
      bench->send(*jump);
      EXPECT_EQ("splice_position", bench->reason_text());
    } else {
      bench->tick();
    }
    bench->play(*chunk, 36);
  }
  ASSERT_EQ(without.emitted.size(), with.emitted.size());
  for (std::size_t i = 0; i < with.emitted.size(); ++i) {
    EXPECT_EQ(without.emitted[i].position, with.emitted[i].position);
  }
}

TEST(Kernel, ANewTimelineInMotionContinuesTheSpeed) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);  // at 0.6 rad/s
  auto slow_down = duo::chunk(duo::shoulder_rows({0.6, 0.4, 0.2}, bench.last.position[0]));
  slow_down->timeline = 2;
  bench.send(*slow_down);
  EXPECT_EQ(2u, bench.status().timeline) << bench.reason_text();
  bench.ticks(11);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(0u, bench.status().stops);
}

// A motion that ends at 0.2 rad/s, a dt above rest, is at rest for the one after it.
TEST(Kernel, AHoldEndsTheSpeedOfTheMotionBeforeIt) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 62);
  ASSERT_EQ(State::kHolding, bench.state());
  bench.measured.velocity = {};
  bench.ticks(2);
  auto back = duo::chunk(duo::shoulder_rows({-0.2, -0.2}, bench.last.position[0]));
  back->timeline = 2;
  bench.send(*back);
  EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
  // So is it for a later window of this one.
  bench.tick();
  bench.send(*back);
  EXPECT_EQ(0u, bench.status().chunks_refused) << bench.reason_text();
}

// Jerk up to 300 rad/s^3: 5, 10, 5 and 0 rad/s^2 in rows of 0.02 s. A window that comes in the
// second row goes on from the first one's 5, not from rest.
TEST(Kernel, AWindowKnowsTheRowBeforeTheOneInProgress) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.shoulder.jerk_max"] = 300;
  Bench bench(raw);
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows({0.1, 0.3, 0.4, 0.4, 0.4}));
  chunk->last = false;
  bench.send(*chunk);
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  bench.ticks(5);
  bench.send(*chunk);
  EXPECT_EQ(0u, bench.status().chunks_refused) << bench.reason_text();
}

// Shoved at twice its speed limit, and not yet out of tolerance.
TEST(Kernel, AChunkDoesNotBeginOnAnArmThatIsPushed) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.position[0] = 0.05;
  bench.measured.velocity[0] = 2;
  bench.ticks(2);
  ASSERT_EQ(State::kHolding, bench.state());
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_EQ("splice_measured_velocity", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.joint);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(0, bench.last.position[0]);
}

TEST(Kernel, WindowsMustHoldTheRowReached) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 18);
  auto gap = reach();
  gap->first_row = 8;
  bench.send(*gap);
  EXPECT_EQ("window_gap", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.row);
  EXPECT_EQ(8, bench.status().finding.value);
  EXPECT_EQ(4.5, bench.status().finding.limit);  // 18 ticks
  auto past = duo::chunk(duo::shoulder_rows({0.2, 0.2}));
  bench.send(*past);
  EXPECT_EQ("window_past", bench.reason_text());
  EXPECT_EQ(2, bench.status().finding.row);
  EXPECT_EQ(2, bench.status().finding.value);
  EXPECT_EQ(4.75, bench.status().finding.limit);
}

// ---- 15, 16. Every emitted row can be followed by its own stop

TEST(Kernel, VerifiedStopTailAtEveryTick) {
  const auto rows = duo::shoulder_rows(duo::trapezoid(5, 10), 1.66);
  for (int at = 1; at < 70; ++at) {
    Bench bench;
    bench.measured.position[0] = 1.66;
    bench.start();
    auto chunk = duo::chunk(rows);
    bench.play(*chunk, at);
    bench.estop(true);
    bench.ticks(25);
    EXPECT_EQ(State::kLatched, bench.state());
    EXPECT_EQ("estop", bench.reason_text());
    for (const Command& command : bench.emitted) EXPECT_LE(command.position[0], 2.0);
  }
}

// ---- 22. Tracking

TEST(Kernel, TrackingErrorStopsAfterThreeTicksAnchoredOnTheMeasurement) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 40);
  ASSERT_EQ(State::kActive, bench.state());
  // The arm is held back where it is.
  bench.follows = false;
  bench.measured.velocity = {};
  const double stuck = bench.measured.position[0];
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 100) {
    bench.play(*chunk, 1);
    ++ticks;
  }
  EXPECT_EQ("tracking_error", bench.reason_text());
  EXPECT_EQ(stuck, bench.last.position[0]);
  // 0.1 rad at 0.6 rad/s are 33 ticks of 3 mrad, the 34th is beyond, the 36th the third.
  EXPECT_EQ(36, ticks);
  EXPECT_EQ(1u, bench.status().stops);
}

// The arm cruises at 0.8 rad/s, 81 mrad behind its command, and its state falls silent. The command
// gains 4 mrad a tick: 85 in the first, 101 in the fifth, and the seventh is the third beyond 0.1.
// By then the measurement is 30 ms old and the arm 24 mrad further. A stop from 0.8 rad/s takes 16
// ticks, the first of them at 0.75 rad/s.
TEST(Kernel, AFaultStopBeginsWhereAMovingArmIsByNow) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(4, 60)));
  bench.play(*chunk, 42);
  bench.follows = false;
  const double measured = bench.last.position[0] - 0.081;
  bench.measured.position[0] = measured;
  bench.measured.velocity = {0.8};
  bench.send(*chunk);
  ASSERT_EQ(bench.now, bench.measured.received);
  bench.driver_silent = true;
  int ticks = 1;
  while (bench.state() == State::kActive && ticks < 20) {
    if (++ticks % 4 == 0) {
      bench.send(*chunk);
    } else {
      bench.tick();
    }
  }
  EXPECT_EQ("tracking_error", bench.reason_text());
  EXPECT_EQ(7, ticks);
  EXPECT_NEAR(0.75, bench.last.velocity[0], 1e-9);
  EXPECT_NEAR(measured + 0.8 * 0.03 + 0.75 * 0.005, bench.last.position[0], 1e-9);
}

TEST(Kernel, ACancelAnchorsOnTheLastCommandAndNeverStepsBackwards) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 40);
  bench.ticks(60);  // the runner is gone
  for (std::size_t i = 1; i < bench.emitted.size(); ++i) {
    EXPECT_GE(bench.emitted[i].position[0], bench.emitted[i - 1].position[0]);
  }
}

TEST(Kernel, AnArmMovedByHandLatchesAndIsNotPulledBack) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.position[0] = 0.2;
  const std::size_t before = bench.emitted.size();
  bench.ticks(10);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("tracking_error", bench.reason_text());
  EXPECT_LE(bench.emitted.size(), before + 1);  // until the joint state arrived
}

// Case respawned-driver.
TEST(Kernel, RespawnedDriverIsNotCommandedFromTheOldPlace) {
  Bench bench;
  bench.start();
  bench.driver_silent = true;
  bench.ticks(40);
  const std::size_t before = bench.emitted.size();
  bench.ticks(10);
  EXPECT_EQ(before, bench.emitted.size());  // silent without a state
  bench.driver_silent = false;
  bench.follows = false;
  bench.measured.position[1] = 0.5;  // another place
  bench.ticks(10);
  EXPECT_EQ(before, bench.emitted.size());
  EXPECT_EQ(State::kLatched, bench.state());
  Bench restarted(duo::raw(), 1000);
  restarted.ticks(10);
  EXPECT_EQ(State::kDisarmed, restarted.state());
  EXPECT_TRUE(restarted.emitted.empty());
}

// ---- 23. State feed

TEST(Kernel, StaleJointStateStops) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 20);
  bench.driver_silent = true;
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 100) {
    bench.play(*chunk, 1);
    ++ticks;
  }
  EXPECT_EQ("joint_state_stale", bench.reason_text());
  EXPECT_LE(ticks, 12);  // 50 ms, and the age that the last one had
}

// 50 ms are ten ticks.
TEST(Kernel, AJointStateOfExactlyItsAgeIsFresh) {
  Bench bench;
  bench.start();
  while (bench.measured.received != bench.now) bench.tick();
  bench.driver_silent = true;
  bench.ticks(9);
  EXPECT_TRUE(bench.tick().emit);
  EXPECT_FALSE(bench.unmet(Reason::kJointStateStale));
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, AFrozenDriverIsStale) {
  Bench bench;
  bench.start();
  bench.driver_frozen = true;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, APartialJointStateIsNone) {
  Bench bench;
  bench.start();
  bench.measured.complete = false;
  bench.ticks(12);
  EXPECT_TRUE(bench.unmet(Reason::kJointStateStale));
}

TEST(Kernel, MeasuredLimitViolationLatches) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.velocity[0] = 3.1;  // beyond 3 * 1
  bench.ticks(2);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("state_velocity_limit", bench.reason_text());
}

// A stop of a fault begins at the measured state, and no row begins beyond a limit.
TEST(Kernel, AMeasuredLimitViolationInMotionEmitsNothingMore) {
  for (const bool position : {true, false}) {
    Bench bench;
    bench.start();
    auto chunk = reach();
    bench.play(*chunk, 20);
    bench.follows = false;
    if (position) {
      bench.measured.position[0] = 2.02;  // beyond 2 + 0.01
    } else {
      bench.measured.velocity[0] = 3.1;  // beyond 3 * 1
    }
    while (bench.state() == State::kActive) bench.tick();
    EXPECT_EQ(State::kLatched, bench.state());
    EXPECT_EQ(position ? "state_position_limit" : "state_velocity_limit", bench.reason_text());
    for (const Command& command : bench.emitted) EXPECT_FALSE(command.braking);
    EXPECT_FALSE(bench.tick().emit);
  }
}

// At 1.975 rad and 0.8 rad/s a stop takes 16 ticks, 0.8 * 0.005 * 15 / 2 = 0.03 rad, and would end
// at 2.005 of 2, or further by the age of the measurement. What led to it stays the reason.
TEST(Kernel, AFaultStopThatWouldLeadBeyondALimitLatchesAtOnce) {
  for (const double at : {1.975, 1.94}) {
    Bench bench;
    bench.measured.position[0] = 1.4;
    bench.start();
    auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(4, 20), 1.4));
    bench.play(*chunk, 30);
    bench.follows = false;
    bench.measured.position[0] = at;
    bench.measured.velocity = {0.8};
    while (bench.state() == State::kActive) bench.play(*chunk, 1);
    EXPECT_EQ("tracking_error", bench.reason_text());
    EXPECT_EQ(at == 1.975 ? State::kLatched : State::kBraking, bench.state());
    EXPECT_EQ(1u, bench.status().stops);
    bench.ticks(20);
    EXPECT_EQ("tracking_error", bench.reason_text());
    for (const Command& command : bench.emitted) {
      EXPECT_LE(command.position[0], 2);
      EXPECT_FALSE(command.braking && at == 1.975);
    }
  }
}

// ---- 24. E-stop

TEST(Kernel, EStopIsDecidedInTheSameTickAndLatches) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  bench.estop(true);
  const Output& output = bench.tick();
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ("estop", bench.reason_text());
  EXPECT_TRUE(output.emit);
  EXPECT_TRUE(output.command.braking);
  ASSERT_EQ(1u, output.reports.size());
  EXPECT_EQ(Severity::kAbort, output.reports[0].severity);
  bench.ticks(11);  // 0.6 / 0.05 = 12 with the first
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_FALSE(bench.tick().emit);
}

TEST(Kernel, AnEStopIsReportedWithItsSource) {
  Bench bench;
  bench.start();
  bench.estop(true, "wall");
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ("wall", bench.reports[0].source.view());
}

TEST(Kernel, AHoldIsNoBraking) {
  Bench bench;
  bench.start();
  ASSERT_TRUE(bench.tick().emit);
  EXPECT_FALSE(bench.last.braking);
}

// 3 times 1 rad/s is allowed of a measurement, and not a digit more.
TEST(Kernel, AMeasuredSpeedMayReachItsLimit) {
  Bench bench;
  bench.start();
  bench.follows = false;
  bench.measured.velocity[0] = 3;
  bench.ticks(2);
  EXPECT_EQ(State::kHolding, bench.state());
  bench.measured.velocity[0] = -std::nextafter(3.0, 4.0);
  bench.ticks(2);
  EXPECT_EQ(State::kLatched, bench.state());
}

TEST(Kernel, EStopWhileBrakingStillLatches) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  while (bench.state() == State::kActive) bench.tick();
  bench.estop(true);
  bench.ticks(20);
  EXPECT_EQ(State::kLatched, bench.state());
}

TEST(Kernel, EStopWhileDisarmedLatches) {
  Bench bench;
  bench.ticks(2);
  bench.estop(true);
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
}

TEST(Kernel, ResetNeedsLevelClearStandstillAndCooldown) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(State::kLatched, bench.state());
  EXPECT_FALSE(bench.reset());
  const auto clear_for = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (i % 50 == 0) bench.estop(false);
      bench.tick();
    }
  };
  clear_for(100);  // half a second: the cooldown is 1 s
  EXPECT_TRUE(bench.unmet(Reason::kEstopCooldown));
  EXPECT_FALSE(bench.reset());
  clear_for(100);
  bench.follows = false;
  bench.measured.velocity[1] = 0.1;
  clear_for(4);
  EXPECT_FALSE(bench.reset());
  bench.measured.velocity[1] = 0;
  clear_for(4);
  bench.inputs.arm = true;
  EXPECT_EQ(Reason::kLatched, bench.tick().arm.reason);  // arming alone does not do it
  EXPECT_TRUE(bench.reset());
  EXPECT_EQ(State::kDisarmed, bench.state());
  EXPECT_TRUE(bench.arm());
}

// Whoever asks to arm a latched robot is told that first, whatever else keeps it.
TEST(Kernel, ALatchIsTheAnswerToArming) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  bench.estop(true);
  bench.inputs.arm = bench.inputs.arm_recovery = true;
  const Output& output = bench.tick();
  EXPECT_EQ(Reason::kLatched, output.arm.reason);
  EXPECT_EQ(Reason::kLatched, output.arm_recovery.reason);
  EXPECT_TRUE(bench.unmet(Reason::kEstop));
}

TEST(Kernel, EveryRequestIsAnswered) {
  Bench bench;
  bench.ticks(2);
  bench.inputs.reset = bench.inputs.arm_recovery = true;
  const Reply reset = bench.tick().reset;
  EXPECT_TRUE(reset.given);
  EXPECT_FALSE(reset.success);
  EXPECT_EQ(Reason::kNotLatched, reset.reason);
  bench.inputs.arm_recovery = true;
  const Reply recovery = bench.tick().arm_recovery;
  EXPECT_TRUE(recovery.given);
  EXPECT_EQ(Reason::kRecoveryNotNeeded, recovery.reason);
  bench.inputs.arm = true;
  const Reply arm = bench.tick().arm;
  EXPECT_TRUE(arm.given);
  EXPECT_TRUE(arm.success);
  EXPECT_EQ(Reason::kNone, arm.reason);
}

// Cut at 0.6 rad/s, reset, and armed in the very tick in which a motion from rest comes under the
// new epoch: it begins at rest, and changes no mode.
TEST(Kernel, ArmingForgetsTheMotionBeforeIt) {
  for (const bool gripper : {false, true}) {
    Bench bench;
    bench.start();
    auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
    bench.play(*chunk, 40);
    bench.inputs.fault = true;
    EXPECT_FALSE(bench.tick().emit);
    bench.measured.velocity = {};
    bench.ticks(2);
    ASSERT_TRUE(bench.reset());
    auto next =
        gripper ? duo::chunk({{0.04}, {0.0392}, {0.0384}}) : reach(bench.measured.position[0]);
    if (gripper) {
      next->control_mode = 8;
      next->name_count = 1;
      next->joint_names[0].assign("finger");
    }
    bench.stamp(*next);
    ++next->epoch;
    bench.inputs.chunk = next.get();
    const std::uint64_t epoch = bench.epoch();
    EXPECT_TRUE(bench.arm());
    EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
    EXPECT_EQ(epoch + 1, bench.epoch());
  }
}

TEST(Kernel, AResetInTheTickThatLatchesIsRefused) {
  Bench bench;
  bench.start();
  for (int i = 0; i < 3; ++i) {
    bench.inputs.lateness = 6 * kMillisecond;
    bench.inputs.reset = bench.inputs.arm = i == 2;
    bench.tick();
  }
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_TRUE(bench.reset());
}

TEST(Kernel, WhatArrivedWhileLatchedIsDiscarded) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  auto chunk = reach();
  bench.send(*chunk);
  EXPECT_EQ(Reason::kLatched, bench.reports.back().finding.reason);
  EXPECT_EQ("estop", bench.reason_text());  // the cause stays in the status
  for (int i = 0; i < 201; ++i) {
    if (i % 50 == 0) bench.estop(false);
    bench.tick();
  }
  ASSERT_TRUE(bench.reset());
  ASSERT_TRUE(bench.arm());
  bench.ticks(20);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_EQ(0u, bench.status().chunks_admitted);
}

// ---- 26. Self-watchdog

TEST(Kernel, ThreeLateTicksLatchAtOnce) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  for (int i = 0; i < 3; ++i) {
    bench.inputs.lateness = 6 * kMillisecond;
    bench.tick();
  }
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("late_ticks", bench.reason_text());
  EXPECT_EQ(3u, bench.status().late_ticks);
}

TEST(Kernel, OneStallOfMoreThanThreeTicksLatchesAtOnce) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  bench.now += 10 * duo::kTick;
  bench.inputs.lateness = 10 * duo::kTick;
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("late_ticks", bench.reason_text());
}

TEST(Kernel, AnOverrunNeverEnlargesAStep) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  const double before = bench.last.position[0];
  bench.now += 3 * duo::kTick;
  bench.inputs.lateness = 3 * duo::kTick;
  bench.tick();
  EXPECT_NEAR(before + 0.003, bench.last.position[0], 1e-12);  // 0.6 rad/s * 5 ms
}

TEST(Kernel, AnInternalFaultLatchesAtOnce) {
  Bench bench;
  bench.start();
  bench.inputs.fault = true;
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("internal_fault", bench.reason_text());
}

// ---- 28. Sole authority

TEST(Kernel, SecondPublisherLatches) {
  Bench bench;
  bench.start();
  bench.inputs.second_publisher = true;
  bench.tick();
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("second_publisher", bench.reason_text());
}

// ---- 29. Evidence

TEST(Kernel, EveryRefusalAndStopIsReportedWithItsEvidence) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-3");
  chunk->values[15] = 2.5;  // row 5, shoulder
  bench.send(*chunk);
  ASSERT_EQ(1u, bench.reports.size());
  const Report& refusal = bench.reports[0];
  EXPECT_EQ(Severity::kWarn, refusal.severity);
  EXPECT_EQ(Reason::kPositionLimit, refusal.finding.reason);
  EXPECT_EQ(5, refusal.finding.row);
  EXPECT_EQ(0, refusal.finding.joint);
  EXPECT_EQ(2.5, refusal.finding.value);
  EXPECT_EQ(2, refusal.finding.limit);
  EXPECT_EQ("attempt-3", refusal.trace_id.view());
  auto good = reach();
  good->trace_id.assign("attempt-4");
  bench.play(*good, 8);
  bench.ticks(20);
  ASSERT_EQ(2u, bench.reports.size());
  EXPECT_EQ(Severity::kFail, bench.reports[1].severity);
  EXPECT_EQ(Reason::kChunkStale, bench.reports[1].finding.reason);
  EXPECT_EQ("attempt-4", bench.reports[1].trace_id.view());
  EXPECT_EQ(1u, bench.status().stops);
}

// Rows of four ticks: seven are over at the 29th, when the chunk that came with the 13th is stale.
TEST(Kernel, AStopNamesTheRowThatWasReached) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 44)));
  bench.play(*chunk, 13);
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(7, bench.status().finding.row);
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(7, bench.reports[0].finding.row);
  EXPECT_EQ(chunk->sequence, bench.reports[0].sequence);
}

// Counted in the window that is played, as the rows of a refusal are.
TEST(Kernel, AStopCountsItsRowInTheLastWindow) {
  Bench bench;
  bench.start();
  const auto rows = duo::shoulder_rows(duo::trapezoid(3, 44));
  auto first = duo::chunk(rows);
  bench.play(*first, 12);
  auto window = duo::chunk(duo::Rows(rows.begin() + 2, rows.end()));
  window->first_row = 2;
  bench.send(*window);
  while (bench.state() == State::kActive) bench.tick();
  ASSERT_EQ("chunk_stale", bench.reason_text());
  EXPECT_EQ(5, bench.status().finding.row);
}

TEST(Kernel, ALatchThatInterruptsNoChunkNamesNone) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-5");
  bench.play(*chunk, 61);
  ASSERT_EQ(State::kHolding, bench.state());
  bench.ticks(2);
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ(Reason::kEstop, bench.reports[0].finding.reason);
  EXPECT_EQ(0u, bench.reports[0].sequence);
  EXPECT_EQ("", bench.reports[0].trace_id.view());
  EXPECT_EQ("", bench.reports[0].skill_id.view());
  EXPECT_EQ(-1, bench.reports[0].finding.row);
}

TEST(Kernel, ALatchThatInterruptsAChunkNamesItAndItsRow) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  chunk->trace_id.assign("attempt-6");
  bench.play(*chunk, 18);  // two ticks into the fifth row
  bench.estop(true);
  bench.tick();
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ("attempt-6", bench.reports[0].trace_id.view());
  EXPECT_EQ(4, bench.reports[0].finding.row);
}

TEST(Kernel, OnlyAnEStopNamesItsSource) {
  Bench bench;
  bench.start();
  bench.estop(true);
  bench.tick();
  for (int i = 0; i < 201; ++i) {
    if (i % 50 == 0) bench.estop(false);
    bench.tick();
  }
  ASSERT_TRUE(bench.reset());
  bench.inputs.second_publisher = true;
  bench.tick();
  ASSERT_EQ(2u, bench.reports.size());
  EXPECT_EQ("pendant", bench.reports[0].source.view());
  EXPECT_EQ(Reason::kSecondPublisher, bench.reports[1].finding.reason);
  EXPECT_EQ("", bench.reports[1].source.view());
}

TEST(Kernel, TheSameInputReplaysToTheSameDecisions) {
  Bench first;
  Bench second;
  for (Bench* bench : {&first, &second}) {
    bench->start();
    auto chunk = reach();
    bench->play(*chunk, 30);
    bench->estop(true);
    bench->ticks(30);
  }
  ASSERT_EQ(first.emitted.size(), second.emitted.size());
  for (std::size_t i = 0; i < first.emitted.size(); ++i) {
    EXPECT_EQ(first.emitted[i].position, second.emitted[i].position);
    EXPECT_EQ(first.emitted[i].sequence, second.emitted[i].sequence);
    EXPECT_EQ(i + 1, first.emitted[i].sequence);
  }
  EXPECT_EQ(first.epoch(), second.epoch());
}

}  // namespace
}  // namespace openral::safety
