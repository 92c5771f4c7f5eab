// Behaviour 3, the mode cartesian_pose; behaviour 17, quaternions.
#include "cartesian_pose.hpp"

#include <cmath>

#include "admission.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

constexpr Quaternion kIdentity = {0, 0, 0, 1};

TEST(CartesianPose, FiniteEverywhere) {
  for (std::size_t i = 0; i < 14; ++i) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}, {1.5, 0, 0.1, 0, 0, 0, 1}});
      const auto poses = std::make_unique<Chunk>();
      chunk->values[i] = bad;
      const Finding finding = read_poses(*chunk, kIdentity, *poses);
      EXPECT_EQ("not_finite", name(finding));
      EXPECT_EQ(static_cast<int>(i / 7), finding.row);
    }
  }
}

TEST(CartesianPose, QuaternionNormWithinAThousandth) {
  const auto poses = std::make_unique<Chunk>();
  for (const double size : {0.9991, 1.0009}) {
    const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6 * size, 0.8 * size}});
    ASSERT_TRUE(read_poses(*chunk, kIdentity, *poses).ok());
    EXPECT_NEAR(0.6, poses->values[5], 1e-12);
    EXPECT_NEAR(0.8, poses->values[6], 1e-12);
  }
  for (const double size : {0.9989, 1.0011, 0.0, 1e200}) {
    const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6 * size, 0.8 * size}});
    const Finding finding = read_poses(*chunk, kIdentity, *poses);
    EXPECT_EQ("quaternion_norm", name(finding)) << size;
    EXPECT_EQ(0, finding.row);
    EXPECT_EQ(-1, finding.joint);
    if (size < 2) {  // the other one overflows
      EXPECT_NEAR(size, finding.value, 1e-12);
    }
    EXPECT_EQ(1, finding.limit);
  }
}

// q and -q are one orientation: a maker that changes the sign between rows asks for no turn.
TEST(CartesianPose, SignsAreMadeContinuous) {
  const auto plain = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                                 {1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                                 {1.5, 0, 0.1, 0, 0, 0.6, 0.8}});
  auto flipped = duo::poses({{1.5, 0, 0.1, 0, 0, -0.6, -0.8},
                             {1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                             {1.5, 0, 0.1, 0, 0, -0.6, -0.8}});
  const auto a = std::make_unique<Chunk>();
  const auto b = std::make_unique<Chunk>();
  ASSERT_TRUE(read_poses(*plain, kIdentity, *a).ok());
  ASSERT_TRUE(read_poses(*flipped, kIdentity, *b).ok());
  for (std::size_t i = 0; i < 21; ++i) EXPECT_EQ(a->values[i], b->values[i]) << i;
  EXPECT_TRUE(check_poses(duo::configuration(duo::raw_in_every_mode()), *b).ok());
  // The first row continues what is commanded.
  ASSERT_TRUE(read_poses(*plain, {0, 0, 0, -1}, *a).ok());
  EXPECT_NEAR(-0.8, a->values[6], 1e-12);
}

// A long turn passes the place where the other sign lies nearer to the first row.
TEST(CartesianPose, SignsFollowTheRowBefore) {
  duo::Rows rows;
  for (int i = 0; i <= 30; ++i) {
    const double half = i * 0.1;
    rows.push_back({1.5, 0, 0.1, 0, 0, std::sin(half), std::cos(half)});
  }
  const auto chunk = duo::poses(rows);
  const auto poses = std::make_unique<Chunk>();
  ASSERT_TRUE(read_poses(*chunk, kIdentity, *poses).ok());
  for (std::size_t i = 0; i < 31 * 7; ++i) EXPECT_NEAR(chunk->values[i], poses->values[i], 1e-12);
}

// Case width-mismatch.
TEST(CartesianPose, Width) {
  const Configuration configuration = duo::configuration(duo::raw_in_every_mode());
  auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}});
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
  chunk->horizon = 1000;
  chunk->value_count = 1000;
  EXPECT_EQ("value_count", name(check_shape(configuration, *chunk)));
  chunk = duo::cartesian({{0, 0, 0, 0, 0, 0, 0, 0}}, ControlMode::kCartesianTwist);
  chunk->horizon = 8;
  chunk->value_count = 8 * 7;
  EXPECT_EQ("value_count", name(check_shape(configuration, *chunk)));
  chunk->value_count = 8 * 6;
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
  chunk->name_count = 3;
  EXPECT_EQ("joint_names", name(check_shape(configuration, *chunk)));
}

