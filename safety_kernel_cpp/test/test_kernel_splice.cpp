// Behaviours 5 and 13: a chunk goes on from what is commanded and measured; one that is refused
// leaves no trace.
#include <cmath>

#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::expect_finding;
using duo::reach;

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
  expect_same_motion(without, with);
  EXPECT_EQ(1u, with.status().chunks_refused);
}

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
  expect_same_motion(without, with);
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
  expect_finding(bench.status().finding, Reason::kFirstRow, 0, -1, 21, 0);
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

}  // namespace
}  // namespace openral::safety
