// Speed and separation of poses: the tool, its turning and the links behind it beside a person.
#include <cmath>

#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

RawConfiguration raw_with_people() {
  RawConfiguration raw = duo::raw_in_every_mode();
  duo::keep_from_people(raw);
  return raw;
}

// Turning on the spot, the tool has no speed.
TEST(PoseSeparation, BesideAPersonAToolDoesNotTurnEither) {
  duo::PoseBench bench(raw_with_people());
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
  duo::PoseBench bench(raw_with_people());
  bench.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity = {0.3, -0.3, 0};
  };
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
  duo::PoseBench bench(raw_with_people());
  bench.obey = [](const Command& command, JointState& state) {
    duo::obey_poses(command, state);
    if (command.mode == ControlMode::kCartesianPose) state.velocity[1] = 0.51;  // limit 0.5
  };
  (void)bench.inputs.separations.push({bench.now, bench.now, 9});
  bench.start();
  auto chunk = duo::poses(duo::Rows(20, duo::planar_pose(duo::kShoulder, duo::kElbow)));
  bench.play(*chunk, 4);
  EXPECT_EQ("measured_velocity", bench.reason_text());
}

TEST(PoseSeparation, APersonWhoComesNearStopsTheTool) {
  duo::PoseBench bench(raw_with_people());
  (void)bench.inputs.separations.push({bench.now, bench.now, 5});
  bench.start();
  duo::Rows rows;
  // 0.1 rad/s.
  for (int i = 0; i < 40; ++i) {
    rows.push_back(duo::planar_pose(duo::kShoulder + 0.002 * i, duo::kElbow));
  }
  auto chunk = duo::poses(rows);
  bench.play(*chunk, 10);
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  (void)bench.inputs.separations.push({bench.now, bench.now, 0.4});
  bench.tick();
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_TRUE(bench.last.braking);
  EXPECT_EQ(ControlMode::kCartesianPose, bench.last.mode);
}

}  // namespace
}  // namespace openral::safety
