// A robot that fills every capacity: sixteen joints, all of them in the chain, on a base. What is
// counted up to a capacity must not go one beyond it.
#include <gtest/gtest.h>

#include <memory>

#include "admission.hpp"
#include "braking.hpp"
#include "duo_full_robot.hpp"
#include "emission.hpp"
#include "kernel.hpp"
#include "measured_motion.hpp"
#include "reason.hpp"
#include "recovery.hpp"
#include "state_limits.hpp"
#include "torque_rows.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kTick = 5'000'000;
constexpr double kDt = 0.02;

class FullCapacity : public testing::Test {
 protected:
  FullCapacity() {
    const auto error = configure(duo::raw_full(), configuration_);
    EXPECT_FALSE(error.has_value()) << error->text();
    kernel_ = std::make_unique<Kernel>(configuration_, 0);
    state_.complete = true;
  }
  // `rows` of the last joint; the others stand still.
  [[nodiscard]] std::unique_ptr<Chunk> chunk(const std::vector<double>& rows, ControlMode mode) {
    auto chunk = std::make_unique<Chunk>();
    chunk->robot.assign("duo");
    chunk->control_mode = static_cast<std::uint8_t>(mode);
    chunk->timeline = ++timeline_;
    chunk->sequence = 1;
    chunk->epoch = kernel_->status().epoch;
    chunk->dt = kDt;
    chunk->last = true;
    chunk->horizon = rows.size();
    const bool twist = mode == ControlMode::kBodyTwist;
    const std::size_t width = twist ? kBaseAxes : kMaxJoints;
    chunk->name_count = twist ? 0 : width;
    for (std::size_t j = 0; j < kMaxJoints; ++j) chunk->joint_names[j].assign(duo::full_joint(j));
    for (const double value : rows) {
      for (std::size_t c = 0; c < width; ++c) {
        chunk->values[chunk->value_count++] = c + 1 == width ? value : 0;
      }
    }
    return chunk;
  }
  const Output& tick(Chunk* chunk = nullptr, bool arm = false) {
    now_ += kTick;
    Inputs inputs;
    state_.received = state_.stamp = now_;
    (void)inputs.joint_states.push(state_);
    (void)inputs.separations.push({now_, now_, 10});
    if (chunk != nullptr) chunk->received = chunk->observation_stamp = now_;
    inputs.chunk = chunk;
    inputs.arm = arm;
    const Output& output = kernel_->tick(now_, inputs);
    if (output.emit && output.command.mode == ControlMode::kJointPosition) {
      state_.position = output.command.position;
      state_.velocity = output.command.velocity;
    }
    return output;
  }
  void arm() {
    tick();
    ASSERT_TRUE(tick(nullptr, true).arm.success);
  }
  [[nodiscard]] State state() const { return kernel_->status().state; }
  [[nodiscard]] std::string reason() const {
    return std::string(reason_name(kernel_->status().finding.reason));
  }

  Configuration configuration_;
  std::unique_ptr<Kernel> kernel_;
  JointState state_;
  Nanoseconds now_ = 0;
  std::uint64_t timeline_ = 0;
};

constexpr std::size_t kLast = kMaxJoints - 1;

TEST_F(FullCapacity, IsConfiguredWhole) {
  EXPECT_EQ(16u, configuration_.joint_count);
  EXPECT_EQ(16u, configuration_.arm.chain.joints.size());
  EXPECT_TRUE(configuration_.joints[kLast] == std::string_view("j15"));
  EXPECT_EQ(2, configuration_.limits[kLast].position_max);
}

TEST_F(FullCapacity, PlaysTheLastJointToTheEndOfItsTimeline) {
  arm();
  auto motion = chunk({0, 0.004, 0.012, 0.016}, ControlMode::kJointPosition);
  tick(motion.get());
  ASSERT_EQ(State::kActive, state()) << reason();
  for (int i = 0; i < 11; ++i) tick();
  EXPECT_EQ(State::kHolding, state());
  EXPECT_DOUBLE_EQ(0.016, state_.position[kLast]);
}

TEST_F(FullCapacity, AdmitsTheLongestChunkOfTheWidestRow) {
  const auto motion = chunk(std::vector<double>(kMaxHorizon, 0), ControlMode::kJointPosition);
  ASSERT_EQ(kMaxValues, motion->value_count);
  EXPECT_TRUE(check_shape(configuration_, *motion).ok());
  const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
  EXPECT_TRUE(check_rows(configuration_, *motion, columns, {}).ok());
}

