// Behaviours 3 and 17, what the Cartesian modes share: a path of poses and its limits.
#include "cartesian_path.hpp"

#include <cmath>

#include "admission.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

class CartesianPath : public testing::Test {
 protected:
  // Along y from (1.5, y, 0.1), and about z: each entry the speed on the way to the next row.
  [[nodiscard]] static std::unique_ptr<Chunk> line(const std::vector<double>& speeds, double y = 0,
                                                   bool turns = false) {
    double turn = 0;
    duo::Rows rows;
    const auto add = [&] {
      rows.push_back({1.5, y, 0.1, 0, 0, std::sin(turn / 2), std::cos(turn / 2)});
    };
    add();
    for (const double speed : speeds) {
      (turns ? turn : y) += speed * duo::kDt;
      add();
    }
    return duo::poses(rows);
  }
  [[nodiscard]] Finding check(const Chunk& chunk) const {
    return check_poses(configuration_, chunk);
  }

  const Configuration configuration_ = duo::configuration(duo::raw_in_every_mode());
};

TEST_F(CartesianPath, AdmitsAMotionAtItsLimits) {
  EXPECT_TRUE(check(*line(duo::trapezoid(5, 20))).ok());
  EXPECT_TRUE(check(*line({0.2, 0.4, 0.6, 0.8, 0.9, 0.8, 0.6, 0.4, 0.2}, 0, true)).ok());
}

TEST_F(CartesianPath, ToolSpeed) {
  auto chunk = line({1, 1.2});
  chunk->last = false;
  EXPECT_TRUE(check(*chunk).ok());
  chunk = line({1.1, 1.21});
  chunk->last = false;
  const Finding finding = check(*chunk);
  EXPECT_EQ("tool_speed", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_NEAR(1.21, finding.value, 1e-9);
  EXPECT_EQ(1.2, finding.limit);
}

TEST_F(CartesianPath, TurningSpeed) {
  auto chunk = line({0.8, 0.91}, 0, true);
  chunk->last = false;
  const Finding finding = check(*chunk);
  EXPECT_EQ("tool_rotation", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_NEAR(0.91, finding.value, 1e-9);
}

// 0.3 m/s in 0.02 s.
TEST_F(CartesianPath, Acceleration) {
  auto chunk = line({0.2, 0.5});
  chunk->last = false;
  Finding finding = check(*chunk);
  EXPECT_EQ("tool_acceleration", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_NEAR(15, finding.value, 1e-6);
  chunk = line({0.2, -0.1}, 0, true);
  chunk->last = false;
  finding = check(*chunk);
  EXPECT_EQ("tool_rotation_acceleration", name(finding));
  EXPECT_NEAR(15, finding.value, 1e-6);
}

// A corner at even speed is an acceleration too: 0.5 m/s along y, then along z, sqrt(0.5) m/s of
// change.
TEST_F(CartesianPath, ACornerIsAnAcceleration) {
  auto chunk = duo::poses(
      {{1.5, 0, 0.1, 0, 0, 0, 1}, {1.5, 0.01, 0.1, 0, 0, 0, 1}, {1.5, 0.01, 0.11, 0, 0, 0, 1}});
  chunk->last = false;
  const Finding finding = check(*chunk);
  EXPECT_EQ("tool_acceleration", name(finding));
  EXPECT_NEAR(std::sqrt(0.5) / 0.02, finding.value, 1e-6);
}

// From 10 to -4 m/s^2 in 0.02 s: 700 m/s^3.
TEST_F(CartesianPath, Jerk) {
  auto chunk = line({0.2, 0.4, 0.32});
  chunk->last = false;
  Finding finding = check(*chunk);
  EXPECT_EQ("tool_jerk", name(finding));
  EXPECT_EQ(3, finding.row);
  EXPECT_NEAR(700, finding.value, 1e-3);
  EXPECT_EQ(600, finding.limit);
  chunk = line({0.2, 0.4, 0.32}, 0, true);
  chunk->last = false;
  finding = check(*chunk);
  EXPECT_EQ("tool_rotation_jerk", name(finding));
  EXPECT_NEAR(700, finding.value, 1e-3);
}

TEST_F(CartesianPath, WorkspaceBox) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double beyond : {-2.001, 2.001}) {
      auto chunk = line({0});
      chunk->values[7 + axis] = beyond;
      const Finding finding = check(*chunk);
      EXPECT_EQ("workspace", name(finding));
      EXPECT_EQ(1, finding.row);
      EXPECT_EQ(beyond, finding.value);
    }
  }
}