// ---- in the kernel

class PoseKernel : public testing::Test {
 protected:
  void SetUp() override {
    bench_.obey = duo::obey_poses;
    bench_.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
    bench_.start();
  }
  // The shoulder turns by these speeds [rad/s], said as poses of the tool.
  [[nodiscard]] static std::unique_ptr<Chunk> arc(const std::vector<double>& speeds) {
    duo::Rows rows;
    double shoulder = duo::kShoulder;
    rows.push_back(duo::planar_pose(shoulder, duo::kElbow));
    for (const double speed : speeds) {
      shoulder += speed * duo::kDt;
      rows.push_back(duo::planar_pose(shoulder, duo::kElbow));
    }
    return duo::poses(rows);
  }
  // Up to 0.3 rad/s, 0.57 m/s at the tool: 0.02 (0.1 + 0.2 + 0.3 n + 0.2 + 0.1) rad.
  [[nodiscard]] static std::vector<double> speeds(int cruise) {
    std::vector<double> speeds = {0.1, 0.2};
    for (int i = 0; i < cruise; ++i) speeds.push_back(0.3);
    speeds.insert(speeds.end(), {0.2, 0.1});
    return speeds;
  }

  duo::Bench bench_{duo::raw_in_every_mode()};
};

TEST_F(PoseKernel, PlaysPosesAndHoldsTheLast) {
  auto chunk = arc(speeds(10));
  bench_.play(*chunk, 70);
  EXPECT_EQ("", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(ControlMode::kCartesianPose, bench_.last.mode);
  EXPECT_EQ(14, bench_.status().consumed_row);  // 2 + 10 + 2 steps
  const auto end = duo::planar_pose(duo::kShoulder + 0.072, duo::kElbow);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(end[i], bench_.last.position[i], 1e-12) << i;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(0, bench_.last.velocity[i]);
  // The joints are where the robot put them, and the status says so.
  EXPECT_NEAR(duo::kShoulder + 0.072, bench_.status().commanded[0], 1e-9);
  EXPECT_NEAR(duo::kElbow, bench_.status().commanded[1], 1e-9);
  EXPECT_EQ(0.04, bench_.status().commanded[2]);
}

// The joints' last row had 0.2 rad/s, which a tool that takes over at once must not leave behind:
// held since, they start at -0.1 rad/s, a change of no more than 0.1 in a row of at most 0.2.
TEST_F(PoseKernel, AMotionOfTheJointsLeavesNoSpeedBehindTheTools) {
  const auto joints = duo::chunk(duo::shoulder_rows({0.1, 0.2}, duo::kShoulder, duo::kElbow));
  bench_.send(*joints);
  for (int i = 0; i < 100 && bench_.state() == State::kActive; ++i) bench_.tick();
  ASSERT_EQ(State::kHolding, bench_.state()) << bench_.reason_text();
  const double shoulder = duo::kShoulder + 0.006;  // 0.02 s at 0.1 and at 0.2 rad/s
  const auto there = duo::planar_pose(shoulder, duo::kElbow);
  const auto pose = duo::poses({there, there});
  pose->timeline = 2;
  bench_.play(*pose, 60);
  ASSERT_EQ(ControlMode::kCartesianPose, bench_.last.mode) << bench_.reason_text();
  ASSERT_EQ(State::kHolding, bench_.state());
  const auto back =
      duo::chunk(duo::shoulder_rows({-0.1, -0.1}, bench_.measured.position[0], duo::kElbow));
  back->timeline = 3;
  bench_.send(*back);
  EXPECT_EQ("", bench_.reason_text());
  EXPECT_EQ(State::kActive, bench_.state());
}

TEST_F(PoseKernel, EveryTickIsWithinTheLimitsAndCarriesItsTwist) {
  auto chunk = arc(speeds(10));
  bench_.play(*chunk, 70);
  int moved = 0;
  for (std::size_t i = 1; i < bench_.emitted.size(); ++i) {
    const Command& a = bench_.emitted[i - 1];
    const Command& b = bench_.emitted[i];
    if (a.mode != b.mode || b.mode != ControlMode::kCartesianPose) continue;
    const double way = std::hypot(b.position[0] - a.position[0], b.position[1] - a.position[1]);
    EXPECT_LE(way / 0.005, 0.58);  // 0.3 rad/s at 1.91 m
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR((b.position[axis] - a.position[axis]) / 0.005, b.velocity[axis], 1e-9);
    }
    // About z alone: the pose's angle is twice that of its quaternion's last two.
    const double turn =
        2 * (std::atan2(b.position[5], b.position[6]) - std::atan2(a.position[5], a.position[6]));
    EXPECT_EQ(0, b.velocity[3]);
    EXPECT_EQ(0, b.velocity[4]);
    EXPECT_NEAR(turn / 0.005, b.velocity[5], 1e-9);
    EXPECT_FALSE(b.braking);
    EXPECT_NEAR(1, b.position[5] * b.position[5] + b.position[6] * b.position[6], 1e-12);
    moved += way > 0 ? 1 : 0;
  }
  EXPECT_GT(moved, 50);
  for (std::size_t i = 0; i < bench_.emitted.size(); ++i) {
    EXPECT_EQ(i + 1, bench_.emitted[i].sequence);
    EXPECT_EQ(bench_.epoch(), bench_.emitted[i].epoch);
  }
}

