#include "tool_motion.hpp"

#include <cmath>

#include "admission.hpp"
#include "bench.hpp"
#include "duo_in_space.hpp"
#include "splice.hpp"

namespace openral::safety {
namespace {

Finding check(const RawConfiguration& raw, const Chunk& chunk) {
  const Configuration configuration = duo::configuration(raw);
  if (Finding finding = check_shape(configuration, chunk); !finding.ok()) return finding;
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  return check_rows(configuration, chunk, columns, JointArray{0, 0, 0.04});
}

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

// Behaviour 17. The arm is stretched, 2 m long: the shoulder at 0.6 rad/s moves the tool by chords
// of 4 sin(0.006) in 0.02 s, a hair under 1.2 m/s; at 0.8 rad/s by 4 sin(0.008), 1.6 m/s.
TEST(ToolMotion, ToolSpeedIsBoundedByForwardKinematics) {
  const auto raw = duo::raw_in_space();
  EXPECT_TRUE(check(raw, *duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 4)))).ok());
  const Finding finding = check(raw, *duo::chunk(duo::shoulder_rows(duo::trapezoid(4, 4))));
  EXPECT_EQ("tool_speed", name(finding));
  EXPECT_EQ(4, finding.row);
  EXPECT_EQ(-1, finding.joint);
  EXPECT_NEAR(4 * std::sin(0.008) / 0.02, finding.value, 1e-9);
  EXPECT_EQ(1.2, finding.limit);
}

// Shoulder at 0.4 and elbow at 0.2 rad/s about parallel axes turn the tool at 0.6 rad/s.
TEST(ToolMotion, RotationSpeedIsTheSumOfParallelAxes) {
  auto raw = duo::raw_in_space();
  const duo::Rows rows = {{0, 0, 0.04},
                          {0.004, 0.002, 0.04},
                          {0.012, 0.006, 0.04},
                          {0.016, 0.008, 0.04},
                          {0.016, 0.008, 0.04}};
  EXPECT_TRUE(check(raw, *duo::chunk(rows)).ok());
  raw.numbers["robot.arm.rotation_speed_max"] = 0.5;
  const Finding finding = check(raw, *duo::chunk(rows));
  EXPECT_EQ("tool_rotation", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_NEAR(0.6, finding.value, 1e-9);
  EXPECT_EQ(0.5, finding.limit);
  EXPECT_EQ(-1, finding.joint);
  const Configuration configuration = duo::configuration(raw);
  const Chain& chain = configuration.arm.chain;
  EXPECT_EQ(-1, check_tool_speed(configuration, forward(chain, {}), forward(chain, {0, 0.02, 0}),
                                 duo::kDt, 1)
                    .row);
}

// The elbow lies at y = sin 0.6 = 0.565 while the bent forearm brings the tool back to y = 0.175.
TEST(ToolMotion, EveryLinkPointStaysInTheWorkspace) {
  auto raw = duo::raw_in_space();
  EXPECT_TRUE(check(raw, *duo::chunk({{0.6, -1, 0.04}})).ok());
  raw.vectors["robot.arm.workspace_max"] = {2, 0.5, 0.2};
  const Finding finding = check(raw, *duo::chunk({{0.6, -1, 0.04}}));
  EXPECT_EQ("workspace", name(finding));
  EXPECT_EQ(0, finding.row);
  EXPECT_EQ(1, finding.joint);  // the elbow's frame
  EXPECT_NEAR(std::sin(0.6), finding.value, 1e-12);
  EXPECT_EQ(0.5, finding.limit);
}

TEST(ToolMotion, APoseByItselfBelongsToNoRow) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  for (const double height : {0.3, -0.1}) {  // the box is 0.2 m high
    ChainPose pose = forward(configuration.arm.chain, {0, 0, 0.04});
    pose.points[2][2] = height;
    const Finding finding = check_workspace(configuration, pose);
    EXPECT_EQ("workspace", name(finding));
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(-1, finding.joint);  // the tool
  }
}

// From z = 0 to 0.2, and 0.01 m more on either side where a measurement is asked.
TEST(ToolMotion, TheBoxHoldsItsOwnSidesAndAMargin) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  ChainPose pose = forward(configuration.arm.chain, {0, 0, 0.04});
  const auto inside = [&](double height, double margin) {
    pose.points[2][2] = height;
    return check_workspace(configuration, pose, margin).ok();
  };
  EXPECT_TRUE(inside(0, 0) && inside(0.2, 0));
  EXPECT_TRUE(inside(-0.009, 0.01) && inside(0.209, 0.01));
  EXPECT_FALSE(inside(-0.011, 0.01) || inside(0.211, 0.01));
}