TEST_F(CartesianPath, TheFacesBelongToTheBox) {
  EXPECT_TRUE(check_tool_point(configuration_, {-1.5, -2, 0}).ok());
  EXPECT_TRUE(check_tool_point(configuration_, {2, 1.2, 0.2}).ok());
}

// At 0.6 m/s: 12 ticks of 5 ms, 0.6 (12 * 0.005 / 2 + 0.005) = 0.021 m; the box ends at 1.2.
TEST_F(CartesianPath, AStopEndsInTheWorkspace) {
  auto chunk = line({0.6}, 1.2 - 0.0211 - 0.012);
  chunk->last = false;
  EXPECT_TRUE(check(*chunk).ok());
  chunk = line({0.6}, 1.2 - 0.0209 - 0.012);
  chunk->last = false;
  const Finding finding = check(*chunk);
  EXPECT_EQ("viability", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_NEAR(1.2001, finding.value, 1e-9);
  EXPECT_EQ(1.2, finding.limit);
}

TEST_F(CartesianPath, ATimelineEndsAtRest) {
  EXPECT_TRUE(check(*line({0.2})).ok());
  const Finding finding = check(*line({0.2, 0.21}));
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_EQ("end_not_at_rest", name(check(*line({0.2, 0.21}, 0, true))));
}

// Twice the deceleration for the turning decides: 0.8 rad/s at 10 rad/s^2 are 16 ticks.
TEST_F(CartesianPath, AStopKeepsTheTangent) {
  ToolBrake brake = plan_tool_brake(configuration_, {{0.4, 0, 0}, {0, 0, 0.8}});
  EXPECT_EQ(16u, brake.ticks);
  const ToolTwist twist = next_brake_twist(brake);
  EXPECT_NEAR(0.375, twist.linear[0], 1e-12);
  EXPECT_NEAR(0.75, twist.angular[2], 1e-12);
  for (int i = 1; i < 16; ++i) (void)next_brake_twist(brake);
  EXPECT_TRUE(brake.at_rest());
  // Rest stays rest.
  EXPECT_EQ(0, next_brake_twist(brake).linear[0]);
  EXPECT_EQ(0, next_brake_twist(brake).angular[2]);
  EXPECT_EQ(0u, plan_tool_brake(configuration_, {}).ticks);
}

TEST_F(CartesianPath, SpliceFromTheLastCommandAndTheMeasurement) {
  const auto chunk = line({0.2, 0.4, 0.2});
  const ToolPose start = pose_row(*chunk, 0);
  EXPECT_TRUE(check_tool_splice(configuration_, *chunk, 0, {start, {}, start}).ok());
  // 8 mm beside: 1.6 m/s in a tick.
  ToolPose beside = start;
  beside.position[0] += 0.008;
  EXPECT_EQ("splice_position",
            name(check_tool_splice(configuration_, *chunk, 0, {beside, {}, start})));
  // 0.006 rad in a tick are 1.2 rad/s.
  beside = start;
  beside.orientation = turned(start.orientation, {0, 0.006, 0});
  EXPECT_EQ("splice_rotation",
            name(check_tool_splice(configuration_, *chunk, 0, {beside, {}, start})));
  // From 0.5 m/s to 0.2 in a row's time: 15 m/s^2.
  EXPECT_EQ("splice_acceleration",
            name(check_tool_splice(configuration_, *chunk, 0, {start, {{0, 0.5, 0}, {}}, start})));
  ToolPose measured = start;
  measured.position[2] += 0.051;
  Finding finding = check_tool_splice(configuration_, *chunk, 0, {start, {}, measured});
  EXPECT_EQ("splice_measured", name(finding));
  EXPECT_EQ(0.05, finding.limit);
  measured = start;
  measured.orientation = turned(start.orientation, {0.11, 0, 0});
  EXPECT_EQ("splice_measured",
            name(check_tool_splice(configuration_, *chunk, 0, {start, {}, measured})));
}

// From 0.2 m/s, reached by -10 m/s^2: 0.23 m/s are 1.5 m/s^2 and 575 m/s^3, 0.26 are 3 and 650.
TEST_F(CartesianPath, SpliceJerkFromTheRowsThatWerePlayed) {
  const auto splice = [&](double speed, const ToolRow& row) {
    const auto chunk = line({speed, speed, speed});
    const ToolPose start = pose_row(*chunk, 0);
    return check_tool_splice(configuration_, *chunk, 0, {start, row.twist, start, row, false});
  };
  ToolRow row;
  row.twist.linear = {0, 0.2, 0};
  row.acceleration.linear = {0, -10, 0};
  EXPECT_TRUE(splice(0.23, row).ok());
  const Finding finding = splice(0.26, row);
  EXPECT_EQ("splice_jerk", name(finding));
  EXPECT_EQ(0, finding.row);
  EXPECT_EQ(-1, finding.joint);
  EXPECT_NEAR(650, finding.value, 1e-6);
  EXPECT_EQ(600, finding.limit);
}

// The same about an axis: 0.2 rad/s by -10 rad/s^2.
TEST_F(CartesianPath, SpliceJerkOfTurning) {
  const auto chunk = line({0.26, 0.26, 0.26}, 0, true);
  const ToolPose start = pose_row(*chunk, 0);
  ToolRow row;
  row.twist.angular = {0, 0, 0.2};
  row.acceleration.angular = {0, 0, -10};
  const Finding finding =
      check_tool_splice(configuration_, *chunk, 0, {start, row.twist, start, row, false});
  EXPECT_EQ("splice_jerk", name(finding));
  EXPECT_NEAR(650, finding.value, 1e-5);
}

// Within a row a newer window changes what the row began with: 10 - 5 m/s^2, 250 m/s^3 after the
// 10 of the row before. Of another timeline the same rows begin a row: -5 after 10, 750 m/s^3.
TEST_F(CartesianPath, ANewerWindowMayChangeTheRowInProgress) {
  const auto chunk = line({0.1, 0.1, 0.1});
  ToolRow row;
  row.twist.linear = {0, 0.2, 0};
  row.acceleration.linear = row.acceleration_before.linear = {0, 10, 0};
  ToolPose at = pose_row(*chunk, 0);
  at.position[1] += 0.25 * 0.1 * duo::kDt;  // at phase 0.25
  EXPECT_TRUE(check_tool_splice(configuration_, *chunk, 0.25, {at, row.twist, at, row, true}).ok());
  const Finding finding =
      check_tool_splice(configuration_, *chunk, 0.25, {at, row.twist, at, row, false});
  EXPECT_EQ("splice_jerk", name(finding));
  EXPECT_NEAR(750, finding.value, 1e-6);
}

// The row after the first belongs to the splice too: 8 m/s^2 and then -8, 800 m/s^3.
TEST_F(CartesianPath, SpliceJerkOfTheSecondRow) {
  const auto chunk = line({0.16, 0});
  const ToolPose start = pose_row(*chunk, 0);
  const Finding finding =
      check_tool_splice(configuration_, *chunk, 0, {start, {}, start, {}, false});
  EXPECT_EQ("splice_jerk", name(finding));
  EXPECT_NEAR(800, finding.value, 1e-6);
}

// 0.19 mm beside the last command: 0.038 m/s in its tick, 1.9 m/s^2 on top of 8; after -3 m/s^2
// that is 12.9 / 0.02 = 645 m/s^3, and 550 without it.
TEST_F(CartesianPath, RowsBesideTheLastCommandAreMetWithinTheJerk) {
  const auto chunk = line({0.16, 0.16, 0.16});
  const ToolPose start = pose_row(*chunk, 0);
  ToolPose beside = start;
  beside.position[1] -= 0.00019;
  ToolRow row;
  row.acceleration.linear = {0, -3, 0};
  EXPECT_TRUE(check_tool_splice(configuration_, *chunk, 0, {start, {}, start, row, false}).ok());
  const Finding finding =
      check_tool_splice(configuration_, *chunk, 0, {beside, {}, beside, row, false});
  EXPECT_EQ("splice_jerk", name(finding));
  EXPECT_NEAR(645, finding.value, 1e-6);
  // From the other side and from -4.5 m/s^2 they come to 530, and without that way to 625.
  beside.position[1] = start.position[1] + 0.00019;
  row.acceleration.linear = {0, -4.5, 0};
  EXPECT_NEAR(625,
              check_tool_splice(configuration_, *chunk, 0, {beside, {}, beside, row, false}).value,
              1e-6);
}

// As SpliceJerkFromTheRowsThatWerePlayed, along and about every axis.
TEST_F(CartesianPath, SpliceJerkOnEveryAxis) {
  for (std::size_t axis = 0; axis < 6; ++axis) {
    std::vector<double> next = {1.5, 0, 0.1, 0, 0, 0, 1};
    const double way = 0.26 * duo::kDt;
    if (axis < 3) {
      next[axis] += way;
    } else {
      next[axis] = std::sin(way / 2);
      next[6] = std::cos(way / 2);
    }
    const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}, next});
    chunk->last = false;
    ToolRow row;
    (axis < 3 ? row.twist.linear : row.twist.angular)[axis % 3] = 0.2;
    (axis < 3 ? row.acceleration.linear : row.acceleration.angular)[axis % 3] = -10;
    const ToolPose start = pose_row(*chunk, 0);
    const Finding finding =
        check_tool_splice(configuration_, *chunk, 0, {start, row.twist, start, row, false});
    EXPECT_EQ("splice_jerk", name(finding)) << axis;
    EXPECT_NEAR(650, finding.value, 1e-5) << axis;
  }
}

