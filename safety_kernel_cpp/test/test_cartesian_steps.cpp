// Behaviour 3, the modes cartesian_twist and cartesian_delta.
#include "cartesian_steps.hpp"

#include <cmath>

#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

std::unique_ptr<Chunk> twists(const duo::Rows& rows) {
  return duo::cartesian(rows, ControlMode::kCartesianTwist);
}
std::unique_ptr<Chunk> deltas(const duo::Rows& rows) {
  return duo::cartesian(rows, ControlMode::kCartesianDelta);
}

TEST(CartesianSteps, TwistsAreIntegratedFromTheStart) {
  const auto chunk = twists({{0.5, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, M_PI / 2}, {0, 0, 0, 0, 0, 0}});
  chunk->dt = 0.1;
  const auto poses = std::make_unique<Chunk>();
  add_up(*chunk, {{1, 2, 3}, {0, 0, 0, 1}}, *poses);
  EXPECT_EQ(21u, poses->value_count);
  EXPECT_EQ(3u, poses->horizon);
  const double expected[] = {1,
                             2,
                             3,
                             0,
                             0,
                             0,
                             1,  //
                             1.05,
                             2,
                             3,
                             0,
                             0,
                             0,
                             1,  //
                             1.05,
                             2.1,
                             3,
                             0,
                             0,
                             std::sin(M_PI / 40),
                             std::cos(M_PI / 40)};
  for (std::size_t i = 0; i < 21; ++i) EXPECT_NEAR(expected[i], poses->values[i], 1e-12) << i;
}

TEST(CartesianSteps, DeltasAreAddedUpAsTheyAre) {
  const auto chunk = deltas({{0.01, 0, 0, 0, 0, 0}, {0, 0.02, 0, 0, 0, 0.03}, {0, 0, 0, 0, 0, 0}});
  const auto poses = std::make_unique<Chunk>();
  add_up(*chunk, {{1, 2, 3}, {0, 0, 0, 1}}, *poses);
  const double expected[] = {1.01, 2.02, 3, 0, 0, std::sin(0.015), std::cos(0.015)};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(expected[i], poses->values[14 + i], 1e-12) << i;
}

TEST(CartesianSteps, BoundsEveryRow) {
  const Configuration configuration = duo::configuration(duo::raw_in_every_mode());
  auto chunk = twists({{0, 0, 0, 0, 0, 0}, {0, 1.21, 0, 0, 0, 0}});
  chunk->last = false;
  // The row that a window ends with is played only by the next one, and bounded already.
  Finding finding = check_steps(configuration, *chunk);
  EXPECT_EQ("tool_speed", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_EQ(1.21, finding.value);
  chunk = twists({{0, 0, 0, 0.7, 0.7, 0}});
  chunk->last = false;
  finding = check_steps(configuration, *chunk);
  EXPECT_EQ("tool_rotation", name(finding));
  EXPECT_NEAR(std::sqrt(0.98), finding.value, 1e-12);
  // 0.025 m in 0.02 s are 1.25 m/s.
  chunk = deltas({{0.025, 0, 0, 0, 0, 0}});
  chunk->last = false;
  finding = check_steps(configuration, *chunk);
  EXPECT_EQ("tool_speed", name(finding));
  EXPECT_NEAR(1.25, finding.value, 1e-12);
  finding = check_steps(configuration, *twists({{1e-9, 0, 0, 0, 0, 0}}));
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_EQ(1e-9, finding.value);
  EXPECT_EQ(0, finding.limit);
  for (std::size_t i = 0; i < 12; ++i) {
    chunk = twists({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}});
    chunk->values[i] = i % 2 == 0 ? std::nan("") : -HUGE_VAL;
    finding = check_steps(configuration, *chunk);
    EXPECT_EQ("not_finite", name(finding));
    EXPECT_EQ(static_cast<int>(i / 6), finding.row);
    EXPECT_EQ(-1, finding.joint);
  }
}

// ---- in the kernel

constexpr int kRows = 16;

// The robot is where it is told to be, in joints that only the planar arm has: the turning is left
// out of it, within the error that is allowed.
class StepKernel : public testing::Test {
 protected:
  // Along y, by steps of 0.1 m/s, and a little turning; the last row is zero.
  [[nodiscard]] static duo::Rows steps(double unit) {
    duo::Rows rows;
    for (int r = 0; r < kRows; ++r) {
      const double speed = 0.1 * std::min({r, 3, kRows - 1 - r});
      rows.push_back({0, speed * unit, 0, 0, 0, speed / 2 * unit});
    }
    return rows;
  }
  [[nodiscard]] static std::unique_ptr<Chunk> part(const Chunk& whole, std::size_t first,
                                                   std::size_t count) {
    auto chunk = std::make_unique<Chunk>();
    chunk->copy_from(whole);
    chunk->first_row = first;
    chunk->horizon = count;
    chunk->value_count = count * 6;
    chunk->last = first + count == whole.horizon;
    std::copy_n(whole.values.begin() + static_cast<std::ptrdiff_t>(first * 6), count * 6,
                chunk->values.begin());
    return chunk;
  }
};

