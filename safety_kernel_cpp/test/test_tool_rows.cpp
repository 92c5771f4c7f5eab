// Behaviours 13 and 14 of a tool: what was played is known across the windows that brought it.
#include "tool_rows.hpp"

#include <cmath>

#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

constexpr double kTick = 0.005;  // [s]

// Along y, each entry the speed on the way to the next row.
std::unique_ptr<Chunk> window(const std::vector<double>& speeds, std::uint64_t first_row = 0) {
  double y = 0;
  duo::Rows rows = {{1.5, y, 0.1, 0, 0, 0, 1}};
  for (const double speed : speeds) {
    y += speed * duo::kDt;
    rows.push_back({1.5, y, 0.1, 0, 0, 0, 1});
  }
  auto chunk = duo::poses(rows);
  chunk->first_row = first_row;
  return chunk;
}

void expect(double twist, double acceleration, double before, const ToolRows& rows) {
  EXPECT_NEAR(twist, rows.row().twist.linear[1], 1e-9);
  EXPECT_NEAR(acceleration, rows.row().acceleration.linear[1], 1e-9);
  EXPECT_NEAR(before, rows.row().acceleration_before.linear[1], 1e-9);
}

TEST(ToolRows, TwistOfARowThatTheWindowHolds) {
  const auto chunk = window({0.1, 0.3}, 5);
  EXPECT_NEAR(0.1, twist_of_row(*chunk, 5).linear[1], 1e-12);
  EXPECT_NEAR(0.3, twist_of_row(*chunk, 6).linear[1], 1e-12);
  EXPECT_EQ(0, twist_of_row(*chunk, 4).linear[1]);
  EXPECT_EQ(0, twist_of_row(*chunk, 7).linear[1]);  // the last pose leads nowhere
}

// 0.1, 0.3, 0.2 m/s, 0.02 s each: 5, 10 and -5 m/s^2.
TEST(ToolRows, EachRowBeginsWithAnAcceleration) {
  const auto chunk = window({0.1, 0.3, 0.2});
  ToolRows rows;
  rows.start(false);
  rows.note(*chunk, 0.25, kTick);
  expect(0.1, 5, 0, rows);
  rows.note(*chunk, 1, kTick);  // the end of a row is still that row
  expect(0.1, 5, 0, rows);
  rows.note(*chunk, 1.25, kTick);
  expect(0.3, 10, 5, rows);
  rows.note(*chunk, 2.25, kTick);
  expect(0.2, -5, 10, rows);
}

TEST(ToolRows, ANewerWindowChangesTheRowInProgress) {
  ToolRows rows;
  rows.start(false);
  rows.note(*window({0.1, 0.3}), 1.25, kTick);
  expect(0.3, 15, 0, rows);
  rows.note(*window({0.1, 0.2}), 1.5, kTick);
  expect(0.2, 10, 0, rows);
}

TEST(ToolRows, ATimelineInMotionGoesOnAndOneFromRestBeginsAnew) {
  const auto chunk = window({0.1, 0.1});
  ToolRows rows;
  rows.start(false);
  for (const double phase : {0.25, 0.5, 0.75, 1.0}) rows.note(*chunk, phase, kTick);
  rows.start(true);
  rows.note(*chunk, 0.25, kTick);
  expect(0.1, 0, 5, rows);
  rows.start(false);
  expect(0, 0, 0, rows);
  rows.note(*chunk, 0.25, kTick);
  expect(0.1, 5, 0, rows);
}

// Behaviour 14: planned anew within a row, a motion has no row more to change its twist in.
TEST(ToolRows, ATimelineThatBeginsWithinARowAddsToIt) {
  ToolRows rows;
  rows.start(false);
  rows.note(*window({0.1, 0.1}), 0.25, kTick);
  EXPECT_TRUE(rows.row_lasts());
  rows.start(true);
  rows.note(*window({0.2, 0.2}), 0.25, kTick);
  expect(0.2, 10, 0, rows);
  rows.note(*window({0.2, 0.2}), 0.5, kTick);
  EXPECT_TRUE(rows.row_lasts());
  rows.note(*window({0.2, 0.2}), 0.75, kTick);
  EXPECT_FALSE(rows.row_lasts());  // 20 ms
  rows.start(true);
  rows.note(*window({0.1, 0.1}), 0.25, kTick);
  expect(0.1, -5, 10, rows);
}

// Along x at 0.2 m/s and about z at 0.1 rad/s in 0.02 s: 10 m/s^2 and 5 rad/s^2. The next row
// stands.
TEST(ToolRows, ATurnIsAccelerationToo) {
  const double half = 0.1 * duo::kDt / 2;
  const std::vector<double> turned = {1.504, 0, 0.1, 0, 0, std::sin(half), std::cos(half)};
  const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}, turned, turned});
  ToolRows rows;
  rows.start(false);
  rows.note(*chunk, 0.25, kTick);
  EXPECT_NEAR(10, rows.row().acceleration.linear[0], 1e-9);
  EXPECT_NEAR(5, rows.row().acceleration.angular[2], 1e-9);
  rows.note(*chunk, 1.25, kTick);
  EXPECT_NEAR(-10, rows.row().acceleration.linear[0], 1e-9);
  EXPECT_NEAR(-5, rows.row().acceleration.angular[2], 1e-9);
  EXPECT_NEAR(5, rows.row().acceleration_before.angular[2], 1e-9);
}

TEST(ToolRows, ATurnBeginsOnEveryAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> turned = {1.5, 0, 0.1, 0, 0, 0, std::cos(0.001)};
    turned[axis] += 0.004;
    turned[3 + axis] = std::sin(0.001);
    ToolRows rows;
    rows.start(false);
    rows.note(*duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}, turned}), 0.25, kTick);
    EXPECT_NEAR(10, rows.row().acceleration.linear[axis], 1e-9);
    EXPECT_NEAR(5, rows.row().acceleration.angular[axis], 1e-9);
  }
}

}  // namespace
}  // namespace openral::safety