// By themselves, without a row: the limits, and a little more where the caller allows it.
TEST_F(CartesianPath, WhatBelongsToNoRowSaysSo) {
  const auto expect = [](const Finding& finding, const std::string& reason, double value,
                         double limit) {
    EXPECT_EQ(reason, name(finding));
    EXPECT_EQ(-1, finding.row) << reason;
    EXPECT_EQ(-1, finding.joint) << reason;
    EXPECT_NEAR(value, finding.value, 1e-9) << reason;
    EXPECT_NEAR(limit, finding.limit, 1e-9) << reason;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low[] = {-1.5, -2, 0};
    const double high[] = {2, 1.2, 0.2};
    Vector3 point = {1.5, 0, 0.1};
    point[axis] = low[axis] - 0.01;
    expect(check_tool_point(configuration_, point), "workspace", point[axis], low[axis]);
    point[axis] = high[axis] + 0.01;
    expect(check_tool_point(configuration_, point), "workspace", point[axis], high[axis]);
  }
  const auto limits = [&](const ToolTwist& twist, double allowance) {
    return check_twist_limits(configuration_, twist, allowance);
  };
  EXPECT_TRUE(limits({{0, 1.2, 0}, {0, 0.9, 0}}, 1).ok());
  EXPECT_TRUE(limits({{0, 1.21, 0}, {0, 0.908, 0}}, 1.01).ok());
  expect(limits({{0, 1.213, 0}, {}}, 1.01), "tool_speed", 1.213, 1.212);
  expect(limits({{}, {0, 0.91, 0}}, 1.01), "tool_rotation", 0.91, 0.909);
  const auto change = [&](const ToolTwist& to, double allowance) {
    return check_twist_change(configuration_, {}, to, 0.02, allowance);
  };
  EXPECT_TRUE(change({{0, 0.2, 0}, {0, 0.2, 0}}, 1).ok());
  EXPECT_TRUE(change({{0, 0.2015, 0}, {0, 0.2015, 0}}, 1.01).ok());
  expect(change({{0, 0.203, 0}, {}}, 1.01), "tool_acceleration", 10.15, 10.1);
  expect(change({{}, {0, 0.203, 0}}, 1.01), "tool_rotation_acceleration", 10.15, 10.1);
}

