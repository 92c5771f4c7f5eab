// Behaviour 18, collision: what is asked of whom, with which margin, and from where.
#include "collision_guard.hpp"

#include <cmath>

#include "cartesian_path.hpp"
#include "duo.hpp"
#include "duo_in_a_cell.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

constexpr double kDown = -M_PI / 2;
constexpr double kTick = 0.005;

// The stretched arm at kDown + phi is 1.5 sin phi - 0.1 away from the post: 0.02 at 0.08009, 0.01
// at 0.07340.
const double kMarginAt = std::asin(0.12 / 1.5);
const double kStopMarginAt = std::asin(0.11 / 1.5);

class Guard : public testing::Test {
 protected:
  explicit Guard(const RawConfiguration& raw = duo::raw_in_a_cell())
      : configuration_(duo::configuration(raw)),
        guard_(std::make_unique<CollisionGuard>(configuration_)) {}

  // Rows of the shoulder at kDown + phi, one `dt` apart, that begin at row `first` of their
  // timeline.
  [[nodiscard]] static std::unique_ptr<Chunk> rows(const std::vector<double>& phis,
                                                   std::uint64_t first = 0) {
    duo::Rows rows;
    for (const double phi : phis) rows.push_back({kDown + phi, 0, 0.04});
    auto chunk = duo::chunk(rows);
    chunk->first_row = first;
    return chunk;
  }
  [[nodiscard]] Finding check(const Chunk& chunk, double phase, double base) {
    const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
    return guard_->check_chunk(chunk, columns, phase, {kDown + base, 0, 0.04});
  }
  void expect(const Finding& finding, int row, const char* body = "fore",
              const char* other = "post") {
    EXPECT_EQ(Reason::kCollision, finding.reason);
    EXPECT_EQ(row, finding.row);
    EXPECT_EQ(-1, finding.joint);
    EXPECT_EQ(body, guard_->name(finding.body).view());
    EXPECT_EQ(other, guard_->name(finding.other).view());
  }

  const Configuration configuration_;
  std::unique_ptr<CollisionGuard> guard_;
};

// ---- a chunk

TEST_F(Guard, EveryRowKeepsTheMargin) {
  EXPECT_TRUE(check(*rows({kMarginAt + 1e-4}), 0, kMarginAt + 1e-4).ok());
  const Finding finding = check(*rows({kMarginAt - 1e-4}), 0, kMarginAt - 1e-4);
  expect(finding, 0);
  EXPECT_EQ(0.02, finding.limit);
}

// The first row, and no row that the chunk does not have.
TEST_F(Guard, FromTheFirstRowToTheLast) {
  expect(check(*rows({0.05, 0.5}), 1, 0.5), 0);
  auto chunk = rows({0.5, 0.5, 0.5});
  for (std::size_t i = 9; i < 18; i += 3) chunk->values[i] = kDown + 0.05;
  EXPECT_TRUE(check(*chunk, 0, 0.5).ok());
}

TEST_F(Guard, NoTunnelBetweenTwoRows) {
  expect(check(*rows({0.3, -0.3}), 0, 0.3), 1);
  expect(check(*rows({0.3, 0.3, -0.3}), 0, 0.3), 2);
}

// 0.006 rad in 0.02 s are 0.3 rad/s: 6 ticks and 0.3 (6 * 0.005 / 2 + 0.005) = 0.006 rad further.
TEST_F(Guard, TheStopOfEveryRowKeepsTheMargin) {
  const double end = kMarginAt + 0.006;
  EXPECT_TRUE(check(*rows({end + 0.0062, end + 0.0002}), 0, end + 0.0062).ok());
  expect(check(*rows({end + 0.0058, end - 0.0002}), 0, end + 0.0058), 1);
  // The line is as long the other way round, and its stop leads away.
  EXPECT_TRUE(check(*rows({end - 0.0002, end + 0.0058}), 0, end - 0.0002).ok());
}

// Entered at its end, a chunk that comes from near the post is not followed back to its first row.
TEST_F(Guard, TheWayIsFromRowToRowAndNotBackToTheFirst) {
  const auto chunk = rows({kMarginAt + 0.001, kMarginAt + 0.004, kMarginAt + 0.007});
  EXPECT_TRUE(check(*chunk, 2, kMarginAt + 0.007).ok());
}

