#include "timeline.hpp"

#include <cmath>

#include "duo.hpp"

namespace openral::safety {
namespace {

Columns joint_columns() { return columns_of(duo::configuration(), ControlMode::kJointPosition); }

TEST(Timeline, InterpolatesLinearly) {
  auto chunk = duo::chunk({{0, 0, 0.04}, {0.1, -0.2, 0.04}, {0.3, -0.2, 0.02}});
  const Columns columns = joint_columns();
  EXPECT_EQ(0, interpolate(*chunk, columns, 0, {})[0]);
  EXPECT_DOUBLE_EQ(0.025, interpolate(*chunk, columns, 0.25, {})[0]);
  EXPECT_DOUBLE_EQ(-0.05, interpolate(*chunk, columns, 0.25, {})[1]);
  EXPECT_DOUBLE_EQ(0.2, interpolate(*chunk, columns, 1.5, {})[0]);
  EXPECT_DOUBLE_EQ(0.03, interpolate(*chunk, columns, 1.5, {})[2]);
  EXPECT_EQ(0.3, interpolate(*chunk, columns, 2, {})[0]);
  EXPECT_EQ(0.3, interpolate(*chunk, columns, 7, {})[0]);
}

TEST(Timeline, SlopeOfTheSegment) {
  auto chunk = duo::chunk({{0, 0, 0.04}, {0.1, -0.2, 0.04}, {0.3, -0.2, 0.02}});
  const Columns columns = joint_columns();
  EXPECT_DOUBLE_EQ(5, slope(*chunk, columns, 0.5)[0]);   // 0.1 / 0.02
  EXPECT_DOUBLE_EQ(10, slope(*chunk, columns, 1)[0]);    // 0.2 / 0.02
  EXPECT_DOUBLE_EQ(-1, slope(*chunk, columns, 1.9)[2]);  // -0.02 / 0.02
  EXPECT_EQ(0, slope(*chunk, columns, 2)[0]);
}

TEST(Timeline, WindowCountsRowsFromTheMotionsStart) {
  auto chunk = duo::chunk({{0.4, 0, 0.04}, {0.5, 0, 0.04}});
  chunk->first_row = 20;
  EXPECT_DOUBLE_EQ(0.45, interpolate(*chunk, joint_columns(), 20.5, {})[0]);
  EXPECT_EQ(0.4, interpolate(*chunk, joint_columns(), 3, {})[0]);
}

// Speeds 1, 3 and 2 rad/s, rows of 0.02 s: changes of 1, 2 and -1 rad/s over it.
TEST(Timeline, KnowsTheAccelerationOfTheRowInProgressAndOfTheOneBefore) {
  auto chunk = duo::chunk(duo::shoulder_rows({1, 3, 2}));
  Timeline timeline;
  timeline.start(*chunk, joint_columns(), {}, false);
  const auto advance = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) timeline.advance(0.005);
  };
  advance(4);  // at the end of the first row, and still in it
  EXPECT_NEAR(1, timeline.row_speed()[0], 1e-12);
  EXPECT_NEAR(50, timeline.acceleration()[0], 1e-9);
  EXPECT_EQ(0, timeline.acceleration_before()[0]);
  advance(1);
  EXPECT_NEAR(3, timeline.row_speed()[0], 1e-12);
  EXPECT_NEAR(100, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(50, timeline.acceleration_before()[0], 1e-9);
  advance(5);
  EXPECT_NEAR(-50, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(100, timeline.acceleration_before()[0], 1e-9);
}

// A newer window makes the second row slower in its middle, 2 rad/s; the row began at 1.
TEST(Timeline, AWindowThatChangesTheRowInProgressCountsFromItsBeginning) {
  auto chunk = duo::chunk(duo::shoulder_rows({1, 3, 3}));
  Timeline timeline;
  timeline.start(*chunk, joint_columns(), {}, false);
  for (int i = 0; i < 6; ++i) timeline.advance(0.005);
  EXPECT_NEAR(100, timeline.acceleration()[0], 1e-9);
  timeline.extend(*duo::chunk(duo::shoulder_rows({1, 2, 2})), joint_columns());
  timeline.advance(0.005);
  EXPECT_NEAR(50, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(50, timeline.acceleration_before()[0], 1e-9);
}

// A window that begins in this row knows nothing of the one before; the timeline does.
TEST(Timeline, AWindowOfOneRowForgetsNothing) {
  auto chunk = duo::chunk(duo::shoulder_rows({1, 3}));
  Timeline timeline;
  timeline.start(*chunk, joint_columns(), {}, false);
  for (int i = 0; i < 4; ++i) timeline.advance(0.005);
  auto window = duo::chunk(duo::shoulder_rows({4}, 0.02));
  window->first_row = 1;
  timeline.extend(*window, joint_columns());
  timeline.advance(0.005);
  EXPECT_NEAR(150, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(50, timeline.acceleration_before()[0], 1e-9);
}

// A motion that begins at rest remembers nothing of the one before; one that begins in motion does.
TEST(Timeline, ANewMotionBeginsFromTheSpeedOfTheOneBefore) {
  for (const bool in_motion : {true, false}) {
    auto chunk = duo::chunk(duo::shoulder_rows({1, 1}));
    Timeline timeline;
    timeline.start(*chunk, joint_columns(), {}, false);
    for (int i = 0; i < 6; ++i) timeline.advance(0.005);
    timeline.start(*duo::chunk(duo::shoulder_rows({1.5})), joint_columns(), {}, in_motion);
    timeline.advance(0.005);
    EXPECT_NEAR(in_motion ? 25 : 75, timeline.acceleration()[0], 1e-9);
    // Half of a row is left: 1.5 rad/s are its second change, behind the 50 rad/s^2 of the first
    // row.
    EXPECT_NEAR(in_motion ? 50 : 0, timeline.acceleration_before()[0], 1e-9);
  }
}

// Behaviour 14: planned anew within a row, a motion has no row more to change its speed in.
TEST(Timeline, AMotionThatBeginsWithinARowAddsToIt) {
  Timeline timeline;
  const auto begin = [&](double speed) {
    timeline.start(*duo::chunk(duo::shoulder_rows({speed, speed})), joint_columns(), {}, true);
    timeline.advance(0.005);
  };
  for (const double speed : {1.0, 2.0, 4.0, 3.0}) begin(speed);
  EXPECT_NEAR(150, timeline.acceleration()[0], 1e-9);
  EXPECT_EQ(0, timeline.acceleration_before()[0]);
  EXPECT_FALSE(timeline.row_lasts());  // four ticks are its 20 ms
  begin(3.5);
  EXPECT_TRUE(timeline.row_lasts());
  EXPECT_NEAR(25, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(150, timeline.acceleration_before()[0], 1e-9);
}

// Ten ticks of a tenth of a row are a row, whatever they add up to.
TEST(Timeline, TheEndOfARowBelongsToIt) {
  EXPECT_EQ(0, row_into(0));
  EXPECT_EQ(0, row_into(1));
  EXPECT_EQ(0, row_into(1.0000000001));
  EXPECT_EQ(1, row_into(1.1));
  EXPECT_EQ(19, row_into(20));
}

TEST(Timeline, OneRowIsAPlace) {
  auto chunk = duo::chunk({{0.4, 0.1, 0.04}});
  EXPECT_EQ(0.4, interpolate(*chunk, joint_columns(), 0.7, {})[0]);
  EXPECT_EQ(0, slope(*chunk, joint_columns(), 0.7)[0]);
}

TEST(Timeline, GripperWindowLeavesTheArm) {
  auto chunk = duo::chunk({{0.04}, {0.02}});
  chunk->control_mode = 8;
  const Columns columns = columns_of(duo::configuration(), ControlMode::kGripperPosition);
  const JointArray position = interpolate(*chunk, columns, 0.5, {1.5, -0.5, 0.04});
  EXPECT_EQ(1.5, position[0]);
  EXPECT_EQ(-0.5, position[1]);
  EXPECT_DOUBLE_EQ(0.03, position[2]);
}

TEST(Timeline, PhaseAdvancesByNominalTicksAcrossWindows) {
  auto timeline = std::make_unique<Timeline>();
  auto chunk = duo::chunk(duo::Rows(4, {0, 0, 0.04}));
  timeline->start(*chunk, joint_columns(), {}, false);
  for (int i = 0; i < 6; ++i) timeline->advance(0.005);
  EXPECT_DOUBLE_EQ(1.5, timeline->phase());  // 6 * 0.005 / 0.02
  chunk->first_row = 1;
  timeline->extend(*chunk, joint_columns());
  EXPECT_DOUBLE_EQ(1.5, timeline->phase());
  EXPECT_EQ(4, timeline->end());  // rows 1 to 4
  for (int i = 0; i < 100; ++i) timeline->advance(0.005);
  EXPECT_EQ(4, timeline->phase());
  EXPECT_TRUE(timeline->ended());
}

// Behind a window's last row lies whatever an earlier chunk left there.
TEST(Timeline, NothingBehindTheLastRowIsRead) {
  auto chunk = duo::chunk({{0, 0, 0.04}, {0.1, 0, 0.04}});
  for (std::size_t i = 6; i < 12; ++i) chunk->values[i] = std::nan("");
  chunk->first_row = 5;
  EXPECT_EQ(0.1, interpolate(*chunk, joint_columns(), 6, {})[0]);
  EXPECT_EQ(0.1, interpolate(*chunk, joint_columns(), 8, {})[0]);
  EXPECT_EQ(0, slope(*chunk, joint_columns(), 6)[0]);
  EXPECT_NEAR(5, slope(*chunk, joint_columns(), 5)[0], 1e-12);
  EXPECT_NEAR(5, slope_of_row(*chunk, joint_columns(), 5)[0], 1e-12);
  for (const double row : {3.0, 4.0, 6.0, 7.0}) {
    EXPECT_EQ(0, slope_of_row(*chunk, joint_columns(), row)[0]) << row;
  }
}

// Its first row is another than the first row of the motion before it, though both are the first.
TEST(Timeline, ANewMotionBeginsARowOfItsOwn) {
  auto chunk = duo::chunk(duo::shoulder_rows({1, 1}));
  Timeline timeline;
  timeline.start(*chunk, joint_columns(), {}, false);
  for (int i = 0; i < 4; ++i) timeline.advance(0.005);
  timeline.start(*duo::chunk(duo::shoulder_rows({1.5})), joint_columns(), {}, true);
  timeline.advance(0.005);
  EXPECT_NEAR(25, timeline.acceleration()[0], 1e-9);
  EXPECT_NEAR(50, timeline.acceleration_before()[0], 1e-9);
}

}  // namespace
}  // namespace openral::safety