// As AJumpHiddenInTheFirstTickIsSeenInTheSecond of joints: row 0 lies 0.00155 m ahead, the rows run
// back at 0.2 m/s. The first tick is at 0.11 m/s, the second at -0.2: 0.42 m/s in two ticks, of
// which a tick's own, and a hundredth of it, are 0.0505.
TEST_F(CartesianPath, TheSecondTickOfASpliceCountsToo) {
  const auto chunk = line({-0.2, -0.2}, 0.00155);
  const ToolPose start = {{1.5, 0, 0.1}, {0, 0, 0, 1}};
  const Finding finding = check_tool_splice(configuration_, *chunk, 0, {start, {}, start});
  EXPECT_EQ("splice_acceleration", name(finding));
  EXPECT_NEAR(18.475, finding.value, 1e-6);
}

// The row in which the first tick ends, counted from the window's first.
TEST_F(CartesianPath, ASpliceNamesTheRowThatItLeadsTo) {
  const auto chunk = line({0, 0});
  ToolPose beside = pose_row(*chunk, 0);
  beside.position[0] += 0.1;
  for (const std::uint64_t first : {0, 10}) {
    chunk->first_row = first;
    const auto row_at = [&](double phase) {
      const double at = static_cast<double>(first) + phase;
      return check_tool_splice(configuration_, *chunk, at, {beside, {}, beside}).row;
    };
    chunk->dt = 0.02;
    EXPECT_EQ(0, row_at(0.74));
    EXPECT_EQ(1, row_at(0.76));
    chunk->dt = 0.005;  // a tick is a row
    EXPECT_EQ(1, row_at(0));
    EXPECT_EQ(2, row_at(2));  // the last
  }
}

