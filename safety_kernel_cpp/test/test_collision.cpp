// Behaviour 18, collision, in the kernel.
#include <cmath>
#include <limits>

#include "bench.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

constexpr double kDown = -M_PI / 2;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The stretched arm turns from shoulder angle `start` towards the post and beyond, at 0.6 rad/s.
std::unique_ptr<Chunk> towards_the_post(double start, int cruise = 84) {
  auto speeds = duo::trapezoid(3, cruise);
  for (double& speed : speeds) speed = -speed;
  return duo::chunk(duo::shoulder_rows(speeds, start));
}

class CollisionTest : public testing::Test {
 protected:
  explicit CollisionTest(const RawConfiguration& raw = duo::raw_in_a_cell()) : bench_(raw) {}

  void stand(double shoulder, double elbow = 0) {
    bench_.measured.position = {shoulder, elbow, 0.04};
  }
  const Report& last_report() { return bench_.reports.back(); }
  void expect_bodies(const char* body, const char* other) {
    EXPECT_EQ(body, bench_.status().bodies.body.view());
    EXPECT_EQ(other, bench_.status().bodies.other.view());
    EXPECT_EQ(body, last_report().bodies.body.view());
    EXPECT_EQ(other, last_report().bodies.other.view());
  }

  duo::Bench bench_;
};

// Row r is reached after 0.024 + 0.012 (r - 3) rad. At 0.6 rad/s a stop takes 12 ticks, so it and
// the delay of 5 ms go 0.6 (12 * 0.005 / 2 + 0.005) = 0.021 rad further. The margin is broken below
// phi = asin(0.12 / 1.5) = 0.0801; from phi = 0.3708 the stop from row r ends there for
// 0.024 + 0.012 (r - 3) > 0.2697, that is from row 24 on. Row 24 itself is at phi = 0.0948.
TEST_F(CollisionTest, AChunkWhoseStopTailWouldMeetThePostIsRefusedWhole) {
  const double start = kDown + 0.3708;
  stand(start);
  bench_.start();
  bench_.send(*towards_the_post(start, 40));
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ(24, bench_.status().finding.row);
  EXPECT_EQ(0.02, bench_.status().finding.limit);
  EXPECT_LT(bench_.status().finding.value, 0.02);
  EXPECT_GT(bench_.status().finding.value, 0.01);  // where the line was looked at
  expect_bodies("fore", "post");
  EXPECT_EQ(Severity::kWarn, last_report().severity);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(1u, bench_.status().chunks_refused);
}

// The same rows end at rest at phi = 0.3708 - 0.264 = 0.1068, where the tool is 6 cm away.
TEST_F(CollisionTest, AChunkThatEndsBeforeThePostIsPlayed) {
  const double start = kDown + 0.3708;
  stand(start);
  bench_.start();
  const auto chunk = towards_the_post(start, 18);
  bench_.play(*chunk, 140);
  EXPECT_EQ("", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_NEAR(kDown + 0.3708 - 0.264, bench_.last.position[0], 1e-12);
  EXPECT_EQ(0u, bench_.status().stops);
}

TEST_F(CollisionTest, ARefusedChunkLeavesTheVerifiedTailRunning) {
  const double start = kDown + 0.9;
  stand(start);
  bench_.start();
  auto good = towards_the_post(start, 30);
  bench_.play(*good, 40);
  auto bad = towards_the_post(start);
  bad->timeline = 1;
  bench_.send(*bad);
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ(State::kActive, bench_.state());
  bench_.play(*good, 200);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(0u, bench_.status().stops);
}

TEST_F(CollisionTest, AGripperMayCloseWhereverTheArmStands) {
  stand(kDown + 0.07);
  bench_.start();
  auto chunk = duo::chunk({{kDown + 0.07, 0, 0.04}, {kDown + 0.07, 0, 0.04}});
  bench_.send(*chunk);
  EXPECT_EQ("collision", bench_.reason_text());
  auto close = duo::chunk({{0.04}, {0.04}});
  close->control_mode = static_cast<std::uint8_t>(ControlMode::kGripperPosition);
  close->name_count = 1;
  close->joint_names[0].assign("finger");
  bench_.send(*close);
  EXPECT_EQ(1u, bench_.status().chunks_admitted);
  EXPECT_EQ(0u, bench_.status().stops) << bench_.reason_text();
}

// ---- velocities are checked as the positions that they lead to

class CollisionVelocity : public CollisionTest {
 protected:
  static RawConfiguration raw() {
    RawConfiguration raw = duo::raw_in_a_cell();
    raw.lists["robot.modes"] = {"joint_velocity"};
    return raw;
  }
  CollisionVelocity() : CollisionTest(raw()) {}
};

TEST_F(CollisionVelocity, AVelocityChunkTowardsThePostIsRefused) {
  stand(kDown + 0.2);
  bench_.start();
  duo::Rows rows;
  for (double speed : duo::trapezoid(2, 20)) rows.push_back({-speed, 0, 0});
  rows.push_back({0, 0, 0});
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointVelocity);
  bench_.send(*chunk);
  EXPECT_EQ("collision", bench_.reason_text());
  expect_bodies("fore", "post");
}

