// Behaviours 13 and 14 of motions that are planned anew more often than their rows change: no
// joint and no tool changes its speed any faster for it.
#include <cmath>
#include <vector>

#include "bench.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

using duo::Bench;

// Speeds [rad/s] of the shoulder from command to command.
std::vector<double> speeds_of(const Bench& bench) {
  std::vector<double> speeds;
  for (std::size_t i = 1; i < bench.emitted.size(); ++i) {
    speeds.push_back((bench.emitted[i].position[0] - bench.emitted[i - 1].position[0]) / 0.005);
  }
  return speeds;
}

// All changes within any time t come to a (t + dt) at most.
void expect_changes_as_of_rows(const std::vector<double>& speeds, double acceleration_max) {
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    double changes = 0;
    for (std::size_t k = i; k < speeds.size(); ++k) {
      changes += std::abs(speeds[k] - speeds[k - 1]);
      const double time = static_cast<double>(k - i) * 0.005 + duo::kDt;
      ASSERT_LE(changes, acceleration_max * time + 1e-9) << i << " to " << k;
    }
  }
}

// A new timeline in every tick, 0.2 rad/s faster than what is commanded: 1 rad/s is the fastest
// joint's limit, which rows reach in 80 ms at 10 rad/s^2, from 0.2 rad/s that they begin with.
TEST(KernelReplanning, NewTimelinesAccelerateNoFasterThanRows) {
  Bench bench;
  bench.start();
  std::uint64_t timeline = 0;
  int ticks = 0;
  double speed = 0;
  while (speed < 0.999 && ticks < 100) {
    const double next = std::min(speed + 0.2, 1.0);
    auto chunk = duo::chunk(duo::shoulder_rows({next, next, next}, bench.status().commanded[0]));
    chunk->timeline = ++timeline;
    chunk->last = false;
    bench.send(*chunk);
    ASSERT_NE(State::kBraking, bench.state()) << bench.reason_text();
    const auto speeds = speeds_of(bench);
    speed = speeds.empty() ? 0 : speeds.back();
    ++ticks;
  }
  EXPECT_GE(ticks, 16);
  EXPECT_LE(ticks, 21);
  EXPECT_GT(bench.status().chunks_refused, 0u);
  EXPECT_EQ("splice_acceleration", bench.reason_text());
  expect_changes_as_of_rows(speeds_of(bench), 10);
}

// Of one timeline, whose rows are moved by a milliradian every second tick: 0.2 rad/s there, and
// none.
TEST(KernelReplanning, ShiftedWindowsDoNotShakeAJoint) {
  Bench bench;
  bench.start();
  duo::Rows rows(6, {0, 0, 0.04});
  auto chunk = duo::chunk(rows);
  chunk->last = false;
  bench.send(*chunk);
  int admitted = 0;
  for (int i = 0; i < 12 && bench.state() == State::kActive; ++i) {
    for (auto& row : rows) row[0] = bench.status().commanded[0] + (i % 2 == 0 ? 0.001 : 0);
    chunk = duo::chunk(rows);
    chunk->last = false;
    const std::uint64_t before = bench.status().chunks_admitted;
    bench.send(*chunk);
    admitted += i % 2 == 0 && bench.status().chunks_admitted > before ? 1 : 0;
  }
  EXPECT_EQ(0, admitted);  // there and back is more than a row may do
  expect_changes_as_of_rows(speeds_of(bench), 10);
  // By half of that it may be moved, once.
  for (auto& row : rows) row[0] = bench.status().commanded[0] + 0.0005;
  chunk = duo::chunk(rows);
  chunk->last = false;
  bench.send(*chunk);
  EXPECT_EQ(State::kActive, bench.state());
  EXPECT_NEAR(0.0005, bench.status().commanded[0], 1e-12);
  for (auto& row : rows) row[0] = bench.status().commanded[0] - 0.0005;
  chunk = duo::chunk(rows);
  chunk->last = false;
  bench.send(*chunk);
  EXPECT_EQ("splice_acceleration", bench.reason_text());
}

// Planned anew within a row that speeds up, and again: the row's own change counts as well.
TEST(KernelReplanning, ATimelineWithinARowHasNoRowOfItsOwn) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows({0.15, 0.15, 0.15}));
  chunk->last = false;
  bench.send(*chunk);
  bench.tick();
  const auto faster = [&](double speed) {
    auto next = duo::chunk(duo::shoulder_rows({speed, speed}, bench.status().commanded[0]));
    next->timeline = bench.status().timeline + 1;
    next->last = false;
    bench.send(*next);
    return bench.reason_text();
  };
  // 0.15 rad/s took 15 ms of the row's 20, of which 10 have passed: 15 are left. In the row's own
  // sum 0.05 rad/s are left.
  EXPECT_EQ("splice_acceleration", faster(0.21));
  EXPECT_NEAR(10.5, bench.status().finding.value, 1e-9);
  EXPECT_EQ("splice_acceleration", faster(0.2 + 1e-6));
  faster(0.2);
  EXPECT_EQ(2u, bench.status().timeline);
}

// The tool alike: 0.2 m/s are a row's change.
TEST(KernelReplanning, NewTimelinesAccelerateAToolNoFasterThanRows) {
  duo::PoseBench bench;
  bench.start();
  std::uint64_t timeline = 0;
  double y = 0;
  double speed = 0;
  std::vector<double> speeds;
  for (int i = 0; i < 40; ++i) {
    const double next = std::min(speed + 0.15, 0.6);
    auto chunk = duo::poses(duo::leftwards({next, next, next}, y));
    chunk->timeline = ++timeline;
    chunk->last = false;
    bench.send(*chunk);
    if (bench.last.mode != ControlMode::kCartesianPose) continue;
    ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
    speed = (bench.last.position[1] - y) / 0.005;
    y = bench.last.position[1];
    speeds.push_back(speed);
  }
  EXPECT_NEAR(0.6, speed, 1e-9);
  EXPECT_GT(bench.status().chunks_refused, 0u);
  EXPECT_EQ("splice_acceleration", bench.reason_text());
  expect_changes_as_of_rows(speeds, 10 * 1.01 + 1e-6);
}

}  // namespace
}  // namespace openral::safety
