// Behaviour 1, deny by default: what keeps a robot from being armed, and where it is held then.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::kTick;
using duo::long_reach;
using duo::reach;

TEST(Kernel, DenyByDefaultForEverySubsetOfUnmetPreconditions) {
  // Bits: no joint state, e-stop asserted, second publisher, not armed by the operator.
  for (int subset = 1; subset < 16; ++subset) {
    Bench bench;
    auto chunk = reach();
    const bool no_state = (subset & 1) != 0;
    bench.driver_silent = no_state;
    bench.ticks(2);
    for (int i = 0; i < 10000; ++i) {
      if ((subset & 2) != 0 && i % 50 == 0) bench.estop(true);
      bench.inputs.second_publisher = (subset & 4) != 0;
      bench.inputs.arm = (subset & 8) == 0;
      if (i % 4 == 0) {
        bench.stamp(*chunk);
        bench.inputs.chunk = chunk.get();
      }
      bench.tick();
    }
    EXPECT_TRUE(bench.emitted.empty()) << subset;
  }
}

TEST(Kernel, ArmsOnlyWhenNothingIsUnmetAndSaysWhatIs) {
  Bench bench;
  bench.tick();
  bench.inputs.arm = true;
  const Reply reply = bench.tick().arm;  // this tick brings the first joint state
  EXPECT_TRUE(reply.success);
  Bench blind;
  blind.driver_silent = true;
  blind.ticks(2);
  EXPECT_TRUE(blind.unmet(Reason::kJointStateStale));
  blind.inputs.arm = true;
  EXPECT_EQ(Reason::kJointStateStale, blind.tick().arm.reason);
}

// The monotonic clock and the robot's own may begin at zero.
TEST(Kernel, NothingIsKnownAtTheBeginningOfTime) {
  const auto kernel = std::make_unique<Kernel>(duo::configuration(), 0);
  Inputs inputs;
  inputs.arm = true;
  EXPECT_EQ(Reason::kJointStateStale, kernel->tick(0, inputs).arm.reason);
  JointState state;
  state.complete = true;
  (void)inputs.joint_states.push(state);
  EXPECT_TRUE(kernel->tick(kTick, inputs).arm.success);
}

TEST(Kernel, ArmingAMovingRobotIsRefused) {
  Bench bench;
  bench.measured.velocity[0] = 0.03;
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kNotAtRest));
  EXPECT_FALSE(bench.arm());
}

TEST(Kernel, ArmingOutsideTheLimitsIsRefused) {
  Bench bench;
  bench.measured.position[1] = 1.02;  // beyond 1 + 0.01
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kStatePositionLimit));
  EXPECT_FALSE(bench.arm());
}

TEST(Kernel, EStopRequiredButNeverHeardKeepsItFromArming) {
  RawConfiguration raw = duo::raw();
  raw.flags["estop.required"] = true;
  Bench bench(raw);
  bench.ticks(2);
  EXPECT_TRUE(bench.unmet(Reason::kEstopMissing));
  EXPECT_FALSE(bench.arm());
  bench.estop(false);
  bench.tick();
  EXPECT_TRUE(bench.arm());
}

TEST(Kernel, HoldsWhereItWasArmed) {
  Bench bench;
  bench.measured.position = {0.3, -0.2, 0.0401};
  bench.start();
  bench.ticks(5);
  EXPECT_EQ(0.3, bench.last.position[0]);
  EXPECT_EQ(-0.2, bench.last.position[1]);
  EXPECT_EQ(0.04, bench.last.position[2]);  // no command beyond the limit
  EXPECT_EQ(0, bench.last.velocity[0]);
}

// Cut at 0.6 rad/s, reset, and armed in the very tick in which a motion from rest comes under the
// new epoch: it begins at rest, and changes no mode.
TEST(Kernel, ArmingForgetsTheMotionBeforeIt) {
  for (const bool gripper : {false, true}) {
    Bench bench;
    bench.start();
    auto chunk = long_reach();
    bench.play(*chunk, 40);
    bench.cut_and_reset();
    auto next = gripper ? duo::gripper({0.04, 0.0392, 0.0384}) : reach(bench.measured.position[0]);
    bench.stamp(*next);
    ++next->epoch;
    bench.inputs.chunk = next.get();
    const std::uint64_t epoch = bench.epoch();
    EXPECT_TRUE(bench.arm());
    EXPECT_EQ(State::kActive, bench.state()) << bench.reason_text();
    EXPECT_EQ(epoch + 1, bench.epoch());
  }
}

TEST(Kernel, EveryRequestIsAnswered) {
  Bench bench;
  bench.ticks(2);
  bench.inputs.reset = bench.inputs.arm_recovery = true;
  const Reply reset = bench.tick().reset;
  EXPECT_TRUE(reset.given);
  EXPECT_FALSE(reset.success);
  EXPECT_EQ(Reason::kNotLatched, reset.reason);
  bench.inputs.arm_recovery = true;
  const Reply recovery = bench.tick().arm_recovery;
  EXPECT_TRUE(recovery.given);
  EXPECT_EQ(Reason::kRecoveryNotNeeded, recovery.reason);
  bench.inputs.arm = true;
  const Reply arm = bench.tick().arm;
  EXPECT_TRUE(arm.given);
  EXPECT_TRUE(arm.success);
  EXPECT_EQ(Reason::kNone, arm.reason);
}

}  // namespace
}  // namespace openral::safety
