// Behaviours 21 and 22 of poses: how a tool is stopped, and the joints behind it.
#include "pose_kernel.hpp"

namespace openral::safety {
namespace {

using duo::PoseKernel;

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

// A pose near a singularity may ask joints for more than they have; only the measurement shows it.
TEST_F(PoseKernel, AJointThatRacesStopsTheArmFromItsMeasuredState) {
  auto chunk = arc(speeds(100));
  bench_.play(*chunk, 30);
  ASSERT_EQ(State::kActive, bench_.state());
  race_the_elbow();
  bench_.ticks(3);
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(1, bench_.status().finding.joint);
  EXPECT_EQ(0.51, bench_.status().finding.value);
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
}

// A joint that races while the tool is braked already needs a stop of its own.
TEST_F(PoseKernel, AJointThatRacesInAStopIsBrakedFromItsMeasuredState) {
  auto chunk = arc(speeds(60));
  bench_.send(*chunk);
  while (bench_.state() == State::kActive) bench_.tick();
  ASSERT_EQ(State::kBraking, bench_.state());
  ASSERT_EQ(ControlMode::kCartesianPose, bench_.last.mode);
  race_the_elbow();
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

}  // namespace
}  // namespace openral::safety