// From the last command, which is a hair too near, to where the chunk is entered, a tick after
// `phase`: a quarter of a row.
TEST_F(Guard, TheWayToTheFirstCommandLeadsFromTheLast) {
  const double near = kMarginAt - 0.0006;
  const double far = kMarginAt + 0.0014;
  for (const std::uint64_t first : {0, 10}) {
    const auto chunk = rows({far, far, far}, first);
    const double at = static_cast<double>(first);
    expect(check(*chunk, at, near), 0);
    expect(check(*chunk, at + 0.74, near), 0);
    expect(check(*chunk, at + 0.76, near), 1);
    // Not beyond the last row.
    expect(check(*chunk, at + 2, near), 2);
    EXPECT_TRUE(check(*chunk, at, far).ok());
  }
  // With rows that are a tick apart, too.
  auto chunk = rows({far, far, far});
  chunk->dt = kTick;
  expect(check(*chunk, 0, near), 1);
  expect(check(*chunk, 2, near), 2);
}

// Between rows that are 0.004 rad apart the tick from phase 0.5 ends at 0.75, at the angle `at`.
// From 0.002 rad before it that are 0.4 rad/s: 8 ticks and 0.4 (8 * 0.005 / 2 + 0.005) = 0.01 rad
// further. The rows' own stop ends 0.004 rad beyond `at`.
TEST_F(Guard, TheStopOfTheFirstCommandKeepsTheMargin) {
  const auto entered = [&](double at) {
    return check(*rows({at + 0.003, at - 0.001}), 0.5, at + 0.002);
  };
  EXPECT_TRUE(entered(kMarginAt + 0.0102).ok());
  expect(entered(kMarginAt + 0.0098), 0);
}

// Two bodies of the robot's first link and the post: the first body of all has a name too.
TEST(GuardNames, OfEveryBodyAndOfNone) {
  RawConfiguration raw = duo::raw_in_a_cell();
  duo::set_capsule(raw, "world.body.post", {0, -0.5, -1}, {0, -0.5, 1}, 0.05);
  const Configuration configuration = duo::configuration(raw);
  CollisionGuard guard(configuration);
  const JointArray down = {kDown, 0, 0.04};
  const Finding finding = guard.check_way(down, down);
  EXPECT_EQ("upper", guard.name(finding.body).view());
  EXPECT_EQ("post", guard.name(finding.other).view());
  EXPECT_EQ("", guard.name(-1).view());
}

// ---- a step, and a way

// 0.001 rad in a tick are 0.2 rad/s: 0.003 rad further.
TEST_F(Guard, AStepKeepsTheStopMarginWithItsStop) {
  const auto step = [&](double to) {
    return guard_->check_step({kDown + to + 0.001, 0, 0.04}, {kDown + to, 0, 0.04},
                              {kDown + 0.5, 0, 0.04});
  };
  EXPECT_TRUE(step(kStopMarginAt + 0.0032).ok());
  const Finding finding = step(kStopMarginAt + 0.0028);
  expect(finding, -1);
  EXPECT_EQ(0.01, finding.limit);
}

TEST_F(Guard, AStepIsCheckedFromTheMeasuredArmToo) {
  const JointArray at = {kDown + 0.3, 0, 0.04};
  EXPECT_TRUE(guard_->check_step(at, at, {kDown + 0.2, 0, 0.04}).ok());
  expect(guard_->check_step(at, at, {kDown + 0.05, 0, 0.04}), -1);
  // From the other side of the post.
  expect(guard_->check_step(at, at, {kDown - 0.3, 0, 0.04}), -1);
}

TEST_F(Guard, AWayKeepsTheStopMargin) {
  const auto way = [&](double to) {
    return guard_->check_way({kDown + 0.3, 0, 0.04}, {kDown + to, 0, 0.04});
  };
  EXPECT_TRUE(way(kStopMarginAt + 0.001).ok());
  const Finding finding = way(kStopMarginAt - 0.001);
  expect(finding, -1);
  EXPECT_EQ(0.01, finding.limit);
}

// ---- poses of the tool, in a cell that asks for no world

RawConfiguration raw_of_poses(const Vector3& post) {
  RawConfiguration raw = duo::raw_in_every_mode();
  const RawConfiguration cell = duo::raw_in_a_cell();
  raw.flags["robot.collision.enabled"] = true;
  raw.flags["world.required"] = false;
  raw.numbers.insert(cell.numbers.begin(), cell.numbers.end());
  raw.texts.insert(cell.texts.begin(), cell.texts.end());
  raw.lists.insert(cell.lists.begin(), cell.lists.end());
  for (const auto& [name, value] : cell.vectors) raw.vectors[name] = value;
  duo::set_capsule(raw, "world.body.post", {post[0], post[1], -1}, {post[0], post[1], 1}, 0.05);
  return raw;
}

// The post stands at (1.5, 1); the forearm lies along x from (1, y) to (2, y) and is 0.9 - y away.
class GuardOfPoses : public Guard {
 protected:
  GuardOfPoses() : Guard(raw_of_poses({1.5, 1, 0})) {}