TEST_F(StepKernel, TwistsDeltasAndTheirPosesAreTheSameMotion) {
  const auto twist = twists(steps(1));
  const auto delta = deltas(steps(duo::kDt));
  const auto pose = std::make_unique<Chunk>();
  const auto start = duo::planar_pose(duo::kShoulder, duo::kElbow);
  add_up(*twist, {{start[0], start[1], start[2]}, {0, 0, start[5], start[6]}}, *pose);
  pose->control_mode = static_cast<std::uint8_t>(ControlMode::kCartesianPose);
  std::vector<std::vector<Command>> runs;
  for (Chunk* chunk : {twist.get(), delta.get(), pose.get()}) {
    duo::PoseBench bench;
    bench.start();
    bench.play(*chunk, 70);
    EXPECT_EQ("", bench.reason_text());
    EXPECT_EQ(State::kHolding, bench.state());
    runs.push_back(bench.emitted);
  }
  for (const auto& run : runs) {
    ASSERT_EQ(runs[0].size(), run.size());
    for (std::size_t i = 0; i < run.size(); ++i) {
      EXPECT_EQ(runs[0][i].mode, run[i].mode);
      for (std::size_t v = 0; v < 7; ++v) {
        EXPECT_NEAR(runs[0][i].position[v], run[i].position[v], 1e-9) << i;
      }
    }
  }
  // 0.02 * 0.1 (1 + 2 + 3 * 10 + 2 + 1) = 0.072 m along y.
  EXPECT_NEAR(0.072, runs[0].back().position[1] - start[1], 1e-9);
}

// A lost window shifts nothing: the rows that come next are added up on the pose that is commanded.
TEST_F(StepKernel, ALostWindowDoesNotShiftThePath) {
  for (const bool lost : {false, true}) {
    duo::PoseBench bench;
    bench.start();
    const auto whole = deltas(steps(duo::kDt));
    auto window = part(*whole, 0, 8);
    bench.send(*window);
    bench.ticks(7);
    window = part(*whole, 1, 9);
    if (lost) {
      bench.tick();
    } else {
      bench.send(*window);
    }
    bench.ticks(3);
    window = part(*whole, 2, 14);
    bench.send(*window);
    bench.play(*window, 70);
    EXPECT_EQ("", bench.reason_text()) << lost;
    EXPECT_EQ(State::kHolding, bench.state()) << lost;
    EXPECT_NEAR(0.072, bench.last.position[1], 1e-12) << lost;
  }
}

// Nor does it move a last binary digit how often the rows come, or in which windows: a flood plays
// the same motion. A unit quaternion that is made a unit again may be another one.
TEST_F(StepKernel, RowsThatComeAgainChangeNoBit) {
  for (int place = 0; place < 20; ++place) {
    std::vector<std::vector<Command>> runs;
    for (const bool windows : {false, true}) {
      duo::PoseBench bench;
      bench.measured.position = {duo::kShoulder - 0.003 * place, duo::kElbow, 0.04};
      bench.start();
      const auto whole = twists(steps(1));
      auto chunk = part(*whole, 0, kRows);
      bench.send(*chunk);
      for (int tick = 1; tick < 60; ++tick) {
        if (windows) {
          const auto first = static_cast<std::size_t>(bench.status().consumed_row);
          chunk = part(*whole, first, std::min<std::size_t>(8, kRows - first));
          bench.send(*chunk);
        } else if (tick % 8 == 0) {
          bench.send(*chunk);
        } else {
          bench.tick();
        }
      }
      ASSERT_EQ("", bench.reason_text());
      ASSERT_EQ(State::kHolding, bench.state());
      runs.push_back(bench.emitted);
    }
    ASSERT_EQ(runs[0].size(), runs[1].size());
    for (std::size_t i = 0; i < runs[0].size(); ++i) {
      ASSERT_EQ(runs[0][i].position, runs[1][i].position) << i;
      ASSERT_EQ(runs[0][i].velocity, runs[1][i].velocity) << i;
    }
  }
}

// The rows' own limits, of which the last row's leads to no pose of this chunk.
TEST_F(StepKernel, EveryRowIsBoundedTheLastOneToo) {
  duo::PoseBench bench;
  bench.start();
  auto chunk = twists({{0, 0, 0, 0, 0, 0}, {0, 0.01, 0, 0, 0, 0}});
  bench.send(*chunk);
  EXPECT_EQ("end_not_at_rest", bench.reason_text());
  chunk = twists({{0, 0, 0, 0, 0, 0}, {0, 1.21, 0, 0, 0, 0}});
  chunk->last = false;
  bench.send(*chunk);
  EXPECT_EQ("tool_speed", bench.reason_text());
  EXPECT_EQ(1, bench.status().finding.row);
  EXPECT_EQ(State::kHolding, bench.state());
}

TEST_F(StepKernel, AWindowFromBeforeTheOneInForceHasNoPose) {
  duo::PoseBench bench;
  bench.start();
  const auto whole = deltas(steps(duo::kDt));
  auto window = part(*whole, 0, 8);
  bench.send(*window);
  bench.ticks(11);
  window = part(*whole, 2, 8);
  bench.send(*window);
  EXPECT_EQ("", bench.reason_text());
  window = part(*whole, 1, 8);
  bench.send(*window);
  EXPECT_EQ("first_row", bench.reason_text());
}

// Every twist is slow; together they lead out of the box, which ends at y = 1.2.
TEST_F(StepKernel, TwistsThatAddUpToTheEdgeAreRefused) {
  duo::PoseBench bench;
  bench.measured.position = {0.3, duo::kElbow, 0.04};  // the tool at y = sin 0.3 + sin 0.9 = 1.079
  bench.start();
  duo::Rows rows;
  for (int i = 0; i < 40; ++i) rows.push_back({0, 0.1 * std::min({i, 2, 39 - i}), 0, 0, 0, 0});
  auto chunk = twists(rows);
  bench.send(*chunk);
  EXPECT_EQ("workspace", bench.reason_text());
  EXPECT_EQ(State::kHolding, bench.state());
  chunk = twists(duo::Rows(rows.begin(), rows.begin() + 20));
  chunk->last = false;
  bench.send(*chunk);
  EXPECT_EQ("workspace", bench.reason_text());  // the first refusal's, still
  EXPECT_EQ(State::kActive, bench.state());
}

}  // namespace
}  // namespace openral::safety
