// Behaviours 5 and 13 of poses: a chunk goes on from the tool's pose and its rows; one that is
// refused leaves no trace.
#include <cmath>

#include "pose_kernel.hpp"

namespace openral::safety {
namespace {

using duo::PoseKernel;

TEST_F(PoseKernel, AFirstRowElsewhereIsRefused) {
  auto chunk = arc(speeds(4));
  for (std::size_t row = 0; row < chunk->horizon; ++row) chunk->values[row * 7] -= 0.02;
  bench_.send(*chunk);
  EXPECT_EQ("splice_position", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
}

// Case first-chunk-from-the-middle.
TEST_F(PoseKernel, FirstChunkFromTheMiddle) {
  auto chunk = arc(speeds(20));
  chunk->first_row = 10;
  bench_.send(*chunk);
  EXPECT_EQ("first_row", bench_.reason_text());
}

// The tool moves to the left. 0.14, 0.28, 0.14 m/s accelerate by 7, 7 and -7 m/s^2: 700 m/s^3 where
// 600 are allowed. A chunk that holds all of it is refused, and so is the window that would only
// hold the turn.
TEST_F(PoseKernel, AWindowGoesOnWithinTheJerkOfTheRowsBeforeIt) {
  const auto window = [&](const std::vector<double>& speeds, std::size_t first) {
    const duo::Rows all = duo::leftwards(speeds);
    auto chunk = duo::poses({all[first], all[first + 1], all[first + 2]});
    chunk->first_row = first;
    chunk->last = false;
    return chunk;
  };
  const std::vector<double> turns = {0.14, 0.28, 0.14, 0};
  bench_.send(*duo::poses(duo::leftwards(turns)));
  EXPECT_EQ("tool_jerk", bench_.reason_text());
  bench_.send(*window(turns, 0));
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.ticks(3);
  EXPECT_NEAR(1, bench_.status().consumed_row, 1e-9);
  bench_.send(*window(turns, 1));
  EXPECT_EQ("splice_jerk", bench_.reason_text());
  EXPECT_NEAR(700, bench_.status().finding.value, 1e-6);
  EXPECT_EQ(600, bench_.status().finding.limit);
  // 0.14, 0.28, 0.32, 0.32: 7, 2 and 0 m/s^2. The verified tail was left running meanwhile.
  const std::vector<double> eases = {0.14, 0.28, 0.32, 0.32};
  bench_.send(*window(eases, 1));
  EXPECT_EQ(2u, bench_.status().chunks_admitted);
  bench_.ticks(2);
  bench_.send(*window(eases, 2));
  EXPECT_EQ(3u, bench_.status().chunks_admitted);
  EXPECT_EQ(State::kActive, bench_.state());
}

// A new timeline too goes on from the rows that were played: 7 m/s^2 and then -7.
TEST_F(PoseKernel, ANewTimelineGoesOnWithinTheJerkOfTheOneBefore) {
  auto first = duo::poses(duo::leftwards({0.14, 0.28, 0.36, 0.36}));
  first->last = false;
  bench_.send(*first);
  bench_.ticks(7);  // row 2, in which it was played at 0.28 m/s after 7 m/s^2
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  auto slower = duo::poses(duo::leftwards({0.14, 0.14}, 0.42 * duo::kDt));
  slower->timeline = 2;
  slower->last = false;
  bench_.send(*slower);
  EXPECT_EQ("splice_jerk", bench_.reason_text());
  EXPECT_NEAR(700, bench_.status().finding.value, 1e-6);
}

// A motion that ends at 0.1 rad/s, 0.19 m/s, is at rest for the one after it, in its later windows
// too: back at once would be 19 m/s^2.
TEST_F(PoseKernel, AHoldEndsTheRowsOfTheMotionBeforeIt) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  const double at = duo::kShoulder + 0.02 * (0.1 + 0.2 + 4 * 0.3 + 0.2 + 0.1);
  duo::Rows rows;
  for (int i = 0; i < 4; ++i) rows.push_back(duo::planar_pose(at - 0.002 * i, duo::kElbow));
  auto back = duo::poses(rows);
  back->timeline = 2;
  bench_.send(*back);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.tick();
  bench_.send(*back);
  EXPECT_EQ(0u, bench_.status().chunks_refused) << bench_.reason_text();
}

// Case nan-does-not-stick.
TEST_F(PoseKernel, NanDoesNotStick) {
  duo::PoseBench other;
  other.start();
  auto chunk = arc(speeds(20));
  auto bad = arc(speeds(20));
  bad->values[20] = std::nan("");
  for (duo::Bench* bench : {&bench_, &other}) {
    bench->send(*chunk);
    bench->ticks(3);
    if (bench == &bench_) {
      bench->send(*bad);
      EXPECT_EQ("not_finite", bench->reason_text());
    } else {
      bench->tick();
      ++bench->sequence;
    }
    bench->ticks(3);
    bench->send(*chunk);
    bench->ticks(10);
  }
  expect_same_motion(other, bench_);
}

}  // namespace
}  // namespace openral::safety
