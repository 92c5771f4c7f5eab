// Behaviours 3 and 21, the mode joint_torque.
#include "torque_rows.hpp"

#include <cmath>

#include "admission.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

class TorqueRows : public testing::Test {
 protected:
  [[nodiscard]] Finding check(const Chunk& chunk) const {
    if (Finding finding = check_shape(configuration_, chunk); !finding.ok()) return finding;
    return check_torques(configuration_, chunk, columns_);
  }

  const Configuration configuration_ = duo::configuration(duo::raw_in_every_mode());
  const Columns columns_ = columns_of(configuration_, ControlMode::kJointTorque);
};

TEST_F(TorqueRows, AdmitsAtTheLimits) {
  EXPECT_TRUE(check(*duo::torques({{0, 0, 0}, {20, -10, 20}, {0, 0, 0}})).ok());
}

TEST_F(TorqueRows, RangeOfEveryJoint) {
  const double limits[] = {20, 10, 20};
  for (std::size_t joint = 0; joint < 3; ++joint) {
    for (const double sign : {-1.0, 1.0}) {
      auto chunk = duo::torques({{0, 0, 0}, {0, 0, 0}});
      chunk->values[3 + joint] = sign * (limits[joint] + 0.01);
      const Finding finding = check(*chunk);
      EXPECT_EQ("torque_limit", name(finding));
      EXPECT_EQ(1, finding.row);
      EXPECT_EQ(static_cast<int>(joint), finding.joint);
      EXPECT_EQ(limits[joint] + 0.01, finding.value);
      EXPECT_EQ(limits[joint], finding.limit);
    }
  }
}

TEST_F(TorqueRows, FiniteEverywhere) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      auto chunk = duo::torques({{0, 0, 0}, {0, 0, 0}});
      chunk->values[i] = bad;
      const Finding finding = check(*chunk);
      EXPECT_EQ("not_finite", name(finding));
      EXPECT_EQ(static_cast<int>(i / 3), finding.row);
    }
  }
}

// From 10 to -11 in 0.02 s: 1050 N m/s of 1000; the elbow from 5 to -5.2: 510 of 500.
TEST_F(TorqueRows, RateBetweenRows) {
  auto chunk = duo::torques({{10, 0, 0}, {-11, 0, 0}});
  chunk->last = false;
  Finding finding = check(*chunk);
  EXPECT_EQ("torque_rate", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_EQ(0, finding.joint);
  EXPECT_NEAR(1050, finding.value, 1e-9);
  chunk = duo::torques({{0, 5, 0}, {0, -5.2, 0}});
  chunk->last = false;
  finding = check(*chunk);
  EXPECT_EQ(1, finding.joint);
  EXPECT_NEAR(510, finding.value, 1e-9);
}

TEST_F(TorqueRows, ATimelineEndsNearZero) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.numbers["robot.torque.shoulder.rate_max"] = 500;  // 10 N m a row
  const Configuration slow = duo::configuration(raw);
  auto chunk = duo::torques({{5, 0, 0}, {10.1, 0, 0}});
  const Finding finding = check_torques(slow, *chunk, columns_);
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_EQ(1, finding.row);
  chunk = duo::torques({{5, 0, 0}, {9.9, 0, 0}});
  EXPECT_TRUE(check_torques(slow, *chunk, columns_).ok());
  // Only there: a window begins and ends anywhere.
  chunk = duo::torques({{15, 0, 0}, {15, 0, 0}});
  chunk->last = false;
  EXPECT_TRUE(check_torques(slow, *chunk, columns_).ok());
}