  [[nodiscard]] static ToolPose at(double y) {
    ToolPose pose;
    pose.position = {2, y, 0.1};
    return pose;
  }
  [[nodiscard]] static std::unique_ptr<Chunk> path(const std::vector<double>& ys,
                                                   std::uint64_t first = 0) {
    duo::Rows rows;
    for (const double y : ys) rows.push_back({2, y, 0.1, 0, 0, 0, 1});
    auto chunk = duo::poses(rows);
    chunk->first_row = first;
    return chunk;
  }
  [[nodiscard]] Finding check(const Chunk& poses, double phase, double y) {
    return guard_->check_poses(poses, phase, at(y));
  }
};

TEST_F(GuardOfPoses, EveryRowKeepsTheMargin) {
  EXPECT_TRUE(check(*path({0.879}), 0, 0.879).ok());
  const Finding finding = check(*path({0.881}), 0, 0.881);
  expect(finding, 0);
  EXPECT_EQ(0.02, finding.limit);
  expect(check(*path({0.881, 0.5}), 1, 0.5), 0);
  auto chunk = path({0.5, 0.5, 0.5});
  for (std::size_t i = 22; i < 42; i += 7) chunk->values[i] = 1;  // y, of no row
  EXPECT_TRUE(check(*chunk, 0, 0.5).ok());
}

TEST_F(GuardOfPoses, NoTunnelBetweenTwoRows) {
  expect(check(*path({0.5, 1.5}), 0, 0.5), 1);
  expect(check(*path({0.5, 0.5, 1.5}), 0, 0.5), 2);
}

// 0.008 m in 0.02 s are 0.4 m/s: 8 ticks and 0.4 (8 * 0.005 / 2 + 0.005) = 0.01 m further.
TEST_F(GuardOfPoses, TheStopOfEveryRowKeepsTheMargin) {
  EXPECT_TRUE(check(*path({0.8615, 0.8695}), 0, 0.8615).ok());
  expect(check(*path({0.8625, 0.8705}), 0, 0.8625), 1);
  // The other way round the stop leads away; and the first row is no end of a way.
  EXPECT_TRUE(check(*path({0.879, 0.871, 0.863}), 2, 0.863).ok());
}

TEST_F(GuardOfPoses, TheWayToTheFirstCommandLeadsFromTheLast) {
  for (const std::uint64_t first : {0, 10}) {
    const auto chunk = path({0.5, 0.5, 0.5}, first);
    const double phase = static_cast<double>(first);
    expect(check(*chunk, phase, 1.5), 0);
    expect(check(*chunk, phase + 0.74, 1.5), 0);
    expect(check(*chunk, phase + 0.76, 1.5), 1);
    expect(check(*chunk, phase + 2, 1.5), 2);
    EXPECT_TRUE(check(*chunk, phase, 0.5).ok());
  }
  auto chunk = path({0.5, 0.5, 0.5});
  chunk->dt = kTick;
  expect(check(*chunk, 0, 1.5), 1);
  expect(check(*chunk, 2, 1.5), 2);
}

// 0.002 m in a tick are 0.4 m/s.
TEST_F(GuardOfPoses, AStepKeepsTheStopMarginWithItsStop) {
  EXPECT_TRUE(guard_->check_tool_step(at(0.8775), at(0.8795)).ok());
  const Finding finding = guard_->check_tool_step(at(0.8785), at(0.8805));
  expect(finding, -1);
  EXPECT_EQ(0.01, finding.limit);
}

// ---- the changing world

class GuardInAWorld : public Guard {
 protected:
  GuardInAWorld() : Guard(duo::raw_in_a_world()) {}

  void hear(CollisionWorld& world, Nanoseconds stamp, Nanoseconds received) {
    world.stamp = stamp;
    world.received = received;
    guard_->hear(world);
  }
  [[nodiscard]] static std::unique_ptr<CollisionWorld> crate(double x, double y) {
    return duo::world_with(duo::world_box("crate", {x, y, 0.1}, {0.2, 0.2, 0.2}));
  }
};

// 50 ms, and not a nanosecond more; before the first one none is known, even at the beginning of
// time.
TEST_F(GuardInAWorld, IsStaleBeyondItsAgeAndBeforeTheFirst) {
  for (const Nanoseconds now : {Nanoseconds{0}, 1000 * duo::kMillisecond}) {
    const Finding finding = guard_->check_world_known(now);
    EXPECT_EQ(Reason::kWorldStale, finding.reason);
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(-1, finding.joint);
    EXPECT_TRUE(std::isnan(finding.value));
    EXPECT_EQ(0.05, finding.limit);
  }
  auto empty = duo::world();
  hear(*empty, 7, 1000 * duo::kMillisecond);
  EXPECT_TRUE(guard_->check_world_known(1050 * duo::kMillisecond).ok());
  const Finding finding = guard_->check_world_known(1050 * duo::kMillisecond + 1);
  EXPECT_EQ(Reason::kWorldStale, finding.reason);
  EXPECT_NEAR(0.05, finding.value, 1e-8);
  // The same stamp again is the same world.
  hear(*empty, 7, 1050 * duo::kMillisecond);
  EXPECT_FALSE(guard_->check_world_known(1060 * duo::kMillisecond).ok());
  hear(*empty, 8, 1060 * duo::kMillisecond);
  EXPECT_TRUE(guard_->check_world_known(1060 * duo::kMillisecond).ok());
}

