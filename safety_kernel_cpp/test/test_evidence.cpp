// Behaviour 29: a finding says its row, joint, value and limit, and says that it has none where it
// has none.
#include <gtest/gtest.h>

#include <cmath>

#include "admission.hpp"
#include "base_motion.hpp"
#include "duo.hpp"
#include "duo_in_space.hpp"
#include "duo_with_base.hpp"
#include "estop.hpp"
#include "freshness.hpp"
#include "observation_clock.hpp"
#include "splice.hpp"
#include "tool_motion.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

TEST(Evidence, OfNothingIsNowhere) {
  const Finding none;
  EXPECT_TRUE(none.ok());
  EXPECT_EQ(-1, none.row);
  EXPECT_EQ(-1, none.joint);
  EXPECT_EQ(-1, none.body);
  EXPECT_EQ(-1, none.other);
}

// Without a place in the chunk and without a joint.
void expect_nowhere(const Finding& finding, const std::string& reason) {
  EXPECT_EQ(reason, name(finding));
  EXPECT_EQ(-1, finding.row) << reason;
  EXPECT_EQ(-1, finding.joint) << reason;
}

// A base that also moves sideways.
RawConfiguration raw_holonomic() {
  RawConfiguration raw = duo::raw_with_base();
  raw.numbers["robot.base.lateral_speed_max"] = 0.5;
  return raw;
}

TEST(Evidence, OfAShapeIsNowhere) {
  const Configuration configuration = duo::configuration();
  const auto chunk = duo::chunk({{0, 0, 0.04}});
  const auto with = [&](auto&& spoil) {
    auto copy = duo::chunk({{0, 0, 0.04}});
    spoil(*copy);
    return check_shape(configuration, *copy);
  };
  Finding finding = with([](Chunk& c) { c.control_mode = 9; });
  expect_nowhere(finding, "mode_unknown");
  EXPECT_EQ(9, finding.value);
  EXPECT_TRUE(std::isnan(finding.limit));
  finding = with([](Chunk& c) { c.control_mode = 3; });
  expect_nowhere(finding, "mode_disabled");
  EXPECT_EQ(3, finding.value);
  expect_nowhere(with([](Chunk& c) { c.robot.assign("trio"); }), "robot_mismatch");
  finding = with([](Chunk& c) { c.horizon = 2000; });
  expect_nowhere(finding, "horizon");
  EXPECT_EQ(2000, finding.value);
  EXPECT_EQ(1024, finding.limit);
  finding = with([](Chunk& c) { c.name_count = 4; });
  expect_nowhere(finding, "joint_names");
  EXPECT_EQ(4, finding.value);
  EXPECT_EQ(3, finding.limit);
  finding = with([](Chunk& c) { c.value_count = 4; });
  expect_nowhere(finding, "value_count");
  EXPECT_EQ(4, finding.value);
  EXPECT_EQ(3, finding.limit);
  finding = with([](Chunk& c) { c.dt = 0.001; });
  expect_nowhere(finding, "dt");
  EXPECT_EQ(0.001, finding.value);
  EXPECT_EQ(0.005, finding.limit);
  finding = with([](Chunk& c) { c.dt = 0.2; });
  EXPECT_EQ(0.1, finding.limit);
  // The name that is wrong is a joint's, in no row.
  finding = with([](Chunk& c) { c.joint_names[1].assign("hip"); });
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(1, finding.joint);
}

TEST(Evidence, AModeWithoutJointsHasNoWidth) {
  RawConfiguration raw = duo::raw();
  raw.lists.erase("robot.gripper_joints");
  const Configuration configuration = duo::configuration(raw);
  auto chunk = duo::chunk({{0}});
  chunk->control_mode = 8;
  chunk->name_count = 0;
  const Finding finding = check_shape(configuration, *chunk);
  expect_nowhere(finding, "width");
  EXPECT_EQ(0, finding.value);
  EXPECT_EQ(0, finding.limit);
}