TEST_F(CartesianPath, AStepOfOneTick) {
  const ToolPose from = {{1.5, 0, 0.1}, {0, 0, 0, 1}};
  const ToolTwist twist = {{0, 0.6, 0}, {0, 0, 0}};
  const auto step = [&](const ToolTwist& before, const ToolTwist& now) {
    return name(check_tool_step(configuration_, from, before, moved(from, now, 0.005), 0.02, {}));
  };
  EXPECT_EQ("", step(twist, twist));
  EXPECT_EQ("", step({}, {{0, 0.2, 0}, {}}));  // a row's change in its first tick
  EXPECT_EQ("tool_acceleration", step({}, {{0, 0.21, 0}, {}}));
  EXPECT_EQ("tool_speed", step({{0, 1.2, 0}, {}}, {{0, 1.22, 0}, {}}));
  EXPECT_EQ("tool_rotation", step({{}, {0.9, 0, 0}}, {{}, {0.92, 0, 0}}));
  // 0.15 + 0.005 + 1 (20 * 0.005 / 2 + 0.005) = 0.21; the box ends at 0.2.
  const ToolPose high = {{1.5, 0, 0.15}, {0, 0, 0, 1}};
  const ToolTwist up = {{0, 0, 1}, {}};
  EXPECT_EQ("viability",
            name(check_tool_step(configuration_, high, up, moved(high, up, 0.005), 0.02, {})));
  const ToolPose top = {{1.5, 0, 0.2}, {0, 0, 0, 1}};
  EXPECT_EQ("workspace",
            name(check_tool_step(configuration_, top, up, moved(top, up, 0.005), 0.02, {})));
}

// ---- configuration

TEST(CartesianConfiguration, EveryLimitIsNeededAndInRange) {
  const RawConfiguration good = duo::raw_in_every_mode();
  for (const auto& field : cartesian_fields()) {
    duo::expect_needed_in_range(good, std::string("robot.cartesian.") + field.name,
                                {std::nan(""), -1.0, 0.0, 1e9});
  }
  RawConfiguration raw = good;
  raw.numbers["robot.cartesian.speed_max"] = 1;
  EXPECT_EQ("robot.cartesian.speed_max", duo::error_of(raw).field);
}

TEST(CartesianConfiguration, NeedsTheChain) {
  for (const char* mode : {"cartesian_pose", "cartesian_delta", "cartesian_twist"}) {
    RawConfiguration raw = duo::raw();
    raw.lists["robot.modes"] = {"joint_position", mode};
    Configuration configuration;
    const auto error = configure(raw, configuration);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ("robot.modes", error->field);
    EXPECT_EQ("'" + std::string(mode) + "'", error->value);
  }
}

}  // namespace
}  // namespace openral::safety