TEST_F(FullCapacity, PlaysVelocitiesOfTheLastJoint) {
  arm();
  auto motion = chunk({0.2, 0.4, 0.2, 0}, ControlMode::kJointVelocity);
  tick(motion.get());
  ASSERT_EQ(State::kActive, state()) << reason();
  for (int i = 0; i < 11; ++i) tick();
  EXPECT_EQ(State::kHolding, state());
  EXPECT_NEAR(0.016, state_.position[kLast], 1e-12);  // 0.02 (0.2 + 0.4 + 0.2)
}

TEST_F(FullCapacity, PlaysTheBaseAndComesToRest) {
  arm();
  auto motion = chunk({0.04, 0}, ControlMode::kBodyTwist);
  tick(motion.get());
  ASSERT_EQ(State::kActive, state()) << reason();
  for (int i = 0; i < 7; ++i) tick();
  EXPECT_EQ(State::kHolding, state());
}

TEST_F(FullCapacity, BrakesTheLastJoint) {
  arm();
  auto motion = chunk({0, 0.004, 0.012, 0.02, 0.028}, ControlMode::kJointPosition);
  motion->last = false;
  tick(motion.get());
  for (int i = 0; i < 16; ++i) tick();
  EXPECT_EQ("window_exhausted", reason());
  while (state() == State::kBraking) tick();
  EXPECT_EQ(State::kHolding, state());
  // 0.4 rad/s: eight ticks, 0.4 * 0.005 * 3.5 on.
  EXPECT_NEAR(0.028 + 0.007, state_.position[kLast], 1e-12);
  JointArray velocity{};
  velocity[kLast] = 0.4;
  EXPECT_EQ(8u, brake_ticks(configuration_, velocity));
}