TEST_F(TorqueRows, SpliceFromTheTorqueInForce) {
  const auto chunk = duo::torques({{0, 0, 0}, {10, 0, 0}, {0, 0, 0}});
  EXPECT_TRUE(check_torque_splice(configuration_, *chunk, columns_, 0, {}).ok());
  // The first tick asks for 2.5; from 8 that are 1100 N m/s.
  const Finding finding = check_torque_splice(configuration_, *chunk, columns_, 0, {8});
  EXPECT_EQ("splice_torque", name(finding));
  EXPECT_NEAR(1100, finding.value, 1e-9);
  EXPECT_EQ(0, finding.row);
  // At the end of a later window, the third of its rows.
  chunk->first_row = 5;
  const Finding last = check_torque_splice(configuration_, *chunk, columns_, 7, {8});
  EXPECT_NEAR(1600, last.value, 1e-9);
  EXPECT_EQ(2, last.row);
  chunk->dt = 0.005;  // a tick would lead to the row behind it
  EXPECT_EQ(2, check_torque_splice(configuration_, *chunk, columns_, 7, {8}).row);
}

// Power: 10 N m at 1 rad/s and 10 N m at 0.5 rad/s against the motion: 15 W.
TEST_F(TorqueRows, PowerOfAllJointsTogether) {
  EXPECT_TRUE(check_torque_step(configuration_, {10, -10, 0}, {10, -10, 0}, {1, 0.5}).ok());
  const Finding finding = check_torque_step(configuration_, {10, -10, 0}, {10, -10, 0}, {1, 0.51});
  EXPECT_EQ("power", name(finding));
  EXPECT_NEAR(15.1, finding.value, 1e-9);
  EXPECT_EQ(15, finding.limit);
  EXPECT_EQ(-1, finding.row);
  EXPECT_EQ(-1, finding.joint);
  EXPECT_EQ("power", name(check_torque_step(configuration_, {10, 0, 0}, {10, 0, 0}, {-1.6})));
  // A tick: 5 N m are 1000 N m/s.
  EXPECT_TRUE(check_torque_step(configuration_, {0, 0, 0}, {5, 0, 0}, {}).ok());
  EXPECT_EQ("torque_rate", name(check_torque_step(configuration_, {}, {5.1, 0, 0}, {})));
  EXPECT_EQ("torque_limit", name(check_torque_step(configuration_, {20}, {20.1}, {})));
  EXPECT_EQ(-1, check_torque_step(configuration_, {20}, {20.1}, {}).row);
}

// ---- in the kernel

// Joints of unit inertia without friction: a torque of 1 N m is 1 rad/s^2. A position command is
// followed at once.
class TorqueKernel : public testing::Test {
 protected:
  void SetUp() override {
    bench_.obey = [](const Command& command, JointState& state) {
      if (command.mode != ControlMode::kJointTorque) {
        state.position = command.position;
        state.velocity = command.velocity;
        return;
      }
      for (std::size_t j = 0; j < 2; ++j) {
        state.velocity[j] += command.position[j] * 0.005;
        state.position[j] += state.velocity[j] * 0.005;
      }
    };
    bench_.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
    bench_.start();
  }
  // The shoulder pushes: each entry its torque [N m] in a row.
  [[nodiscard]] static std::unique_ptr<Chunk> push(const std::vector<double>& torque) {
    duo::Rows rows;
    for (const double value : torque) rows.push_back({value, 0, 0});
    return duo::torques(rows);
  }
  [[nodiscard]] static std::vector<double> steady(double torque, int rows) {
    std::vector<double> values(static_cast<std::size_t>(rows), torque);
    values.front() = 0;
    return values;
  }

  duo::Bench bench_{duo::raw_in_every_mode()};
};

