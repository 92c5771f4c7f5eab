// Behaviour 20, base.
#include "base_motion.hpp"

#include <cmath>

#include "admission.hpp"
#include "bench.hpp"
#include "duo_in_space.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

class BaseMotion : public testing::Test {
 protected:
  [[nodiscard]] Finding check(const Chunk& chunk, const JointArray& in_force = {}) {
    if (Finding finding = check_shape(configuration_, chunk); !finding.ok()) return finding;
    begin_at(in_force, chunk, *motion_);
    return check_twists(configuration_, *motion_);
  }
  // Forward at steps of 0.02 m/s a row, a dt = 1 * 0.02, from the twist in force.
  [[nodiscard]] static duo::Rows ramp(double from, double to) {
    duo::Rows rows;
    const double step = to > from ? 0.02 : -0.02;
    for (double v = from + step; std::abs(v - to) > 1e-9; v += step) rows.push_back({v, 0, 0});
    rows.push_back({to, 0, 0});
    return rows;
  }

  const Configuration configuration_ = duo::configuration(duo::raw_with_base());
  const std::unique_ptr<Chunk> motion_ = std::make_unique<Chunk>();
};

TEST_F(BaseMotion, AdmitsARampAtItsLimits) {
  auto rows = ramp(0, 0.4);
  const auto down = ramp(0.4, 0);
  rows.insert(rows.end(), down.begin(), down.end());
  EXPECT_TRUE(check(*duo::twists(rows)).ok());
}

TEST_F(BaseMotion, SpeedPerAxis) {
  auto chunk = duo::twists({{0.01, 0, 1.01}});
  chunk->last = false;
  Finding finding = check(*chunk, {0, 0, 1});
  EXPECT_EQ("base_speed", name(finding));
  EXPECT_EQ(1.01, finding.value);
  EXPECT_EQ(1, finding.limit);
  EXPECT_EQ(0, finding.row);
  chunk = duo::twists({{-0.51, 0, 0}});
  finding = check(*chunk, {-0.5});
  EXPECT_EQ("base_speed", name(finding));
  EXPECT_EQ(0.51, finding.value);
}

TEST_F(BaseMotion, UnsupportedAxesAreRefused) {
  const Finding finding = check(*duo::twists({{0, 1e-12, 0}}));
  EXPECT_EQ("base_axis", name(finding));
  EXPECT_EQ(1e-12, finding.value);
}

