// Behaviour 3, the mode cartesian_pose: a motion of the tool, from where the joints are and back to
// them.
#include <cmath>

#include "pose_kernel.hpp"

namespace openral::safety {
namespace {

using duo::PoseKernel;

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
  duo::PoseBench other;
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

// The joints' last row had 0.2 rad/s, which a tool must not take over at once, as if they stood,
// nor leave behind: held since, they start at -0.1 rad/s, a change of no more than 0.1 in a row of
// at most 0.2.
TEST_F(PoseKernel, AMotionOfTheJointsLeavesNoSpeedBehindTheTools) {
  const auto joints = duo::chunk(duo::shoulder_rows({0.1, 0.2}, duo::kShoulder, duo::kElbow));
  bench_.send(*joints);
  for (int i = 0; i < 100 && bench_.state() == State::kActive; ++i) bench_.tick();
  ASSERT_EQ(State::kHolding, bench_.state()) << bench_.reason_text();
  const double shoulder = duo::kShoulder + 0.006;  // 0.02 s at 0.1 and at 0.2 rad/s
  const auto there = duo::planar_pose(shoulder, duo::kElbow);
  const auto pose = duo::poses({there, there});
  pose->timeline = 2;
  bench_.send(*pose);
  EXPECT_EQ("mode_change_in_motion", bench_.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  bench_.play(*pose, 60);
  ASSERT_EQ(ControlMode::kCartesianPose, bench_.last.mode) << bench_.reason_text();
  ASSERT_EQ(State::kHolding, bench_.state());
  const auto back =
      duo::chunk(duo::shoulder_rows({-0.1, -0.1}, bench_.measured.position[0], duo::kElbow));
  back->timeline = 3;
  bench_.send(*back);
  EXPECT_EQ(1u, bench_.status().chunks_refused) << bench_.reason_text();
  EXPECT_EQ(State::kActive, bench_.state());
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

}  // namespace
}  // namespace openral::safety