// ---- the changing world

class CollisionWorldTest : public CollisionTest {
 protected:
  CollisionWorldTest() : CollisionTest(duo::raw_in_a_world()) {}

  // The next tick hears this world, made anew.
  void hear(CollisionWorld& world) {
    world.received = bench_.now + duo::kTick;
    world.stamp = bench_.now;
    bench_.inputs.world = &world;
  }
  void arm() {
    hear(*empty_);
    bench_.ticks(2);
    ASSERT_TRUE(bench_.arm());
  }
  // Plays with a fresh world every eighth tick.
  void play(Chunk& chunk, CollisionWorld& world, int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (i % 8 == 0) hear(world);
      if (i % 4 == 0) {
        bench_.send(chunk);
      } else {
        bench_.tick();
      }
    }
  }

  std::unique_ptr<CollisionWorld> empty_ = duo::world();
  // In the way of the stretched forearm at a shoulder angle of about zero.
  std::unique_ptr<CollisionWorld> crate_ =
      duo::world_with(duo::world_box("crate", {1.8, 0, 0.1}, {0.2, 0.2, 0.2}));
};

TEST_F(CollisionWorldTest, DenyByDefaultWithoutAWorldNothingIsArmed) {
  bench_.ticks(4);
  EXPECT_TRUE(bench_.unmet(Reason::kWorldStale));
  EXPECT_FALSE(bench_.arm());
  hear(*empty_);
  bench_.tick();
  EXPECT_FALSE(bench_.unmet(Reason::kWorldStale));
  EXPECT_TRUE(bench_.arm());
}

TEST_F(CollisionWorldTest, AChunkIntoTheWorldIsRefused) {
  stand(1);
  arm();
  hear(*crate_);
  bench_.send(*towards_the_post(1));
  EXPECT_EQ("collision", bench_.reason_text());
  expect_bodies("fore", "crate");
}

// The forearm's side is 0.01 m away from the crate's corner (1.7, 0.1) at atan(0.1 / 1.7) +
// asin(0.06 / 1.7029) = 0.0940, and a stop goes 0.021 rad further: it begins before 0.115.
TEST_F(CollisionWorldTest, WhatComesInTheWayStopsTheArmBeforeIt) {
  stand(1);
  arm();
  const auto chunk = towards_the_post(1);
  play(*chunk, *empty_, 292);  // row 73: 1 - 0.024 - 0.012 * 70 = 0.136
  ASSERT_EQ(State::kActive, bench_.state());
  ASSERT_NEAR(0.136, bench_.last.position[0], 0.004);
  // New windows are refused, and what was admitted before is stopped.
  hear(*crate_);
  bench_.send(*chunk);
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ(Severity::kWarn, last_report().severity);
  EXPECT_EQ(State::kActive, bench_.state());
  for (int i = 0; i < 16 && bench_.state() == State::kActive; ++i) bench_.tick();
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ(Severity::kFail, last_report().severity);
  EXPECT_EQ(74, bench_.status().finding.row);  // at 0.124; row 75 lies at 0.112
  EXPECT_EQ(0.01, bench_.status().finding.limit);
  expect_bodies("fore", "crate");
  EXPECT_LT(bench_.last.position[0], 0.1151 + 0.003);
  bench_.ticks(30);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_GT(bench_.last.position[0], 0.0940);
}

TEST_F(CollisionWorldTest, AStaleWorldHolds) {
  stand(1);
  arm();
  const auto chunk = towards_the_post(1);
  play(*chunk, *empty_, 40);
  ASSERT_EQ(State::kActive, bench_.state());
  hear(*empty_);
  int ticks = 0;
  while (bench_.state() == State::kActive && ticks < 40) {
    if (ticks % 4 == 0) {
      bench_.send(*chunk);
    } else {
      bench_.tick();
    }
    ++ticks;
  }
  EXPECT_EQ("world_stale", bench_.reason_text());
  EXPECT_EQ(12, ticks);  // heard in the first; 50 ms are ten more, the next one stops
  EXPECT_EQ(0.055, bench_.status().finding.value);
  EXPECT_EQ(0.05, bench_.status().finding.limit);
  bench_.ticks(30);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.last.velocity == JointArray{});
  // It stays so: what is sent now is refused for the same reason.
  auto next = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 5), bench_.last.position[0]));
  next->timeline = 2;
  const std::uint64_t refused = bench_.status().chunks_refused;
  bench_.send(*next);
  EXPECT_EQ("world_stale", bench_.reason_text());
  EXPECT_EQ(refused + 1, bench_.status().chunks_refused);
  EXPECT_EQ(State::kHolding, bench_.state());
  hear(*empty_);
  bench_.send(*next);
  EXPECT_EQ(State::kActive, bench_.state());
}

// The same measurement again is no newer one.
TEST_F(CollisionWorldTest, AFrozenWorldIsStale) {
  stand(1);
  arm();
  const auto chunk = towards_the_post(1);
  play(*chunk, *empty_, 8);
  for (int i = 0; i < 16 && bench_.state() == State::kActive; ++i) {
    empty_->received = bench_.now + duo::kTick;
    bench_.inputs.world = empty_.get();
    bench_.send(*chunk);
  }
  EXPECT_EQ("world_stale", bench_.reason_text());
}