TEST_F(BaseMotion, AccelerationFromTheTwistInForce) {
  auto chunk = duo::twists({{0.22, 0, 0}, {0.25, 0, 0}});
  chunk->last = false;
  // 0.22 to 0.25 in 0.02 s.
  Finding finding = check(*chunk, {0.2});
  EXPECT_EQ("base_acceleration", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_NEAR(1.5, finding.value, 1e-9);
  // 0.1 to 0.22: the first row is reached one dt after the twist in force.
  finding = check(*chunk, {0.1});
  EXPECT_EQ(0, finding.row);
  EXPECT_NEAR(6, finding.value, 1e-9);
  chunk = duo::twists({{0, 0, 0.05}});
  EXPECT_NEAR(2.5, check(*chunk).value, 1e-9);
}

// From 0.4 m/s at 1 m/s^2: 80 ticks of 5 ms, 0.4 (80 * 0.005 / 2 + 0.005) = 0.082 m. At 0.44 m/s:
// 88 ticks, 0.44 * 0.225 = 0.099 m. At 0.46 m/s: 92 ticks, 0.46 * 0.235 = 0.1081 m.
TEST_F(BaseMotion, StoppingDistance) {
  auto chunk = duo::twists({{0.44, 0, 0}});
  chunk->last = false;
  EXPECT_TRUE(check(*chunk, {0.42}).ok());
  chunk = duo::twists({{0.46, 0, 0}});
  chunk->last = false;
  const Finding finding = check(*chunk, {0.45});
  EXPECT_EQ("base_stopping_distance", name(finding));
  EXPECT_NEAR(0.1081, finding.value, 1e-9);
  EXPECT_EQ(0.1, finding.limit);
}

// Between two rows too: each step is asked before it is emitted.
TEST_F(BaseMotion, StoppingDistanceOfEveryStep) {
  EXPECT_TRUE(check_twist_step(configuration_, {0.435}, {0.44}).ok());
  const Finding finding = check_twist_step(configuration_, {0.455}, {0.46});
  EXPECT_EQ("base_stopping_distance", name(finding));
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
  EXPECT_NEAR(0.1081, finding.value, 1e-9);
  EXPECT_EQ(0.1, finding.limit);
}

TEST_F(BaseMotion, ATimelineEndsAtRest) {
  const Finding finding = check(*duo::twists({{0.02, 0, 0}}));
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_EQ(0.02, finding.value);
  EXPECT_EQ("end_not_at_rest", name(check(*duo::twists({{0, 0, 0.04}}))));
}

TEST_F(BaseMotion, FiniteEverywhere) {
  for (std::size_t i = 0; i < 6; ++i) {
    auto chunk = duo::twists({{0, 0, 0}, {0, 0, 0}});
    chunk->values[i] = std::nan("");
    const Finding finding = check(*chunk);
    EXPECT_EQ("not_finite", name(finding));
    EXPECT_EQ(static_cast<int>(i / 3), finding.row);
  }
}

TEST_F(BaseMotion, WidthIsThree) {
  auto chunk = duo::twists({{0, 0, 0}});
  chunk->value_count = 2;
  EXPECT_EQ("value_count", name(check(*chunk)));
  chunk->value_count = 6;
  EXPECT_EQ("value_count", name(check(*chunk)));
  chunk->name_count = 3;
  EXPECT_EQ("joint_names", name(check(*chunk)));
}

// One factor for both axes: 0.2 m/s needs 40 ticks, 0.2 rad/s needs 20; both take 40.
TEST_F(BaseMotion, AStopKeepsTheCurve) {
  Brake brake = plan_base_brake(configuration_, {0.2, 0, 0.2});
  EXPECT_EQ(40u, brake.ticks);
  const JointArray twist = next_brake_velocity(brake);
  EXPECT_NEAR(0.195, twist[0], 1e-12);
  EXPECT_NEAR(0.195, twist[2], 1e-12);
  EXPECT_EQ(0u, plan_base_brake(configuration_, {}).ticks);
}

// ---- in the kernel

class BaseKernel : public testing::Test {
 protected:
  void SetUp() override { bench_.start(); }
  void command(double forward, double turn = 0, double up = 0) {
    velocity_.received = bench_.now + duo::kTick;
    velocity_.stamp = bench_.measured.stamp;
    velocity_.twist = {forward, 0, up, 0, 0, turn};
    bench_.inputs.velocity_command = &velocity_;
    bench_.tick();
  }
  // A stick that is pushed slowly: 0.05 m/s more every 50 ms.
  void push(int steps) {
    for (int i = 1; i <= steps; ++i) {
      command(0.05 * i);
      bench_.ticks(9);
    }
  }

  duo::Bench bench_{duo::raw_with_base()};
  VelocityCommand velocity_;
};

TEST_F(BaseKernel, PlaysATwistTimelineAndComesToRest) {
  auto chunk = duo::twists({{0.02, 0, 0}, {0.04, 0, 0}, {0.02, 0, 0}, {0, 0, 0}});
  bench_.send(*chunk);
  EXPECT_EQ(State::kActive, bench_.state());
  EXPECT_EQ(ControlMode::kBodyTwist, bench_.last.mode);
  EXPECT_NEAR(0.005, bench_.last.position[0], 1e-12);  // a tick of the first four
  EXPECT_FALSE(bench_.last.braking);
  EXPECT_DOUBLE_EQ(0.25, bench_.status().consumed_row);
  bench_.ticks(7);
  EXPECT_NEAR(0.04, bench_.last.position[0], 1e-12);
  bench_.ticks(8);
  EXPECT_EQ(0, bench_.last.position[0]);
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.tick();
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);  // the arm is held again
  for (std::size_t i = 0; i < bench_.emitted.size(); ++i) {
    EXPECT_EQ(i + 1, bench_.emitted[i].sequence);
  }
}