// A stamp of zero is one like any other.
TEST_F(GuardInAWorld, AFirstWorldMayBeStampedZero) {
  auto empty = duo::world();
  hear(*empty, 0, 0);
  EXPECT_TRUE(guard_->check_world_known(0).ok());
}

TEST_F(GuardInAWorld, AFaultLastsUntilAWholeOneComes) {
  auto good = duo::world();
  hear(*good, 1, 0);
  auto bad = crate(1, 1);
  bad->bodies[0].shape = 0;
  hear(*bad, 2, duo::kMillisecond);
  EXPECT_EQ(Reason::kWorldShape, guard_->check_world_known(duo::kMillisecond).reason);
  hear(*good, 3, 2 * duo::kMillisecond);
  EXPECT_TRUE(guard_->check_world_known(2 * duo::kMillisecond).ok());
}

// How far the work that is granted goes must not depend on a chunk that was refused before: one
// that ends where the next begins would leave its distances behind. The stretched arm swings to and
// fro beside thirty posts, and what it takes to decide that is more than a chunk is granted.
TEST(CollisionGuard, AChunkInFrontChangesNoVerdict) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  auto world = duo::world();
  for (int i = 0; i < 30; ++i) {
    world->bodies[world->body_count++] =
        duo::world_capsule("post", {0.4 + 0.05 * i, -0.127, 0.1}, 0.05, 0.4);
  }
  duo::Rows rows;
  for (int i = 0; i < 1024; ++i) rows.push_back({1e-5 * i + (i % 2 == 0 ? 0.016 : 0), 0, 0.04});
  const auto chunk = duo::chunk(rows);
  chunk->dt = 0.1;
  const JointArray base = {0.016, 0, 0.04};
  const auto before = duo::chunk({{0.016, 0, 0.04}});

  const auto alone = std::make_unique<CollisionGuard>(configuration);
  const auto after = std::make_unique<CollisionGuard>(configuration);
  alone->hear(*world);
  after->hear(*world);
  (void)after->check_chunk(*before, columns, 0, base);
  (void)after->judge_way(base, base);
  const Finding expected = alone->check_chunk(*chunk, columns, 0, base);
  const Finding found = after->check_chunk(*chunk, columns, 0, base);
  EXPECT_EQ(Reason::kCollisionEffort, expected.reason);
  EXPECT_EQ(expected.reason, found.reason);
  EXPECT_EQ(expected.row, found.row);
}

// What was known of an earlier world says nothing of the next, whose crate is in its place.
TEST_F(GuardInAWorld, AWayIsJudgedInTheWorldOfNow) {
  const JointArray at = {0, 0, 0.04};
  hear(*crate(9, 0), 1, 0);
  EXPECT_TRUE(guard_->judge_way(at, at).ok());
  hear(*crate(1.5, 0.1), 2, 0);
  expect(guard_->judge_way(at, at), -1, "fore", "crate");
}

TEST_F(GuardInAWorld, ABodyThatMovedIsSeenWhereItIs) {
  const JointArray along_x = {0, 0, 0.04};
  auto chunk = duo::chunk({{0, 0, 0.04}});
  const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
  auto world = crate(-2, -2);
  hear(*world, 1, 0);
  EXPECT_TRUE(guard_->check_chunk(*chunk, columns, 0, along_x).ok());
  EXPECT_TRUE(guard_->check_step(along_x, along_x, along_x).ok());
  EXPECT_TRUE(guard_->check_way(along_x, along_x).ok());
  world = crate(1.8, 0);
  hear(*world, 2, 0);
  expect(guard_->check_chunk(*chunk, columns, 0, along_x), 0, "fore", "crate");
  expect(guard_->check_step(along_x, along_x, along_x), -1, "fore", "crate");
  expect(guard_->check_way(along_x, along_x), -1, "fore", "crate");
  ToolPose tool;
  tool.position = {2, 0, 0.1};
  expect(guard_->check_tool_step(tool, tool), -1, "fore", "crate");
  world = crate(-2, -2);
  hear(*world, 3, 0);
  EXPECT_TRUE(guard_->check_chunk(*chunk, columns, 0, along_x).ok());
  EXPECT_TRUE(guard_->check_step(along_x, along_x, along_x).ok());
  EXPECT_TRUE(guard_->check_tool_step(tool, tool).ok());
}

}  // namespace
}  // namespace openral::safety