// A maker that changes the sign of its quaternions asks for nothing else.
TEST_F(PoseKernel, ChangedSignsPlayTheSameMotion) {
  duo::Bench other{duo::raw_in_every_mode()};
  other.obey = duo::obey_poses;
  other.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  other.start();
  auto chunk = arc(speeds(10));
  bench_.play(*chunk, 70);
  for (std::size_t row = 1; row < chunk->horizon; row += 2) {
    for (std::size_t i = 3; i < 7; ++i) chunk->values[row * 7 + i] *= -1;
  }
  other.play(*chunk, 70);
  EXPECT_EQ("", other.reason_text());
  ASSERT_EQ(bench_.emitted.size(), other.emitted.size());
  for (std::size_t i = 0; i < other.emitted.size(); ++i) {
    for (std::size_t v = 0; v < 7; ++v) {
      EXPECT_NEAR(bench_.emitted[i].position[v], other.emitted[i].position[v], 1e-12) << i;
    }
  }
}

// The status gives the joints as they are measured, every second tick, while the tool moves and
// while it is braked: 0.3 rad/s are 0.0015 rad a tick.
TEST_F(PoseKernel, TheStatusFollowsTheMeasuredJoints) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 40);
  ASSERT_EQ(State::kActive, bench_.state());
  EXPECT_GT(bench_.measured.position[0], duo::kShoulder + 0.04);
  EXPECT_NEAR(bench_.measured.position[0], bench_.status().commanded[0], 0.004);
  for (int i = 0; i < 100 && bench_.state() != State::kBraking; ++i) bench_.tick();
  for (int i = 0; i < 10; ++i) bench_.tick();
  ASSERT_EQ(State::kBraking, bench_.state());
  EXPECT_NEAR(bench_.measured.position[0], bench_.status().commanded[0], 0.0005);
}

TEST_F(PoseKernel, NothingIsHeldWithoutAFreshMeasurement) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  EXPECT_TRUE(bench_.tick().emit);
  EXPECT_FALSE(bench_.last.braking);
  bench_.driver_silent = true;
  bench_.ticks(12);
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kHolding, bench_.state());
}