// Cut in motion at 0.2 m/s, and armed anew: a motion begins at rest.
TEST_F(BaseKernel, ATwistInForceEndsWithItsArming) {
  command(0);
  push(4);
  bench_.cut_and_reset();
  ASSERT_TRUE(bench_.arm());
  auto chunk = duo::twists({{0.02, 0, 0}, {0, 0, 0}});
  bench_.send(*chunk);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  EXPECT_NEAR(0.005, bench_.last.position[0], 1e-12);
}

TEST_F(BaseKernel, CommandVelocityNeedsATwistOfZeroFirst) {
  command(0.05);
  EXPECT_EQ("epoch_mismatch", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  command(0);
  command(0.05);
  EXPECT_EQ(State::kActive, bench_.state());
}

// A twist goes on from the one in force, which a later window of it would not know.
TEST_F(BaseKernel, ATimelineOfTwistsHasOneWindow) {
  auto chunk = duo::twists({{0.02, 0, 0}, {0.02, 0, 0}, {0.02, 0, 0}});
  chunk->last = false;
  bench_.send(*chunk);
  bench_.send(*chunk);
  duo::expect_finding(bench_.status().finding, Reason::kTimelineReplay, -1, -1, 1, 1);
  EXPECT_EQ(State::kActive, bench_.state());
}

// The twist in force is a row before them.
TEST_F(BaseKernel, ATimelineOfTwistsHasARowLess) {
  auto chunk = duo::twists(duo::Rows(1024, {0, 0, 0}));
  bench_.send(*chunk);
  duo::expect_finding(bench_.status().finding, Reason::kHorizon, -1, -1, 1024, 1023);
  chunk = duo::twists(duo::Rows(1023, {0, 0, 0}));
  bench_.send(*chunk);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
}

TEST_F(BaseKernel, EveryCommandVelocityIsATimeline) {
  command(0);
  for (std::uint64_t timeline = 1; timeline <= 3; ++timeline) {
    push(1);
    EXPECT_EQ(timeline, bench_.status().timeline);
  }
}

// Its first twist after a motion of the arm brings another mode, and with it another epoch.
TEST_F(BaseKernel, CommandVelocityGoesOnAcrossTheChangeOfModeThatItBrings) {
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(2, 2)));
  bench_.play(*chunk, 40);
  ASSERT_EQ(State::kHolding, bench_.state());
  const std::uint64_t epoch = bench_.epoch();
  command(0);
  push(2);
  EXPECT_EQ(epoch + 1, bench_.epoch());
  EXPECT_EQ(0u, bench_.status().chunks_refused) << bench_.reason_text();
  EXPECT_NEAR(0.1, bench_.last.position[0], 1e-12);
}

TEST_F(BaseKernel, CommandVelocityIsReachedInItsPeriod) {
  command(0);
  push(1);
  EXPECT_NEAR(0.05, bench_.last.position[0], 1e-12);
  for (std::size_t i = 1; i < bench_.emitted.size(); ++i) {
    if (bench_.emitted[i].mode != ControlMode::kBodyTwist) continue;
    const double before = bench_.emitted[i - 1].mode == ControlMode::kBodyTwist
                              ? bench_.emitted[i - 1].position[0]
                              : 0;
    EXPECT_LE(std::abs(bench_.emitted[i].position[0] - before), 0.005 + 1e-12);
  }
}