TEST_F(TorqueKernel, PlaysTorquesAndHoldsTheJointsAfterwards) {
  // 1 N m for a while and back: the arm speeds up and slows down, and rests.
  auto chunk = push({0, 1, 1, 1, 0, -1, -1, -1, 0});
  bench_.play(*chunk, 12);
  EXPECT_EQ(ControlMode::kJointTorque, bench_.last.mode);
  EXPECT_FALSE(bench_.last.braking);
  EXPECT_NEAR(3, bench_.status().consumed_row, 1e-12);
  EXPECT_EQ(bench_.emitted.size(), bench_.status().commands);
  EXPECT_NEAR(1, bench_.last.position[0], 1e-12);
  EXPECT_GT(bench_.measured.velocity[0], 0.03);
  EXPECT_NEAR(bench_.measured.position[0], bench_.status().commanded[0], 0.001);
  bench_.play(*chunk, 40);
  EXPECT_EQ("", bench_.reason_text());
  EXPECT_EQ(0u, bench_.status().stops);
  EXPECT_EQ(State::kHolding, bench_.state());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_GT(bench_.last.position[0], duo::kShoulder);
  chunk->last = false;
  bench_.send(*chunk);
  EXPECT_EQ("timeline_finished", bench_.reason_text());
}

// The elbow swings at 0.51 rad/s of 0.5, and is held: what is asked for then is not begun.
TEST_F(TorqueKernel, NoTorqueIsAdmittedOnAJointThatRaces) {
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.velocity[1] = 0.51;
  bench_.ticks(2);
  auto chunk = push({0, 0, 0});
  bench_.send(*chunk);
  EXPECT_EQ("measured_velocity", bench_.reason_text());
  EXPECT_EQ(0u, bench_.status().chunks_admitted);
  EXPECT_EQ(State::kHolding, bench_.state());
}

// Torques command the gripper too, so that it is where it is measured.
TEST_F(TorqueKernel, TheStatusFollowsTheMeasuredGripper) {
  auto chunk = push(steady(0.5, 60));
  bench_.play(*chunk, 6);
  bench_.measured.position[2] = 0.035;
  bench_.ticks(2);
  EXPECT_EQ(0.035, bench_.status().commanded[2]);
}

// What is measured of an arm at rest is no speed to go on from: from -0.019 rad/s a first row at
// 0.2 would be a change by 11 rad/s^2.
TEST_F(TorqueKernel, AnEndAtRestIsAtRest) {
  bench_.obey = [](const Command& command, JointState& state) {
    if (command.mode == ControlMode::kJointTorque) state.velocity[0] = -0.019;
  };
  auto chunk = push({0, 0});
  bench_.send(*chunk);
  bench_.ticks(3);
  ASSERT_EQ(State::kHolding, bench_.state()) << bench_.reason_text();
  const JointArray at = bench_.status().commanded;
  auto next = duo::chunk(duo::shoulder_rows({0.2, 0.2}, at[0], at[1]));
  next->timeline = 2;
  bench_.send(*next);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
}