// The other side of the base: turned by half a turn about x, the planar arm lies in the same plane
// and turns the other way. Half a turn about x after a turn by t about z is the quaternion (cos
// t/2, -sin t/2, 0, 0).
TEST(PoseKernelUpsideDown, EveryPartOfAnOrientationIsEmitted) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.vectors["robot.arm.chain.shoulder.rpy"] = {M_PI, 0, 0};
  duo::Bench bench{raw};
  bench.obey = [](const Command&, JointState&) {};
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  bench.start();
  const double half = (duo::kShoulder + duo::kElbow) / 2;
  auto chunk = duo::poses({{2 * std::cos(0.3), 0, 0.1, std::cos(half), -std::sin(half), 0, 0}});
  bench.send(*chunk);
  ASSERT_EQ("", bench.reason_text());
  EXPECT_EQ(ControlMode::kCartesianPose, bench.last.mode);
  const double expected[] = {2 * std::cos(0.3), 0, 0.1, std::cos(half), -std::sin(half), 0, 0};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(expected[i], bench.last.position[i], 1e-12) << i;
}

TEST_F(PoseKernel, AFirstRowElsewhereIsRefused) {
  auto chunk = arc(speeds(4));
  for (std::size_t row = 0; row < chunk->horizon; ++row) chunk->values[row * 7] -= 0.02;
  bench_.send(*chunk);
  EXPECT_EQ("splice_position", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
}

// The tool moves to the left. 0.14, 0.28, 0.14 m/s accelerate by 7, 7 and -7 m/s^2: 700 m/s^3 where
// 600 are allowed. A chunk that holds all of it is refused, and so is the window that would only
// hold the turn.
TEST_F(PoseKernel, AWindowGoesOnWithinTheJerkOfTheRowsBeforeIt) {
  const auto rows = [](const std::vector<double>& speeds) {
    auto pose = duo::planar_pose(duo::kShoulder, duo::kElbow);
    duo::Rows rows = {pose};
    for (const double speed : speeds) {
      pose[1] += speed * duo::kDt;
      rows.push_back(pose);
    }
    return rows;
  };
  const auto window = [&](const std::vector<double>& speeds, std::size_t first) {
    const duo::Rows all = rows(speeds);
    auto chunk = duo::poses({all[first], all[first + 1], all[first + 2]});
    chunk->first_row = first;
    chunk->last = false;
    return chunk;
  };
  const std::vector<double> turns = {0.14, 0.28, 0.14, 0};
  bench_.send(*duo::poses(rows(turns)));
  EXPECT_EQ("tool_jerk", bench_.reason_text());
  bench_.send(*window(turns, 0));
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.ticks(3);
  EXPECT_NEAR(1, bench_.status().consumed_row, 1e-9);
  bench_.send(*window(turns, 1));
  EXPECT_EQ("splice_jerk", bench_.reason_text());
  EXPECT_NEAR(700, bench_.status().finding.value, 1e-6);
  EXPECT_EQ(600, bench_.status().finding.limit);
  // 0.14, 0.28, 0.32, 0.32: 7, 2 and 0 m/s^2. The verified tail was left running meanwhile.
  const std::vector<double> eases = {0.14, 0.28, 0.32, 0.32};
  bench_.send(*window(eases, 1));
  EXPECT_EQ(2u, bench_.status().chunks_admitted);
  bench_.ticks(2);
  bench_.send(*window(eases, 2));
  EXPECT_EQ(3u, bench_.status().chunks_admitted);
  EXPECT_EQ(State::kActive, bench_.state());
}

// A new timeline too goes on from the rows that were played: 7 m/s^2 and then -7.
TEST_F(PoseKernel, ANewTimelineGoesOnWithinTheJerkOfTheOneBefore) {
  const auto left = [](double at, const std::vector<double>& speeds) {
    auto pose = duo::planar_pose(duo::kShoulder, duo::kElbow);
    pose[1] = at;
    duo::Rows rows = {pose};
    for (const double speed : speeds) {
      pose[1] += speed * duo::kDt;
      rows.push_back(pose);
    }
    return duo::poses(rows);
  };
  auto first = left(0, {0.14, 0.28, 0.36, 0.36});
  first->last = false;
  bench_.send(*first);
  bench_.ticks(7);  // row 2, in which it was played at 0.28 m/s after 7 m/s^2
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  auto slower = left(0.42 * duo::kDt, {0.14, 0.14});
  slower->timeline = 2;
  slower->last = false;
  bench_.send(*slower);
  EXPECT_EQ("splice_jerk", bench_.reason_text());
  EXPECT_NEAR(700, bench_.status().finding.value, 1e-6);
}

// Case first-chunk-from-the-middle.
// A motion that ends at 0.1 rad/s, 0.19 m/s, is at rest for the one after it, in its later windows
// too: back at once would be 19 m/s^2.
TEST_F(PoseKernel, AHoldEndsTheRowsOfTheMotionBeforeIt) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  const double at = duo::kShoulder + 0.02 * (0.1 + 0.2 + 4 * 0.3 + 0.2 + 0.1);
  duo::Rows rows;
  for (int i = 0; i < 4; ++i) rows.push_back(duo::planar_pose(at - 0.002 * i, duo::kElbow));
  auto back = duo::poses(rows);
  back->timeline = 2;
  bench_.send(*back);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.tick();
  bench_.send(*back);
  EXPECT_EQ(0u, bench_.status().chunks_refused) << bench_.reason_text();
}