TEST_F(BaseKernel, ADeadCommandVelocityBrakesTheBase) {
  command(0);
  push(4);
  EXPECT_NEAR(0.2, bench_.last.position[0], 1e-12);
  int ticks = 0;
  while (bench_.state() == State::kActive && ticks < 50) {
    bench_.tick();
    ++ticks;
  }
  EXPECT_EQ("chunk_stale", bench_.reason_text());
  EXPECT_EQ(8, ticks);                                 // 9 ticks had passed, the 17th is past 80 ms
  EXPECT_NEAR(0.195, bench_.last.position[0], 1e-12);  // 1 m/s^2
  bench_.ticks(39);
  EXPECT_EQ(State::kHolding, bench_.state());
  // A stick that is still pushed moves nothing.
  command(0.05);
  EXPECT_EQ("chunk_stale", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(BaseKernel, ATwistOfZeroStopsAsFastAsTheBaseMay) {
  command(0);
  push(4);
  command(0);
  EXPECT_EQ(State::kBraking, bench_.state());
  bench_.ticks(39);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(0u, bench_.status().stops);  // asked for, no failure
  command(0.05);
  EXPECT_EQ(State::kActive, bench_.state());
}

TEST_F(BaseKernel, RefusesAStepOfTheStickAndOtherAxes) {
  command(0);
  command(0.3);  // 6 m/s^2
  EXPECT_EQ("base_acceleration", bench_.reason_text());
  EXPECT_EQ(1u, bench_.status().chunks_refused);
  command(0.05, 0, 0.1);
  EXPECT_EQ("base_axis", bench_.reason_text());
  EXPECT_EQ(2u, bench_.status().chunks_refused);
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(BaseKernel, RefusesATwistInAnotherFrame) {
  command(0);
  velocity_.in_base_frame = false;
  command(0.05);
  EXPECT_EQ("base_frame", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
  velocity_.in_base_frame = true;
  command(0.05);
  EXPECT_EQ(State::kActive, bench_.state());
}

TEST_F(BaseKernel, AnEStopBrakesTheBase) {
  command(0);
  push(4);
  bench_.estop(true);
  bench_.tick();
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_NEAR(0.195, bench_.last.position[0], 1e-12);
  EXPECT_EQ(ControlMode::kBodyTwist, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ(0, bench_.last.position[0]);
}

// A joint motion that ends at 0.2 rad/s comes to rest with the next command, which must not be the
// base's: the arm would count as moving for as long as the base drives.
TEST_F(BaseKernel, ABaseWaitsForTheArmToRest) {
  auto arm = duo::chunk(duo::shoulder_rows({0.2}));
  bench_.send(*arm);
  while (bench_.state() == State::kActive) bench_.tick();
  auto twists = duo::twists({{0.02, 0, 0}, {0, 0, 0}});
  twists->timeline = 2;
  bench_.send(*twists);
  EXPECT_EQ("mode_change_in_motion", bench_.reason_text());
  bench_.send(*twists);
  EXPECT_EQ(State::kActive, bench_.state());
  EXPECT_EQ(ControlMode::kBodyTwist, bench_.last.mode);
}

TEST_F(BaseKernel, AnArmMotionIsNotInterruptedByTheStick) {
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 20)));
  bench_.send(*chunk);
  command(0);
  command(0.05);
  EXPECT_EQ("mode_change_in_motion", bench_.reason_text());
  EXPECT_EQ(State::kActive, bench_.state());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
}

// A runner's twists, 0.02 m/s and on.
std::unique_ptr<Chunk> runner_twists() {
  auto chunk = duo::twists({{0.02, 0, 0}, {0.04, 0, 0}, {0.04, 0, 0}, {0.04, 0, 0}});
  chunk->last = false;
  chunk->trace_id.assign("attempt-7");
  return chunk;
}

// Behaviours 28 and 29: who drives is one, and who takes the base from it is named.
TEST_F(BaseKernel, AStickDoesNotTakeTheBaseFromARunner) {
  command(0);
  auto chunk = runner_twists();
  bench_.send(*chunk);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  command(0.05);
  EXPECT_EQ("base_authority", bench_.reason_text());
  EXPECT_EQ(1u, bench_.status().chunks_refused);
  EXPECT_EQ("cmd_vel", bench_.reports.back().skill_id.view());
  EXPECT_EQ(State::kActive, bench_.state());
  EXPECT_NEAR(0.01, bench_.last.position[0], 1e-12);  // the runner's second tick of four
}

TEST_F(BaseKernel, ARunnerDoesNotTakeTheBaseFromAStick) {
  command(0);
  push(1);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  auto chunk = runner_twists();
  chunk->timeline = 9;
  bench_.send(*chunk);
  EXPECT_EQ("base_authority", bench_.reason_text());
  EXPECT_EQ(1u, bench_.status().chunks_refused);
  EXPECT_EQ(Severity::kWarn, bench_.reports.back().severity);
  command(0.1);
  EXPECT_EQ(1u, bench_.status().chunks_refused);
  EXPECT_EQ(State::kActive, bench_.state());
}

// Two and a half rows after its beginning at the twist in force, in the second row of the chunk.
TEST_F(BaseKernel, AStopNamesTheRowOfTheChunk) {
  auto chunk = duo::twists(duo::Rows(6, {0.02, 0, 0}));
  chunk->last = false;
  bench_.send(*chunk);
  bench_.ticks(9);
  command(0);
  EXPECT_EQ("base_authority", bench_.reason_text());
  EXPECT_EQ(1, bench_.status().finding.row);
}

// Rest is given to whoever asks, and said.
TEST_F(BaseKernel, AStickAtZeroStopsARunnersBaseAndIsReported) {
  auto chunk = runner_twists();
  bench_.send(*chunk);
  bench_.ticks(3);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  command(0);
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ("base_authority", bench_.reason_text());
  EXPECT_NEAR(0.02, bench_.status().finding.value, 1e-12);  // m/s that it had
  EXPECT_EQ(0, bench_.status().finding.limit);
  EXPECT_EQ(1u, bench_.status().stops);
  ASSERT_EQ(1u, bench_.reports.size());
  EXPECT_EQ(Severity::kFail, bench_.reports[0].severity);
  EXPECT_EQ("attempt-7", bench_.reports[0].trace_id.view());
  EXPECT_EQ(0, bench_.reports[0].finding.row);
  // Now the stick may drive.
  while (bench_.state() == State::kBraking) bench_.tick();
  command(0.05);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
}

// What is taken from it is its whole twist: (0.006, 0.008, 0.024) after one row.
TEST(BaseAuthority, TheTwistThatIsStoppedIsMeasuredOnEveryAxis) {
  RawConfiguration raw = duo::raw_with_base();
  raw.numbers["robot.base.lateral_speed_max"] = 0.5;
  duo::Bench bench(raw);
  bench.start();
  auto chunk = duo::twists({{0.006, 0.008, 0.024}, {0.006, 0.008, 0.024}});
  chunk->last = false;
  bench.send(*chunk);
  bench.ticks(3);
  VelocityCommand nothing;
  bench.inputs.velocity_command = &nothing;
  bench.tick();
  EXPECT_EQ("base_authority", bench.reason_text());
  EXPECT_NEAR(0.026, bench.status().finding.value, 1e-12);
}

// The base moves along (2, 1) and turns; each tick it is faster by 0.005, 0.0025 and 0.005, and its
// corners, 0.4 m away from the axis, by 0.00559 + 0.002 = 0.00759. At 0.660025 m they may move at
// 0.21 m/s: 1.6 (0.1 + 0.105) + 0.021 + 0.011025 + 0.3. The 28th tick would bring 0.2125; the base
// is braked from the 27th, (0.135, 0.0675, 0.135): 27 ticks at 1 m/s^2.
TEST(BaseSeparation, ItsWholeSpeedInThePlaneCounts) {
  RawConfiguration raw = duo::raw_in_space();
  const RawConfiguration base = duo::raw_with_base();
  raw.numbers.insert(base.numbers.begin(), base.numbers.end());
  raw.numbers["robot.base.lateral_speed_max"] = 0.5;
  raw.lists["robot.modes"] = {"body_twist"};
  duo::keep_from_people(raw);
  duo::Bench bench(raw);
  bench.follows = false;
  const auto measure = [&] {
    (void)bench.inputs.separations.push({bench.now, bench.now, 0.660025});
  };
  measure();
  bench.start();
  for (int part = 0; part < 10 && bench.state() != State::kBraking; ++part) {
    measure();
    // Each goes on from the twist in force and is replaced after two of its four rows.
    duo::Rows rows;
    for (int i = 1; i <= 4; ++i) {
      const double row = 2 * part + i;
      rows.push_back({0.02 * row, 0.01 * row, 0.02 * row});
    }
    auto chunk = duo::twists(rows);
    chunk->last = false;
    chunk->timeline = static_cast<std::uint64_t>(part) + 1;
    bench.send(*chunk);
    for (int i = 1; i < 8 && bench.state() == State::kActive; ++i) bench.tick();
  }
  EXPECT_EQ("separation", bench.reason_text());
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_NEAR(std::hypot(0.14, 0.07) + 0.4 * 0.14, bench.status().finding.value, 1e-9);
  EXPECT_NEAR(0.21, bench.status().finding.limit, 1e-9);
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ(ControlMode::kBodyTwist, bench.last.mode);
  EXPECT_TRUE(bench.last.braking);
  EXPECT_NEAR(0.13, bench.last.position[0], 1e-12);
  EXPECT_NEAR(0.065, bench.last.position[1], 1e-12);
  EXPECT_NEAR(0.13, bench.last.position[2], 1e-12);
}

// ---- configuration

TEST(BaseConfiguration, BodyTwistNeedsALimitForEveryAxis) {
  const RawConfiguration good = duo::raw_with_base();
  for (const auto& field : base_fields()) {
    duo::expect_needed_in_range(good, std::string("robot.base.") + field.name,
                                {std::nan(""), -1.0, 1e9});
  }
  RawConfiguration raw = duo::raw();
  raw.lists["robot.modes"] = {"body_twist"};
  EXPECT_EQ("robot.base.linear_speed_max", duo::error_of(raw).field);
  raw = good;
  raw.numbers["robot.base.linear_speed"] = 1;
  EXPECT_EQ("robot.base.linear_speed", duo::error_of(raw).field);
}

TEST(BaseConfiguration, ARobotWithoutABaseRefusesTwists) {
  const Configuration configuration = duo::configuration();
  EXPECT_EQ("mode_disabled", name(check_shape(configuration, *duo::twists({{0, 0, 0}}))));
}

// ---- the stick's twists as chunks

TEST(VelocityStream, ATwistIsForwardSidewaysAndTurning) {
  for (std::size_t axis = 0; axis < 6; ++axis) {
    VelocityCommand command;
    command.twist[axis] = 0.1;
    const Finding finding = VelocityStream::check_plane(command);
    if (axis < 2 || axis == 5) {
      EXPECT_TRUE(finding.ok()) << axis;
      continue;
    }
    EXPECT_EQ(Reason::kBaseAxis, finding.reason) << axis;
    EXPECT_EQ(0, finding.row);
    EXPECT_EQ(-1, finding.joint);
    EXPECT_EQ(0.1, finding.value);
    EXPECT_EQ(0, finding.limit);
  }
}

// Whatever the chunk was before.
TEST(VelocityStream, ATwistIsAChunkOfOneRow) {
  const Configuration configuration = duo::configuration(duo::raw_with_base());
  auto chunk = duo::chunk({{1, 2, 3}, {4, 5, 6}});
  chunk->trace_id.assign("another");
  chunk->first_row = 5;
  chunk->sequence = 9;
  VelocityCommand command;
  command.received = 70;
  command.stamp = 80;
  command.twist = {0.1, 0.2, 0, 0, 0, 0.3};
  VelocityStream stream;
  stream.bind(11);
  stream.fill(command, configuration, 12, *chunk);
  EXPECT_EQ(70, chunk->received);
  EXPECT_EQ(80, chunk->observation_stamp);
  EXPECT_EQ("cmd_vel", chunk->skill_id.view());
  EXPECT_EQ("duo", chunk->robot.view());
  EXPECT_EQ("", chunk->trace_id.view());
  EXPECT_EQ(configuration.hash, chunk->configuration_hash);
  EXPECT_EQ(11u, chunk->epoch);
  EXPECT_EQ(1u, chunk->sequence);
  EXPECT_EQ(12u, chunk->timeline);
  EXPECT_EQ(0u, chunk->first_row);
  EXPECT_EQ(static_cast<std::uint8_t>(ControlMode::kBodyTwist), chunk->control_mode);
  EXPECT_FALSE(chunk->last);
  EXPECT_EQ(0.05, chunk->dt);
  EXPECT_EQ(1u, chunk->horizon);
  EXPECT_EQ(0u, chunk->name_count);
  EXPECT_EQ(3u, chunk->value_count);
  EXPECT_EQ(0.1, chunk->values[0]);
  EXPECT_EQ(0.2, chunk->values[1]);
  EXPECT_EQ(0.3, chunk->values[2]);
}

}  // namespace
}  // namespace openral::safety
