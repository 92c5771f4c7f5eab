// Behaviours 13 and 14 of a tool: what was played is known across the windows that brought it.
#include "tool_rows.hpp"

#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

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
  rows.note(*chunk, 0.25);
  expect(0.1, 5, 0, rows);
  rows.note(*chunk, 1);  // the end of a row is still that row
  expect(0.1, 5, 0, rows);
  rows.note(*chunk, 1.25);
  expect(0.3, 10, 5, rows);
  rows.note(*chunk, 2.25);
  expect(0.2, -5, 10, rows);
}

TEST(ToolRows, ANewerWindowChangesTheRowInProgress) {
  ToolRows rows;
  rows.start(false);
  rows.note(*window({0.1, 0.3}), 1.25);
  expect(0.3, 15, 0, rows);
  rows.note(*window({0.1, 0.2}), 1.5);
  expect(0.2, 10, 0, rows);
}

TEST(ToolRows, ATimelineInMotionGoesOnAndOneFromRestBeginsAnew) {
  const auto chunk = window({0.1, 0.1});
  ToolRows rows;
  rows.start(false);
  rows.note(*chunk, 0.25);
  rows.start(true);
  rows.note(*chunk, 0.25);
  expect(0.1, 0, 5, rows);
  rows.start(false);
  expect(0, 0, 0, rows);
  rows.note(*chunk, 0.25);
  expect(0.1, 5, 0, rows);
}

}  // namespace
}  // namespace openral::safety