TEST_F(PoseKernel, FirstChunkFromTheMiddle) {
  auto chunk = arc(speeds(20));
  chunk->first_row = 10;
  bench_.send(*chunk);
  EXPECT_EQ("first_row", bench_.reason_text());
}

// Case nan-does-not-stick.
TEST_F(PoseKernel, NanDoesNotStick) {
  duo::Bench other{duo::raw_in_every_mode()};
  other.obey = duo::obey_poses;
  other.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  other.start();
  auto chunk = arc(speeds(20));
  auto bad = arc(speeds(20));
  bad->values[20] = std::nan("");
  for (duo::Bench* bench : {&bench_, &other}) {
    bench->send(*chunk);
    bench->ticks(3);
    if (bench == &bench_) {
      bench->send(*bad);
      EXPECT_EQ("not_finite", bench->reason_text());
    } else {
      bench->tick();
      ++bench->sequence;
    }
    bench->ticks(3);
    bench->send(*chunk);
    bench->ticks(10);
  }
  ASSERT_EQ(other.emitted.size(), bench_.emitted.size());
  for (std::size_t i = 0; i < other.emitted.size(); ++i) {
    EXPECT_EQ(other.emitted[i].position, bench_.emitted[i].position) << i;
  }
}

// Dead runner: from 0.57 m/s and 0.3 rad/s at 10 m/s^2 it takes 12 ticks, on the tangent.
TEST_F(PoseKernel, ASilentRunnerBrakesTheToolAlongItsTangent) {
  auto chunk = arc(speeds(60));
  bench_.send(*chunk);
  while (bench_.state() == State::kActive) bench_.tick();
  EXPECT_EQ("chunk_stale", bench_.reason_text());
  EXPECT_TRUE(bench_.last.braking);
  EXPECT_EQ(ControlMode::kCartesianPose, bench_.last.mode);
  const Command first = bench_.last;
  int ticks = 1;
  while (bench_.state() == State::kBraking) {
    bench_.tick();
    ++ticks;
    // One factor for all six axes.
    EXPECT_NEAR(first.velocity[0] * bench_.last.velocity[5],
                bench_.last.velocity[0] * first.velocity[5], 1e-9);
  }
  EXPECT_EQ(12, ticks);
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.ticks(5);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(ControlMode::kCartesianPose, bench_.last.mode);
}

// A robot that does not follow: the fault stops the joints where they are measured.
TEST_F(PoseKernel, TrackingErrorStopsTheJointsWhereTheyAre) {
  auto chunk = arc(speeds(100));
  bench_.obey = [](const Command&, JointState&) {};
  int ticks = 0;
  while (bench_.reason() != Reason::kTrackingError && ticks < 200) {
    if (ticks % 4 == 0) bench_.stamp(*chunk), bench_.inputs.chunk = chunk.get();
    bench_.tick();
    ++ticks;
  }
  EXPECT_EQ("tracking_error", bench_.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_NEAR(duo::kShoulder, bench_.last.position[0], 1e-12);
  EXPECT_NEAR(duo::kElbow, bench_.last.position[1], 1e-12);
  EXPECT_EQ(State::kHolding, bench_.state());  // it stood
}

// A pose near a singularity may ask joints for more than they have; only the measurement shows it.
TEST_F(PoseKernel, AJointThatRacesStopsTheArmFromItsMeasuredState) {
  auto chunk = arc(speeds(100));
  bench_.play(*chunk, 30);
  ASSERT_EQ(State::kActive, bench_.state());
  bench_.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity[1] = 0.51;  // limit 0.5
  };
  bench_.ticks(3);
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(1, bench_.status().finding.joint);
  EXPECT_EQ(0.51, bench_.status().finding.value);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
}