TEST(ToolMotion, EverySideOfTheBoxHolds) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at[] = {2, 0, 0.1};  // the tool of the stretched arm
    auto raw = duo::raw_in_space();
    raw.vectors["robot.arm.workspace_max"] = {9, 9, 9};
    raw.vectors["robot.arm.workspace_min"] = {-9, -9, -9};
    raw.vectors["robot.arm.workspace_max"][axis] = at[axis] - 0.001;
    EXPECT_EQ(at[axis] - 0.001, check(raw, *duo::chunk({{0, 0, 0.04}})).limit) << axis;
    raw.vectors["robot.arm.workspace_max"][axis] = 9;
    raw.vectors["robot.arm.workspace_min"][axis] = at[axis] + 0.001;
    EXPECT_EQ(at[axis] + 0.001, check(raw, *duo::chunk({{0, 0, 0.04}})).limit) << axis;
    raw.vectors["robot.arm.workspace_min"][axis] = -9;
    EXPECT_TRUE(check(raw, *duo::chunk({{0, 0, 0.04}})).ok());
  }
}

// The base's own joint counts as well: 0.1 m high, in a box that begins at 0.15 m.
TEST(ToolMotion, TheFirstLinkPointCounts) {
  auto raw = duo::raw_in_space();
  raw.vectors["robot.arm.workspace_min"] = {-1.5, -2, 0.15};
  EXPECT_EQ(0, check(raw, *duo::chunk({{0, 0, 0.04}})).joint);
}

// A stop from 0.6 rad/s takes 12 ticks and 0.6 (12 * 0.005 / 2 + 0.005) = 0.021 rad. Row 4, the
// last at that speed, is 0.004 + 0.008 + 0.012 + 0.012 = 0.036 rad after the start. The tool is at
// y = 1.2 where sin = 0.6, at 0.643501 rad: 0.643501 - 0.036 - 0.021 = 0.586501.
TEST(ToolMotion, AStopFromEveryRowEndsInTheWorkspace) {
  const auto raw = duo::raw_in_space();
  const auto speeds = duo::trapezoid(3, 0);
  EXPECT_TRUE(check(raw, *duo::chunk(duo::shoulder_rows(speeds, 0.5864))).ok());
  const Finding finding = check(raw, *duo::chunk(duo::shoulder_rows(speeds, 0.5866)));
  EXPECT_EQ("workspace", name(finding));
  EXPECT_EQ(4, finding.row);
  EXPECT_NEAR(2 * std::sin(0.5866 + 0.057), finding.value, 1e-9);
  EXPECT_EQ(1.2, finding.limit);
}

// An arm that stands outside, moved there by hand, must still be able to let go.
TEST(ToolMotion, AGripperMovesWhereverTheArmStands) {
  auto raw = duo::raw_in_space();
  raw.vectors["robot.arm.workspace_max"] = {1.9, 1.2, 0.2};
  auto chunk = duo::chunk({{0.04}, {0.0392}, {0.0384}});
  chunk->control_mode = 8;
  chunk->name_count = 1;
  chunk->joint_names[0].assign("finger");
  EXPECT_TRUE(check(raw, *chunk).ok());
  EXPECT_EQ("workspace", name(check(raw, *duo::chunk({{0, 0, 0.04}}))));
}

// The first step goes from the last command to row 0: 0.0008 rad in a tick of 5 ms moves the tool
// of the stretched arm at 0.32 m/s, 0.0007 rad at 0.28 m/s.
TEST(ToolMotion, TheSwitchToAChunkIsBoundedToo) {
  auto raw = duo::raw_in_space();
  raw.numbers["robot.arm.tool_speed_max"] = 0.3;
  raw.numbers["robot.limits.shoulder.acceleration_max"] = 20;  // there and back at once
  const Configuration configuration = duo::configuration(raw);
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0, 0, 0.04};
  EXPECT_TRUE(
      check_splice(configuration, *duo::chunk({{0.0007, 0, 0.04}}), columns, 0, anchor).ok());
  const Finding finding =
      check_splice(configuration, *duo::chunk({{0.0008, 0, 0.04}}), columns, 0, anchor);
  EXPECT_EQ("tool_speed", name(finding));
  EXPECT_NEAR(0.32, finding.value, 1e-6);
  EXPECT_EQ(0, finding.row);
  // A finding before it is not forgotten for a tool that is slow: 1.09 rad/s are measured, see
  // Splice.FromTheMeasuredVelocity.
  anchor.measured.velocity = {1.09, 0, 0};
  EXPECT_EQ(
      "splice_measured_velocity",
      name(check_splice(configuration, *duo::chunk({{0.0007, 0, 0.04}}), columns, 0, anchor)));
}