TEST(Evidence, ARowNumberIsExactAsAPhase) {
  const Configuration configuration = duo::configuration();
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->first_row = 1ULL << 53;
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
  ++chunk->first_row;
  const Finding finding = check_shape(configuration, *chunk);
  expect_nowhere(finding, "first_row");
  EXPECT_EQ(9007199254740992.0, finding.limit);
}

TEST(Evidence, ASkillWhoseNameWasCutIsRefusedEvenWhereAnyIsAllowed) {
  const Configuration configuration = duo::configuration();
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->skill_id.assign(std::string(65, 's'));
  expect_nowhere(check_shape(configuration, *chunk), "skill_refused");
  chunk->skill_id.assign(std::string(64, 's'));
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
}

TEST(Evidence, JerkIsKnownFromTheThirdRowOn) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.shoulder.jerk_max"] = 400;
  const Configuration smooth = duo::configuration(raw);
  const Columns columns = columns_of(smooth, ControlMode::kJointPosition);
  // The first row that has an acceleration before it: +10 and -10 rad/s^2 in 0.02 s.
  auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.4, 0.2}));
  chunk->last = false;
  const Finding finding = check_rows(smooth, *chunk, columns, {});
  EXPECT_EQ("jerk_limit", name(finding));
  EXPECT_EQ(3, finding.row);
  EXPECT_EQ(0, finding.joint);
  // What was before the first row is not known: 0.4 rad/s from the start on is no jerk.
  chunk = duo::chunk(duo::shoulder_rows({0.4, 0.4, 0.4}));
  chunk->last = false;
  EXPECT_TRUE(check_rows(smooth, *chunk, columns, {}).ok());
}

TEST(Evidence, AnEndInMotionNamesTheLastRow) {
  const Configuration configuration = duo::configuration();
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  const Finding finding =
      check_rows(configuration, *duo::chunk(duo::shoulder_rows({0.2, 0.4})), columns, {});
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_EQ(0, finding.joint);
  EXPECT_EQ(10, finding.limit);
}

// The chain may hold the first joint alone.
TEST(Evidence, AnArmOfOneJointIsBoundedInSpace) {
  RawConfiguration raw = duo::raw_in_space();
  raw.lists["robot.joints"] = {"shoulder", "finger"};
  raw.lists["robot.arm.joints"] = {"shoulder"};
  for (const char* part : {".xyz", ".rpy", ".axis"}) {
    raw.vectors.erase(std::string("robot.arm.chain.elbow") + part);
  }
  for (const auto& field : joint_fields()) {
    raw.numbers.erase(std::string("robot.limits.elbow.") + field.name);
  }
  raw.vectors["robot.arm.workspace_max"] = {0.9, 1.2, 0.2};  // the tool stands at x = 1
  Configuration configuration;
  ASSERT_FALSE(configure(raw, configuration).has_value());
  auto chunk = duo::chunk({{0, 0.04}});
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  const Finding finding = check_rows(configuration, *chunk, columns, {});
  EXPECT_EQ("workspace", name(finding));
  EXPECT_EQ(0, finding.row);
  EXPECT_EQ(-1, finding.joint);  // the tool
}