// The tool stands, the elbow swings behind it: 0.51 rad/s at 5 rad/s^2 are 21 ticks.
TEST_F(PoseKernel, AJointThatRacesBehindAHeldToolIsBraked) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  const std::uint64_t epoch = bench_.epoch();
  bench_.obey = [](const Command& command, JointState& state) {
    if (command.mode == ControlMode::kCartesianPose) {
      state.velocity[1] = 0.51;  // limit 0.5
    } else {
      duo::obey_poses(command, state);
    }
  };
  bench_.ticks(3);
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(1, bench_.status().finding.joint);
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ(epoch + 1, bench_.epoch());
  EXPECT_EQ(1u, bench_.status().stops);
  EXPECT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.ticks(2);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
}

TEST_F(PoseKernel, ALinkThatLeavesTheWorkspaceStops) {
  auto chunk = arc(speeds(100));
  bench_.play(*chunk, 30);
  // The elbow lies at (cos q, sin q): 1.3 rad puts it at y = 0.96, the tool far beyond 1.2.
  bench_.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    state.position[0] = 1.3;
    state.velocity = {};
  };
  bench_.ticks(3);
  EXPECT_EQ("workspace", bench_.reason_text());
}

TEST_F(PoseKernel, BackToJointsFromWhereTheyAreMeasured) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  const JointArray rest = bench_.measured.position;
  auto joints = duo::chunk(duo::shoulder_rows({0.1, 0.1}, rest[0], rest[1]));
  joints->timeline = 2;
  // While they still move, nobody knows where they will be.
  bench_.measured.velocity[0] = 0.03;
  bench_.obey = [](const Command&, JointState&) {};
  bench_.tick();
  bench_.send(*joints);
  EXPECT_EQ("not_at_rest", bench_.reason_text());
  bench_.measured.velocity[0] = 0;
  bench_.ticks(2);
  bench_.obey = duo::obey_poses;
  bench_.play(*joints, 20);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_NEAR(rest[0] + 0.004, bench_.last.position[0], 1e-12);
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(PoseKernel, AnEStopBrakesAndLatches) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 30);
  bench_.estop(true);
  bench_.tick();
  EXPECT_EQ(State::kBraking, bench_.state());
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
  const std::size_t emitted = bench_.emitted.size();
  bench_.ticks(10);
  EXPECT_EQ(emitted, bench_.emitted.size());
}

// Cut in motion: what is armed anew are the joints, where they are.
TEST_F(PoseKernel, ArmingHoldsTheJoints) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 30);
  bench_.inputs.fault = true;
  EXPECT_FALSE(bench_.tick().emit);
  bench_.measured.velocity = {};
  bench_.ticks(2);
  ASSERT_TRUE(bench_.reset());
  ASSERT_TRUE(bench_.arm());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_EQ(bench_.measured.position[0], bench_.last.position[0]);
  EXPECT_EQ(bench_.measured.position[1], bench_.last.position[1]);
}

// Cut at 0.57 m/s, and armed anew: a tool begins at rest.
TEST_F(PoseKernel, ATwistInForceEndsWithItsArming) {
  auto chunk = arc(speeds(60));
  bench_.play(*chunk, 30);
  bench_.inputs.fault = true;
  EXPECT_FALSE(bench_.tick().emit);
  bench_.measured.velocity = {};
  bench_.ticks(2);
  ASSERT_TRUE(bench_.reset());
  ASSERT_TRUE(bench_.arm());
  const JointArray& at = bench_.measured.position;
  auto rest = duo::poses(duo::Rows(5, duo::planar_pose(at[0], at[1])));
  bench_.send(*rest);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  EXPECT_EQ(1u, bench_.status().stops);
}