TEST(ToolMotion, ARefusedMotionEmitsNothingAndAnAdmittedOneArrives) {
  duo::Bench bench(duo::raw_in_space());
  bench.start();
  auto fast = duo::chunk(duo::shoulder_rows(duo::trapezoid(4, 4)));
  bench.send(*fast);
  EXPECT_EQ("tool_speed", bench.reason_text());
  EXPECT_EQ(State::kHolding, bench.state());
  auto slow = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 4)));
  slow->timeline = 2;
  bench.play(*slow, 60);
  EXPECT_EQ(State::kHolding, bench.state());
  EXPECT_NEAR(slow->at(slow->horizon - 1, 3, 0), bench.last.position[0], 1e-12);
  EXPECT_EQ(0u, bench.status().stops);
}

// Braked with 2 rad/s^2, the shoulder needs 100 ticks from 1 rad/s and 1 (100 * 0.005 / 2 + 0.005)
// = 0.255 rad: from -0.12 to 0.135. The stretched arm's tool is at 2 cos q: 1.9856 and 1.9818 at
// both ends, and 2 between them. Of the five places that are looked at, the first lies 0.051 rad
// on: 2 cos 0.069 = 1.9952.
TEST(ToolMotion, AStopThatLeavesTheWorkspaceAndComesBackIsRefused) {
  auto raw = duo::raw_in_space();
  raw.numbers["robot.limits.shoulder.acceleration_max"] = 2;
  raw.numbers["robot.arm.tool_speed_max"] = 2;
  raw.numbers["robot.arm.rotation_speed_max"] = 1;
  raw.vectors["robot.arm.workspace_max"] = {2, 1.2, 0.2};
  const auto check_row = [&] {
    const Configuration configuration = duo::configuration(raw);
    const Chain& chain = configuration.arm.chain;
    const JointArray row = {-0.12, 0, 0.04};
    return check_tool_motion(configuration, forward(chain, {-0.125, 0, 0.04}), forward(chain, row),
                             row, {1, 0, 0}, 0.005, 1);
  };
  EXPECT_TRUE(check_row().ok());
  raw.vectors["robot.arm.workspace_max"] = {1.995, 1.2, 0.2};
  const Finding finding = check_row();
  EXPECT_EQ("workspace", name(finding));
  EXPECT_EQ(-1, finding.joint);  // the tool
  EXPECT_NEAR(2 * std::cos(0.069), finding.value, 1e-9);
  EXPECT_EQ(1.995, finding.limit);
}

TEST(ToolMotion, AWayIsLookedAtUpToItsEnd) {
  auto raw = duo::raw_in_space();
  raw.vectors["robot.arm.workspace_max"] = {9, 1.2, 0.2};
  const Configuration configuration = duo::configuration(raw);
  // y = 2 sin q reaches 1.2 at 0.6435 rad. Where a way begins is not asked.
  EXPECT_TRUE(check_workspace_way(configuration, {0, 0, 0.04}, {0.643, 0, 0.04}).ok());
  EXPECT_FALSE(check_workspace_way(configuration, {0, 0, 0.04}, {0.644, 0, 0.04}).ok());
  EXPECT_TRUE(check_workspace_way(configuration, {0.644, 0, 0.04}, {0.643, 0, 0.04}).ok());
  // A way of up to 0.06 rad is looked at in its end alone: in between the tool of the stretched arm
  // is at x = 2 and no more than 2 (1 - cos 0.0299) = 0.9 mm further out.
  Configuration narrow = configuration;
  narrow.arm.workspace_max[0] = 2 * std::cos(0.0298);
  EXPECT_TRUE(check_workspace_way(narrow, {-0.0299, 0, 0.04}, {0.0299, 0, 0.04}).ok());
  EXPECT_FALSE(check_workspace_way(narrow, {-0.0299, 0, 0.04}, {0.0302, 0, 0.04}).ok());
  EXPECT_FALSE(check_workspace_way(configuration, {0, 0, 0.04}, {std::nan(""), 0, 0.04}).ok());
  EXPECT_FALSE(check_workspace_way(configuration, {0, 0, 0.04}, {HUGE_VAL, 0, 0.04}).ok());
}

}  // namespace
}  // namespace openral::safety
