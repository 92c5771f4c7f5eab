#include "timeline.hpp"

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
  timeline->start(*chunk, joint_columns(), {});
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

}  // namespace
}  // namespace openral::safety
