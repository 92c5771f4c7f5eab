// Behaviours 9 to 12: how old a chunk and what it was made from may be.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::expect_finding;
using duo::kMillisecond;
using duo::kTick;
using duo::long_reach;
using duo::reach;

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
    EXPECT_EQ(1u, bench.status().chunks_refused);
    expect_finding(bench.status().finding, Reason::kChunkStale, -1, -1, 0.080000001, 0.08);
  }
}

TEST(Kernel, DeadRunnerBrakesWithin120Milliseconds) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
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

// Every so many ticks a chunk comes, as `put` puts it in; the motion stops in the tenth at the
// latest.
void expect_frozen_within_ten_ticks(Bench& bench, int period, const std::function<void()>& put) {
  int ticks = 0;
  while (bench.state() == State::kActive && ticks < 30) {
    if (++ticks % period == 0) put();
    bench.tick();
  }
  EXPECT_EQ("observation_frozen", bench.reason_text());
  EXPECT_LE(ticks, 10);
}

// Case frozen-publisher: the stamp stands still, the headers do not.
TEST(Kernel, FrozenPublisherStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 17);
  const Nanoseconds frozen = chunk->observation_stamp;
  // 30 Hz
  expect_frozen_within_ten_ticks(bench, 7, [&] {
    bench.stamp(*chunk);
    chunk->observation_stamp = frozen;
    bench.inputs.chunk = chunk.get();
  });
}

// A chunk that comes again and again is refused, and shows that its maker runs on what it saw.
TEST(Kernel, AFrozenPublisherThatRepeatsItsChunkStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 17);
  expect_frozen_within_ten_ticks(bench, 4, [&] {
    chunk->received = bench.now + kTick;
    bench.inputs.chunk = chunk.get();
  });
}

TEST(Kernel, AFrozenPublisherThatPlansAnewWithEveryChunkStopsWithinTenTicks) {
  Bench bench;
  bench.start();
  auto chunk = long_reach();
  bench.play(*chunk, 17);
  const Nanoseconds frozen = chunk->observation_stamp;
  std::uint64_t timeline = 1;
  std::unique_ptr<Chunk> anew;
  expect_frozen_within_ten_ticks(bench, 4, [&] {
    // Goes on at 0.6 rad/s from where the last command is.
    anew = duo::chunk(
        duo::shoulder_rows({0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6}, bench.last.position[0]));
    anew->last = false;
    anew->timeline = ++timeline;
    bench.stamp(*anew);
    anew->observation_stamp = frozen;
    bench.inputs.chunk = anew.get();
  });
  EXPECT_EQ(0u, bench.status().chunks_refused);
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

TEST(Kernel, ClockImmunity) {
  // Two runs, in one of which the robot's clock jumps by an hour while a runner dies: the same
  // commands.
  Bench still;
  Bench jumping;
  for (Bench* bench : {&still, &jumping}) {
    bench->start();
    auto chunk = long_reach();
    bench->play(*chunk, 20);
    if (bench == &jumping) bench->clock_offset += 3'600'000 * kMillisecond;
    bench->play(*chunk, 20);
    if (bench == &jumping) bench->clock_offset -= 7'200'000 * kMillisecond;
    bench->play(*chunk, 20);
    bench->ticks(60);
  }
  expect_same_motion(still, jumping);
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

}  // namespace
}  // namespace openral::safety