// The rows end while the arm still moves: it is braked from its measured state.
TEST_F(TorqueKernel, AnEndInMotionIsBraked) {
  auto chunk = push({0, 2, 2, 0});
  const std::uint64_t epoch = bench_.epoch();
  bench_.play(*chunk, 13);
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ(0u, bench_.status().stops);  // asked for, no failure
  EXPECT_EQ(epoch + 1, bench_.epoch());
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_EQ(State::kHolding, bench_.state());
  bench_.ticks(5);
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(TorqueKernel, EveryEmittedTorqueKeepsRangeAndRate) {
  auto chunk = push({0, 3, 6, 3, 0, -3, -6, -3, 0});
  bench_.play(*chunk, 40);
  double before = 0;
  int torques = 0;
  for (const Command& command : bench_.emitted) {
    if (command.mode != ControlMode::kJointTorque) continue;
    EXPECT_LE(std::abs(command.position[0]), 6);
    EXPECT_LE(std::abs(command.position[0] - before), 5 + 1e-9);
    before = command.position[0];
    ++torques;
  }
  EXPECT_GT(torques, 25);
}

// Nobody knows the load: a torque that is in range may still drive a joint too fast.
TEST_F(TorqueKernel, TheMeasuredSpeedStopsTheArmFromWhereItIs) {
  auto chunk = push(steady(4, 60));
  chunk->last = false;
  while (bench_.state() != State::kBraking && bench_.emitted.size() < 300) {
    bench_.play(*chunk, 4);
  }
  // The tool: 0.64 rad/s at 1.91 m are 1.22 m/s.
  EXPECT_EQ("tool_speed", bench_.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kHolding, bench_.state());
}

TEST_F(TorqueKernel, RoomToStopIsKeptBeforeEveryLimit) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.flags["robot.arm.forward_kinematics"] = false;
  raw.lists["robot.modes"] = {"joint_position", "joint_torque"};
  for (auto it = raw.numbers.begin(); it != raw.numbers.end();) {
    it = it->first.rfind("robot.arm.", 0) == 0 ? raw.numbers.erase(it) : std::next(it);
  }
  raw.lists.erase("robot.arm.joints");
  raw.vectors.clear();
  duo::Bench bench(raw);
  bench.obey = bench_.obey;
  bench.measured.position = {1.8, 0, 0.04};
  bench.start();
  auto chunk = push(steady(4, 80));
  chunk->last = false;
  double furthest = 0;
  for (int i = 0; i < 200; ++i) {
    if (i % 4 == 0 && bench.state() != State::kHolding) bench.stamp(*chunk);
    if (i % 4 == 0) {
      if (i == 0) bench.stamp(*chunk);
      bench.inputs.chunk = chunk.get();
    }
    bench.tick();
    furthest = std::max(furthest, bench.measured.position[0]);
  }
  EXPECT_LE(furthest, 2);
  EXPECT_GT(furthest, 1.95);
  bool seen = false;
  for (const Report& report : bench.reports) {
    seen = seen || report.finding.reason == Reason::kMeasuredViability;
  }
  EXPECT_TRUE(seen);
}

TEST_F(TorqueKernel, PowerStops) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.numbers["robot.torque.power_max_W"] = 1;
  duo::Bench bench(raw);
  bench.obey = bench_.obey;
  bench.measured.position = bench_.measured.position;
  bench.start();
  auto chunk = push(steady(4, 60));
  bench.play(*chunk, 20);
  // 4 N m from 0.25 rad/s on.
  EXPECT_EQ("power", bench.reason_text());
  EXPECT_GT(bench.status().finding.value, 1);
  EXPECT_LT(bench.status().finding.value, 1.2);
}

