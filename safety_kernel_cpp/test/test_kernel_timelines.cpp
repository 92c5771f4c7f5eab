// What an admitted timeline does: played whole or in windows, to its end or to the end of what was
// sent of it.
#include <algorithm>

#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::expect_finding;
using duo::reach;

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
    expect_finding(bench.status().finding, Reason::kTimelineFinished, -1, -1,
                   longer ? end + 1 : end, end);
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

// Rows of 17 ms end within a tick: in the tenth, 50 ms after the first command. What is left of the
// window, a millisecond, is not played.
TEST(Kernel, AWindowThatEndsWithinATickStopsBeforeIt) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk({{0, 0, 0.04}, {0.0017, 0, 0.04}, {0.0034, 0, 0.04}, {0.0051, 0, 0.04}});
  chunk->dt = 0.017;
  chunk->last = false;
  bench.send(*chunk);
  bench.ticks(9);
  EXPECT_EQ(State::kActive, bench.state());
  EXPECT_NEAR(0.005, bench.last.position[0], 1e-12);
  bench.tick();
  EXPECT_EQ("window_exhausted", bench.reason_text());
  EXPECT_TRUE(bench.last.braking);
}

TEST(Kernel, RowsLieAsFarApartInEveryWindow) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  chunk->dt = 0.025;
  bench.send(*chunk);
  expect_finding(bench.status().finding, Reason::kDt, -1, -1, 0.025, 0.02);
}

TEST(Kernel, ATimelineBeginsWithItsFirstRow) {
  Bench bench;
  bench.start();
  auto chunk = duo::chunk({{0, 0, 0.04}, {0, 0, 0.04}});
  chunk->first_row = 5;
  bench.send(*chunk);
  expect_finding(bench.status().finding, Reason::kFirstRow, 0, -1, 5, 0);
}

TEST(Kernel, WindowsMustHoldTheRowReached) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 18);
  auto gap = reach();
  gap->first_row = 8;
  bench.send(*gap);
  expect_finding(bench.status().finding, Reason::kWindowGap, 0, -1, 8, 4.5);  // 18 ticks
  auto past = duo::chunk(duo::shoulder_rows({0.2, 0.2}));
  bench.send(*past);
  expect_finding(bench.status().finding, Reason::kWindowPast, 2, -1, 2, 4.75);
}

}  // namespace
}  // namespace openral::safety