TEST_F(CollisionWorldTest, AWorldThatIsNoNumberHolds) {
  stand(1);
  arm();
  const auto chunk = towards_the_post(1);
  play(*chunk, *empty_, 41);
  auto broken = duo::world_with(duo::world_box("crate", {1.8, kNan, 0.1}, {0.2, 0.2, 0.2}));
  hear(*broken);
  bench_.tick();
  EXPECT_EQ("world_not_finite", bench_.reason_text());
  EXPECT_EQ(0, bench_.status().finding.row);
  EXPECT_EQ(State::kBraking, bench_.state());
  bench_.ticks(30);
  EXPECT_EQ(State::kHolding, bench_.state());
  auto next = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 5), bench_.last.position[0]));
  next->timeline = 2;
  bench_.send(*next);
  EXPECT_EQ("world_not_finite", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.unmet(Reason::kWorldNotFinite));
  hear(*empty_);
  bench_.send(*next);
  EXPECT_EQ(State::kActive, bench_.state());
}

TEST_F(CollisionWorldTest, EveryFaultOfAWorldHolds) {
  const auto fault = [](Reason reason) {
    auto world = duo::world_with(duo::world_box("crate", {1.8, 0, 0.1}, {0.2, 0.2, 0.2}));
    if (reason == Reason::kWorldFrame) world->frame.assign("map");
    if (reason == Reason::kWorldCapacity) world->body_count = kMaxWorldBodies + 1;
    if (reason == Reason::kWorldShape) world->bodies[0].shape = 0;
    if (reason == Reason::kWorldOrientation) world->bodies[0].orientation = {0, 0, 0, 2};
    if (reason == Reason::kWorldSize) world->bodies[0].size[1] = -0.2;
    return world;
  };
  for (const Reason reason : {Reason::kWorldFrame, Reason::kWorldCapacity, Reason::kWorldShape,
                              Reason::kWorldOrientation, Reason::kWorldSize}) {
    duo::Bench bench(duo::raw_in_a_world());
    const auto send = [&](CollisionWorld& world) {
      world.received = bench.now + duo::kTick;
      world.stamp = bench.now;
      bench.inputs.world = &world;
    };
    send(*empty_);
    bench.start();
    const auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(2, 60)));
    bench.send(*chunk);
    ASSERT_EQ(State::kActive, bench.state());
    const auto bad = fault(reason);
    send(*bad);
    bench.tick();
    EXPECT_EQ(reason_name(reason), bench.reason_text());
    EXPECT_EQ(State::kBraking, bench.state());
  }
}

// The tool's load is a rod of 0.4 m and 0.05 m radius about z, 0.3 m beyond the tool: the same
// motion is fine without it.
TEST_F(CollisionWorldTest, ALoadIsKeptClearOfTheWorld) {
  stand(0.3);
  arm();
  auto world = duo::world_with(duo::world_box("crate", {2.4, 0, 0.1}, {0.2, 0.2, 0.2}));
  auto chunk = towards_the_post(0.3, 30);
  hear(*world);
  bench_.send(*chunk);
  EXPECT_EQ(State::kActive, bench_.state());
  world->payload[world->payload_count++] = duo::world_capsule("rod", {0.3, 0, 0}, 0.05, 0.4);
  hear(*world);
  bench_.send(*chunk);
  EXPECT_EQ("collision", bench_.reason_text());
  expect_bodies("rod", "crate");
}

// A world that only the topic brings is not heard where it is not asked for.
TEST_F(CollisionTest, AWorldThatNobodyRequiresIsNotHeard) {
  stand(1);
  bench_.start();
  auto crate = duo::world_with(duo::world_box("crate", {1.8, 0, 0.1}, {0.2, 0.2, 0.2}));
  crate->frame.assign("");  // the frame of a robot that asks for no world
  bench_.inputs.world = crate.get();
  bench_.send(*towards_the_post(1));
  EXPECT_EQ(State::kActive, bench_.state());
}

// ---- the measured state

// The command is 0.03 rad ahead of an arm that was pushed: from where it is to the command leads
// past the post.
TEST_F(CollisionTest, AnEmittedRowIsCheckedFromTheMeasuredState) {
  stand(kDown + 0.12);
  bench_.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(2, 40), kDown + 0.12));
  bench_.follows = false;
  bench_.send(*chunk);
  ASSERT_EQ(State::kActive, bench_.state());
  bench_.ticks(2);
  ASSERT_EQ(State::kActive, bench_.state());
  // 1.5 sin 0.06 - 0.1 = -0.010: it leans on the post, within its tracking tolerance of 0.1 rad.
  stand(kDown + 0.06);
  bench_.ticks(2);
  EXPECT_EQ("collision", bench_.reason_text());
  EXPECT_EQ(0.01, bench_.status().finding.limit);
  expect_bodies("fore", "post");
  EXPECT_NE(State::kActive, bench_.state());
}

}  // namespace
}  // namespace openral::safety