TEST_F(TorqueKernel, ASilentRunnerBrakesFromTheMeasuredState) {
  auto chunk = push(steady(0.5, 60));
  bench_.send(*chunk);
  while (bench_.state() == State::kActive) bench_.tick();
  EXPECT_EQ("chunk_stale", bench_.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  EXPECT_TRUE(bench_.last.braking);
}

// Without a measurement there is no place to stop at: nothing is emitted, the robot's lease ends
// it.
TEST_F(TorqueKernel, ALostJointStateLatchesAtOnce) {
  auto chunk = push(steady(0.5, 60));
  bench_.play(*chunk, 12);
  bench_.driver_silent = true;
  int ticks = 0;
  while (bench_.state() == State::kActive && ticks < 30) {
    if (ticks % 4 == 0) {
      bench_.stamp(*chunk);
      bench_.inputs.chunk = chunk.get();
    }
    bench_.tick();
    ++ticks;
  }
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("joint_state_stale", bench_.reason_text());
  const std::size_t emitted = bench_.emitted.size();
  bench_.ticks(10);
  EXPECT_EQ(emitted, bench_.emitted.size());
}

TEST_F(TorqueKernel, AnEStopBrakesFromTheMeasuredStateAndLatches) {
  auto chunk = push(steady(2, 60));
  bench_.play(*chunk, 30);
  bench_.estop(true);
  bench_.tick();
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ(ControlMode::kJointPosition, bench_.last.mode);
  while (bench_.state() == State::kBraking) bench_.tick();
  EXPECT_EQ(State::kLatched, bench_.state());
}

// 1.99 rad at 0.5 rad/s, measured in the tick of the e-stop: a stop would end beyond 2.
TEST_F(TorqueKernel, AnEStopTooNearToALimitLatchesAtOnce) {
  auto chunk = push(steady(2, 60));
  bench_.play(*chunk, 30);
  while (bench_.measured.received != bench_.now) bench_.tick();
  bench_.tick();
  ASSERT_EQ(State::kActive, bench_.state());
  bench_.measured.position[0] = 1.99;
  bench_.measured.velocity[0] = 0.5;
  bench_.estop(true);
  EXPECT_FALSE(bench_.tick().emit);
  EXPECT_EQ(State::kLatched, bench_.state());
  EXPECT_EQ("estop", bench_.reason_text());
}

// The hold that follows is a new command, whose lease begins.
TEST_F(TorqueKernel, AHoldAfterTorquesIsNotMovedWithinItsLease) {
  auto chunk = push({0, 1, 1, 1, 0, -1, -1, -1, 0});
  for (int i = 0; i < 60 && (i < 2 || bench_.state() == State::kActive); ++i) {
    if (i % 4 == 0) bench_.stamp(*chunk), bench_.inputs.chunk = chunk.get();
    bench_.tick();
  }
  ASSERT_EQ(State::kHolding, bench_.state());
  const double at = bench_.status().commanded[0];
  bench_.obey = [](const Command&, JointState&) {};
  bench_.measured.position[0] += 0.01;
  bench_.measured.velocity = {};
  bench_.ticks(6);
  EXPECT_EQ(at, bench_.last.position[0]);
}

// Cut at 8 N m, and armed anew: torques begin at none.
TEST_F(TorqueKernel, ATorqueInForceEndsWithItsArming) {
  auto chunk = push(steady(8, 60));
  bench_.play(*chunk, 6);
  ASSERT_NEAR(8, bench_.last.position[0], 1e-9);
  bench_.cut_and_reset();
  ASSERT_TRUE(bench_.arm());
  auto none = push({0, 0, 0});
  bench_.send(*none);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  EXPECT_EQ(1u, bench_.status().stops);
}

TEST_F(TorqueKernel, AJumpOfTorqueIsRefused) {
  auto chunk = push({8, 8, 0});
  bench_.send(*chunk);
  EXPECT_EQ("splice_torque", bench_.reason_text());
  EXPECT_EQ(State::kHolding, bench_.state());
}

// ---- configuration

TEST(TorqueConfiguration, EveryLimitIsNeededAndInRange) {
  const RawConfiguration good = duo::raw_in_every_mode();
  std::vector<std::string> keys = {"robot.torque.power_max_W"};
  for (const char* joint : {"shoulder", "elbow", "finger"}) {
    for (const auto& field : joint_torque_fields()) {
      keys.push_back(std::string("robot.torque.") + joint + "." + field.name);
    }
  }
  for (const std::string& key : keys) {
    duo::expect_needed_in_range(good, key, {std::nan(""), -1.0, 0.0, 1e9});
  }
  RawConfiguration raw = good;
  raw.numbers["robot.torque.wrist.effort_max"] = 1;
  EXPECT_EQ("robot.torque.wrist.effort_max", duo::error_of(raw).field);
}

TEST(TorqueConfiguration, AGripperKeepsItsForceCap) {
  RawConfiguration raw = duo::raw_in_every_mode();
  raw.numbers["robot.torque.finger.effort_max"] = 41;  // the cap is 40
  Configuration configuration;
  const auto error = configure(raw, configuration);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ("robot.torque.finger.effort_max", error->field);
  raw.numbers["robot.torque.finger.effort_max"] = 40;
  EXPECT_FALSE(configure(raw, configuration).has_value());
}

}  // namespace
}  // namespace openral::safety