TEST(Evidence, OfATwistIsARowWithoutAJoint) {
  const Configuration configuration = duo::configuration(raw_holonomic());
  auto motion = std::make_unique<Chunk>();
  const auto check = [&](const duo::Rows& rows, bool last, const JointArray& from = {}) {
    auto chunk = duo::twists(rows);
    chunk->last = last;
    begin_at(from, *chunk, *motion);
    return check_twists(configuration, *motion);
  };
  const auto expect = [](const Finding& finding, const std::string& reason, double value,
                         double limit) {
    EXPECT_EQ(reason, name(finding));
    EXPECT_EQ(0, finding.row) << reason;
    EXPECT_EQ(-1, finding.joint) << reason;
    EXPECT_NEAR(value, finding.value, 1e-9) << reason;
    if (!std::isnan(limit)) {
      EXPECT_NEAR(limit, finding.limit, 1e-9) << reason;
    }
  };
  expect(check({{0.51, 0, 0}}, false, {0.5}), "base_speed", 0.51, 0.5);
  expect(check({{0, 0.04, 0}}, false), "base_acceleration", 2, 1);
  // Each axis alone is no rest.
  expect(check({{0, 0.02, 0}}, true), "end_not_at_rest", 0.02, 0);
  // 0.36 m/s on both axes are 0.509 m/s; 72 ticks: 0.509 * (72 * 0.005 / 2 + 0.005) = 0.0942 m.
  EXPECT_TRUE(check({{0.36, 0.36, 0}}, false, {0.36, 0.36}).ok());
  // 0.4 and 0.4: 0.4 sqrt 2 (80 * 0.0025 + 0.005) m.
  expect(check({{0.4, 0.4, 0}}, false, {0.4, 0.4}), "base_stopping_distance",
         0.4 * std::sqrt(2.0) * 0.205, 0.1);
  const Finding finding = check({{0, std::nan(""), 0}}, false);
  EXPECT_EQ("not_finite", name(finding));
  EXPECT_EQ(0, finding.row);
  EXPECT_EQ(-1, finding.joint);
  // An axis that the base does not have is allowed nothing.
  const Configuration narrow = duo::configuration(duo::raw_with_base());
  begin_at({}, *duo::twists({{0, 0.01, 0}}), *motion);
  expect(check_twists(narrow, *motion), "base_axis", 0.01, 0);
}

// A step of one tick, before it is emitted: speed and change on each axis.
TEST(Evidence, AStepOfTheBaseIsCheckedOnEveryAxis) {
  const Configuration configuration = duo::configuration(raw_holonomic());
  EXPECT_TRUE(check_twist_step(configuration, {0.1, 0.1, 0.1}, {0.105, 0.105, 0.11}).ok());
  for (std::size_t axis = 0; axis < kBaseAxes; ++axis) {
    const BaseAxis& limits = configuration.base.axes[axis];
    JointArray from{};
    JointArray to{};
    to[axis] = limits.acceleration_max * 0.0051;
    Finding finding = check_twist_step(configuration, from, to);
    expect_nowhere(finding, "row_check");
    EXPECT_NEAR(limits.acceleration_max * 1.02, finding.value, 1e-9);
    EXPECT_EQ(limits.acceleration_max, finding.limit);
    from[axis] = limits.speed_max;
    to[axis] = limits.speed_max + 0.001;
    finding = check_twist_step(configuration, from, to);
    expect_nowhere(finding, "row_check");
    EXPECT_EQ(limits.speed_max + 0.001, finding.value);
    EXPECT_EQ(limits.speed_max, finding.limit);
  }
}

TEST(Evidence, OfFreshnessIsAnAgeInSeconds) {
  const Configuration configuration = duo::configuration();
  Freshness freshness;
  const Nanoseconds start = 1'000'000'000;
  freshness.note_admitted(start, 5, start - 90 * duo::kMillisecond);
  Finding finding = freshness.check(configuration, start + 11 * duo::kMillisecond);
  expect_nowhere(finding, "observation_stale");
  EXPECT_NEAR(0.101, finding.value, 1e-12);
  EXPECT_NEAR(0.1, finding.limit, 1e-12);
  finding = freshness.check(configuration, start + 81 * duo::kMillisecond);
  expect_nowhere(finding, "chunk_stale");
  EXPECT_NEAR(0.081, finding.value, 1e-12);
  EXPECT_NEAR(0.08, finding.limit, 1e-12);
}