TEST_F(PoseKernel, AMovedArmLatchesWhileItIsHeld) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[0] += 0.06;  // 0.11 m at the tool, 0.05 allowed
  bench_.ticks(5);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("tracking_error", bench_.reason_text());
}

// Two ticks beside its pose, a good one, two ticks again: no three in a row.
TEST_F(PoseKernel, AHoldForgivesASpike) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  ASSERT_EQ(State::kHolding, bench_.state());
  bench_.obey = [](const Command&, JointState&) {};
  const double at = bench_.measured.position[0];
  for (int i = 0; i < 6; ++i) {
    // Every second tick brings a measurement, which stands for two.
    bench_.measured.position[0] = i % 2 == 0 ? at + 0.06 : at;
    bench_.ticks(2);
  }
  EXPECT_EQ(State::kHolding, bench_.state());
}

// 0.06 rad at the shoulder are 4 cos 0.3 sin 0.03 = 0.1146 m at the tool, of 0.05. A measurement
// comes every second tick and stands for two; the third tick in a row latches.
TEST_F(PoseKernel, AHoldIsLatchedByTheThirdTickInARow) {
  auto chunk = arc(speeds(4));
  bench_.play(*chunk, 60);
  while (bench_.measured.received != bench_.now) bench_.tick();
  ASSERT_EQ(State::kHolding, bench_.state());
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[0] += 0.06;
  EXPECT_TRUE(bench_.tick().emit);  // the old measurement once more
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("tracking_error", bench_.reason_text());
  EXPECT_NEAR(4 * std::cos(0.3) * std::sin(0.03), bench_.status().finding.value, 1e-9);
  EXPECT_EQ(0.05, bench_.status().finding.limit);
}

// While it moves, three in a row stop the joints; two, a good one and two again do not.
TEST_F(PoseKernel, AMotionForgivesASpikeAndNoThirdTick) {
  double beside = 0;
  bench_.obey = [&beside](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.position[0] += beside;
    state.velocity = {};
  };
  auto chunk = arc(speeds(100));
  bench_.play(*chunk, 41);
  ASSERT_EQ(bench_.now, bench_.measured.received);
  // What is obeyed in an odd tick is measured in the even one after it, and stands for two.
  for (const double error : {0.06, 0.0, -0.06, 0.0}) {
    beside = error;
    bench_.ticks(2);
    EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  }
  bench_.send(*chunk);
  bench_.tick();
  beside = 0.06;
  bench_.ticks(3);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  bench_.tick();
  EXPECT_NE(State::kActive, bench_.state());
  EXPECT_EQ("tracking_error", bench_.reason_text());
  EXPECT_EQ(1u, bench_.status().stops);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
}

// A joint that races while the tool is braked already needs a stop of its own.
TEST_F(PoseKernel, AJointThatRacesInAStopIsBrakedFromItsMeasuredState) {
  auto chunk = arc(speeds(60));
  bench_.send(*chunk);
  while (bench_.state() == State::kActive) bench_.tick();
  ASSERT_EQ(State::kBraking, bench_.state());
  ASSERT_EQ(ControlMode::kCartesianPose, bench_.last.mode);
  bench_.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity[1] = 0.51;
  };
  while (bench_.last.mode == ControlMode::kCartesianPose && bench_.state() == State::kBraking) {
    EXPECT_TRUE(bench_.tick().emit);
  }
  // 0.51 rad/s at 5 rad/s^2: 21 ticks.
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  EXPECT_NEAR(0.51 * 20 / 21, bench_.last.velocity[1], 1e-9);
  // The stop in force is another one now, and says why.
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(Reason::kMeasuredVelocity, bench_.reports.back().finding.reason);
  EXPECT_EQ(1, bench_.reports.back().finding.joint);
  EXPECT_EQ(0.51, bench_.reports.back().finding.value);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
}

