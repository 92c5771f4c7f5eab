// Behaviour 8: epoch and sequence.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::long_reach;
using duo::reach;

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
  bench.recover_from_estop();
  EXPECT_EQ(104u, bench.epoch());
}

TEST(Kernel, EpochRisesOnModeChange) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 61);
  ASSERT_EQ(State::kHolding, bench.state());
  const std::uint64_t epoch = bench.epoch();
  auto gripper = duo::gripper({0.04, 0.0392, 0.0384});
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
  auto gripper = duo::gripper({0.04});
  gripper->timeline = 2;
  bench.send(*gripper);
  EXPECT_EQ("mode_change_in_motion", bench.reason_text());
  gripper->timeline = 1;
  bench.send(*gripper);
  EXPECT_EQ("mode_change_in_motion", bench.reason_text());
  EXPECT_EQ(State::kActive, bench.state());
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
  auto chunk = long_reach();  // 50 rows and one
  const std::uint64_t old_epoch = bench.epoch();
  bench.play(*chunk, 40);  // row 10
  bench.estop(true);
  bench.ticks(20);
  ASSERT_EQ(State::kLatched, bench.state());
  bench.follows = false;
  bench.measured.position[0] += 0.5;
  bench.measured.velocity = {};
  bench.recover_from_estop();
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

}  // namespace
}  // namespace openral::safety