// A wedged publisher sends the same message again and again.
TEST(Evidence, AChunkThatIsRefusedAsARepetitionCountsAsFrozen) {
  const Configuration configuration = duo::configuration();
  const Nanoseconds start = 1'000'000'000;
  Freshness freshness;
  freshness.note_admitted(start, 5, start);
  freshness.note_repeated(6);  // of another observation: nothing stands still
  for (int i = 1; i < 12; ++i) EXPECT_TRUE(freshness.check(configuration, start).ok());
  freshness.note_repeated(5);
  const Finding finding = freshness.check(configuration, start);
  expect_nowhere(finding, "observation_frozen");
  EXPECT_EQ(12, finding.value);
  EXPECT_EQ(10, finding.limit);
  freshness.forget();
  freshness.note_repeated(0);  // nothing is known yet
  freshness.note_admitted(start, 0, start);
  for (int i = 1; i < 12; ++i) EXPECT_TRUE(freshness.check(configuration, start).ok());
}

// What stood still once and moves again is not frozen, however long the next chunk takes.
TEST(Evidence, ANewObservationEndsTheFreeze) {
  const Configuration configuration = duo::configuration();
  const Nanoseconds start = 1'000'000'000;
  Freshness freshness;
  freshness.note_admitted(start, 5, start);
  freshness.note_admitted(start, 5, start);
  freshness.note_admitted(start, 6, start);
  for (int i = 1; i < 15; ++i) EXPECT_TRUE(freshness.check(configuration, start).ok());
}

TEST(Evidence, OfAnObservationIsAnAgeInSeconds) {
  const Times times = duo::configuration().times;
  ObservationClock clock;
  Nanoseconds arrived = 0;
  Finding finding = clock.locate(times, 0, 0, arrived);
  expect_nowhere(finding, "observation_stale");
  EXPECT_TRUE(std::isnan(finding.value));
  EXPECT_NEAR(0.1, finding.limit, 1e-12);
  const Nanoseconds start = 1'000'000'000;
  clock.note(start, start);
  finding = clock.locate(times, start + 101 * duo::kMillisecond, start, arrived);
  expect_nowhere(finding, "observation_stale");
  EXPECT_NEAR(0.101, finding.value, 1e-12);
  EXPECT_EQ(start, arrived);
  EXPECT_TRUE(clock.locate(times, start + 100 * duo::kMillisecond, start, arrived).ok());
  // 21 ms ahead of the newest, of which 20 are allowed.
  finding = clock.locate(times, start, start + 21 * duo::kMillisecond, arrived);
  expect_nowhere(finding, "observation_future");
  EXPECT_NEAR(0.001, finding.value, 1e-12);
  EXPECT_NEAR(0.02, finding.limit, 1e-12);
  EXPECT_TRUE(clock.locate(times, start, start + 20 * duo::kMillisecond, arrived).ok());
  // So far ahead that no joint state is near.
  finding = clock.locate(times, start, start + 51 * duo::kMillisecond, arrived);
  expect_nowhere(finding, "observation_future");
  EXPECT_NEAR(0.051, finding.value, 1e-12);
  EXPECT_NEAR(0.02, finding.limit, 1e-12);
  finding = clock.locate(times, start, start - 30 * duo::kMillisecond, arrived);
  expect_nowhere(finding, "observation_stale");
  EXPECT_NEAR(0.03, finding.value, 1e-12);
}

TEST(Evidence, OfTheToolIsNoJoint) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  const ChainPose from = forward(configuration.arm.chain, {0, 0});
  // The elbow alone: the tool goes 2 sin(0.01) m in 0.01 s.
  Finding finding =
      check_tool_speed(configuration, from, forward(configuration.arm.chain, {0, 0.02}), 0.01, 1);
  expect_nowhere(finding, "tool_speed");
  EXPECT_NEAR(2 * std::sin(0.01) / 0.01, finding.value, 1e-9);
  EXPECT_EQ(1.2, finding.limit);
  // Slower, it turns 0.01 rad in 0.01 s.
  finding =
      check_tool_speed(configuration, from, forward(configuration.arm.chain, {0, 0.01}), 0.01, 1);
  expect_nowhere(finding, "tool_rotation");
  EXPECT_NEAR(1, finding.value, 1e-9);
  EXPECT_EQ(0.9, finding.limit);
}

}  // namespace
}  // namespace openral::safety