// 0.99 rad at 0.45 rad/s: the elbow would come to rest beyond 1.
TEST_F(PoseKernel, AJointThatRacesToItsLimitInAStopLatches) {
  auto chunk = arc(speeds(60));
  bench_.send(*chunk);
  while (bench_.state() == State::kActive) bench_.tick();
  ASSERT_EQ(State::kBraking, bench_.state());
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[1] = 0.99;
  bench_.measured.velocity[1] = 0.45;
  for (int i = 0; i < 2 && bench_.state() == State::kBraking; ++i) bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("measured_viability", bench_.reason_text());
  EXPECT_EQ(Severity::kAbort, bench_.reports.back().severity);
  EXPECT_EQ(ControlMode::kCartesianPose, bench_.last.mode);  // nothing was said of joints
}

RawConfiguration raw_with_people() {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.flags["separation.enabled"] = true;
  raw.numbers["separation.deceleration"] = 2;
  raw.numbers["separation.reaction_s"] = 0.1;
  raw.numbers["separation.margin"] = 0.3;
  raw.numbers["separation.human_speed"] = 1.6;
  raw.numbers["separation.age_max_s"] = 1;
  return raw;
}

// Turning on the spot, the tool has no speed.
TEST(PoseSeparation, BesideAPersonAToolDoesNotTurnEither) {
  duo::Bench bench(raw_with_people());
  bench.obey = duo::obey_poses;
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  (void)bench.inputs.separations.push({bench.now, bench.now, 0.4});
  bench.start();
  const auto at = duo::planar_pose(duo::kShoulder, duo::kElbow);
  duo::Rows rows;
  for (int i = 0; i < 10; ++i) {
    rows.push_back(at);
    const double half = 0.15 + 0.001 * i;  // 0.1 rad/s from 0.3 rad on
    rows.back()[5] = std::sin(half);
    rows.back()[6] = std::cos(half);
  }
  auto chunk = duo::poses(rows);
  bench.send(*chunk);
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.limit);
  EXPECT_TRUE(bench.last.braking);
}

// The tool stands, and the elbow swings at 1 m * 0.3 rad/s; at 0.6 m 0.149 m/s are allowed.
TEST(PoseSeparation, AnElbowThatSwingsCountsAsTheTool) {
  duo::Bench bench(raw_with_people());
  bench.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity = {0.3, -0.3, 0};
  };
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  (void)bench.inputs.separations.push({bench.now, bench.now, 0.6});
  bench.start();
  const auto at = duo::planar_pose(duo::kShoulder, duo::kElbow);
  auto chunk = duo::poses(duo::Rows(20, at));
  bench.play(*chunk, 4);
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_NEAR(0.3, bench.status().finding.value, 1e-3);
  EXPECT_NEAR(-1.8 + std::sqrt(3.24 + 4 * 0.14), bench.status().finding.limit, 1e-9);
  EXPECT_EQ(ControlMode::kJointPosition, bench.last.mode);
}

// Nobody is near, and nothing else is forgotten for that.
TEST(PoseSeparation, AJointThatRacesFarFromPeopleStopsTheArm) {
  duo::Bench bench(raw_with_people());
  bench.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity[1] = 0.51;  // limit 0.5
  };
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  (void)bench.inputs.separations.push({bench.now, bench.now, 9});
  bench.start();
  auto chunk = duo::poses(duo::Rows(20, duo::planar_pose(duo::kShoulder, duo::kElbow)));
  bench.play(*chunk, 4);
  EXPECT_EQ("measured_velocity", bench.reason_text());
}

TEST(PoseSeparation, APersonWhoComesNearStopsTheTool) {
  duo::Bench bench(raw_with_people());
  bench.obey = duo::obey_poses;
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  (void)bench.inputs.separations.push({bench.now, bench.now, 5});
  bench.start();
  duo::Rows rows;
  // 0.1 rad/s.
  for (int i = 0; i < 40; ++i) {
    rows.push_back(duo::planar_pose(duo::kShoulder + 0.002 * i, duo::kElbow));
  }
  auto chunk = duo::poses(rows);
  bench.play(*chunk, 40);
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  (void)bench.inputs.separations.push({bench.now, bench.now, 0.4});
  bench.tick();
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_TRUE(bench.last.braking);
  EXPECT_EQ(ControlMode::kCartesianPose, bench.last.mode);
}

}  // namespace
}  // namespace openral::safety