TEST_F(FullCapacity, FindsWhatIsWrongWithTheLastJoint) {
  arm();
  auto motion = chunk({0, 0.03}, ControlMode::kJointPosition);
  tick(motion.get());
  EXPECT_EQ("velocity_limit", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
  motion = chunk({0.3, 0.3}, ControlMode::kJointPosition);
  tick(motion.get());
  EXPECT_EQ("splice_position", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
  motion = chunk({1.1, 0}, ControlMode::kJointVelocity);
  tick(motion.get());
  EXPECT_EQ("velocity_limit", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
  motion = chunk({0, 0.004, 0.012, 0.02}, ControlMode::kJointPosition);
  tick(motion.get());
  EXPECT_EQ("end_not_at_rest", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
  motion = chunk({0}, ControlMode::kJointPosition);
  motion->joint_names[kLast].assign("j14");
  tick(motion.get());
  EXPECT_EQ("joint_names", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
}

TEST_F(FullCapacity, FindsWhatIsWrongWithTheLastJointsState) {
  JointState state;
  state.complete = true;
  EXPECT_TRUE(check_state(configuration_, state).ok());
  EXPECT_TRUE(check_rest(configuration_, state).ok());
  EXPECT_TRUE(check_tracking(configuration_, {}, state).ok());
  EXPECT_TRUE(state_is_usable(configuration_, state));
  state.position[kLast] = 2.5;
  state.velocity[kLast] = 0.5;
  EXPECT_EQ(15, check_state(configuration_, state).joint);
  EXPECT_EQ(15, check_rest(configuration_, state).joint);
  EXPECT_EQ(15, check_tracking(configuration_, {}, state).joint);
  EXPECT_EQ(2, anchor_of(configuration_, state)[kLast]);
  state.position[kLast] = std::nan("");
  EXPECT_FALSE(state_is_usable(configuration_, state));
}

TEST_F(FullCapacity, StopsOnTheLastJointsTrackingError) {
  arm();
  std::vector<double> rows = {0, 0.004, 0.012};
  while (rows.size() < 40) rows.push_back(rows.back() + 0.012);
  auto motion = chunk(rows, ControlMode::kJointPosition);
  motion->last = false;
  for (int i = 0; i < 20; ++i) tick(i % 4 == 0 ? (++motion->sequence, motion.get()) : nullptr);
  ASSERT_EQ(State::kActive, state());
  const JointArray stuck = state_.position;
  for (int i = 0; i < 60 && state() == State::kActive; ++i) {
    state_.position = stuck;
    state_.velocity = {};
    tick(i % 4 == 0 ? (++motion->sequence, motion.get()) : nullptr);
  }
  EXPECT_EQ("tracking_error", reason());
  EXPECT_EQ(15, kernel_->status().finding.joint);
}

TEST_F(FullCapacity, PlaysTorquesOfTheLastJoint) {
  arm();
  auto motion = chunk({0, 1, 1, 0}, ControlMode::kJointTorque);
  tick(motion.get());
  ASSERT_EQ(State::kActive, state()) << reason();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ControlMode::kJointTorque, tick().command.mode);
  }
  for (int i = 0; i < 6; ++i) tick();
  EXPECT_EQ(State::kHolding, state());
  EXPECT_EQ(ControlMode::kJointPosition, tick().command.mode);
}

TEST_F(FullCapacity, BrakesTheLastJointFromItsMeasurement) {
  arm();
  auto motion = chunk({0, 1, 1, 1}, ControlMode::kJointTorque);
  motion->last = false;
  tick(motion.get());
  ASSERT_EQ(State::kActive, state()) << reason();
  state_.position[kLast] = 0.5;
  state_.velocity[kLast] = 0.4;
  for (int i = 0; i < 11; ++i) tick();
  EXPECT_EQ(State::kActive, state());
  const Output& output = tick();
  EXPECT_EQ("window_exhausted", reason());
  EXPECT_EQ(ControlMode::kJointPosition, output.command.mode);
  // 0.4 rad/s: eight ticks, of which the first is at 0.35 rad/s.
  EXPECT_NEAR(0.35, output.command.velocity[kLast], 1e-12);
  EXPECT_NEAR(0.5 + 0.35 * 0.005, output.command.position[kLast], 1e-12);
}

TEST_F(FullCapacity, FindsWhatIsWrongWithTheLastJointsTorque) {
  const Columns columns = columns_of(configuration_, ControlMode::kJointTorque);
  EXPECT_TRUE(
      check_torques(configuration_, *chunk({0, 1, 0}, ControlMode::kJointTorque), columns).ok());
  Finding finding =
      check_torques(configuration_, *chunk({0, 21, 0}, ControlMode::kJointTorque), columns);
  EXPECT_EQ(Reason::kTorqueLimit, finding.reason);
  EXPECT_EQ(15, finding.joint);
  JointArray torque{};
  torque[kLast] = 5;
  EXPECT_TRUE(check_torque_step(configuration_, {}, torque, {}).ok());
  torque[kLast] = 5.1;
  EXPECT_EQ(15, check_torque_step(configuration_, {}, torque, {}).joint);
}

TEST_F(FullCapacity, RecoversTheLastJoint) {
  JointArray outside{};
  outside[kLast] = 2.05;
  JointArray nearer{};
  nearer[kLast] = 2.04;
  EXPECT_TRUE(check_inside(configuration_, {}).ok());
  EXPECT_EQ(15, check_inside(configuration_, outside).joint);
  EXPECT_TRUE(check_step_inward(configuration_, outside, nearer).ok());
  EXPECT_EQ(15, check_step_inward(configuration_, nearer, outside).joint);
  const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
  const auto in = chunk({2.05, 2.04, 2.03}, ControlMode::kJointPosition);
  EXPECT_TRUE(check_inward(configuration_, *in, columns, {}).ok());
  const auto out = chunk({2.05, 2.04, 2.045}, ControlMode::kJointPosition);
  EXPECT_EQ(2, check_inward(configuration_, *out, columns, {}).row);
  Recovery recovery;
  recovery.begin(configuration_, outside);
  EXPECT_EQ(2.05, recovery.limits().limits[kLast].position_max);
  EXPECT_NEAR(0.1, recovery.limits().limits[kLast].velocity_max, 1e-12);
}

TEST_F(FullCapacity, ChecksTheLastJointOnceMoreBeforeItsRowLeaves) {
  JointArray to{};
  to[kLast] = 0.001;
  EXPECT_TRUE(check_emission(configuration_, {}, {}, to, kDt, {}).ok());
  to[kLast] = 0.00101;
  EXPECT_EQ(15, check_emission(configuration_, {}, {}, to, kDt, {}).joint);
}

TEST_F(FullCapacity, WatchesTheLastJointsMeasuredMotion) {
  JointState state;
  state.position[kLast] = 1.9;
  state.velocity[kLast] = 0.4;
  EXPECT_TRUE(check_measured_motion(configuration_, state, 0, {}).ok());
  // Eight ticks: 0.4 (8 * 0.005 / 2 + 0.005 + 0.005).
  EXPECT_NEAR(1.912, end_of_measured_stop(configuration_, state, 0)[kLast], 1e-12);
  EXPECT_NEAR(1.904, measured_now(configuration_, state, 0.01)[kLast], 1e-12);
  state.position[kLast] = 1.99;
  EXPECT_EQ(15, check_measured_motion(configuration_, state, 0, {}).joint);
}

// Nobody commands the arm while the base drives.
TEST_F(FullCapacity, HoldsTheLastJointWhereItIsMeasuredAfterADrive) {
  arm();
  auto motion = chunk({0.04, 0}, ControlMode::kBodyTwist);
  tick(motion.get());
  state_.position[kLast] = 0.05;
  while (state() == State::kActive) tick();
  const Output& output = tick();
  EXPECT_EQ(ControlMode::kJointPosition, output.command.mode);
  EXPECT_EQ(0.05, output.command.position[kLast]);
}

}  // namespace
}  // namespace openral::safety
