// Behaviour 26: the kernel watches itself, and latches on its own lateness and its own faults.
#include "bench.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::kMillisecond;
using duo::kTick;
using duo::reach;

TEST(Kernel, ThreeLateTicksLatchAtOnce) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  for (int i = 0; i < 3; ++i) {
    bench.inputs.lateness = 6 * kMillisecond;
    bench.tick();
  }
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("late_ticks", bench.reason_text());
  EXPECT_EQ(3u, bench.status().late_ticks);
}

TEST(Kernel, OneStallOfMoreThanThreeTicksLatchesAtOnce) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  bench.now += 10 * kTick;
  bench.inputs.lateness = 10 * kTick;
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("late_ticks", bench.reason_text());
}

TEST(Kernel, AnOverrunNeverEnlargesAStep) {
  Bench bench;
  bench.start();
  auto chunk = reach();
  bench.play(*chunk, 20);
  const double before = bench.last.position[0];
  bench.now += 3 * kTick;
  bench.inputs.lateness = 3 * kTick;
  bench.tick();
  EXPECT_NEAR(before + 0.003, bench.last.position[0], 1e-12);  // 0.6 rad/s * 5 ms
}

// The robot obeys a command for three ticks. After four it has begun to stop by itself, and goes on
// only as it might begin: from 0.6 rad/s down to 0.6 - (10 (0.01 + 0.005 + 0.04) + 0.02), as its
// state, 10 ms old, allows.
TEST(Kernel, ATickBeyondTheLeaseGoesOnOnlyAsAMotionMayBegin) {
  const auto stalled = [](double measured, int missed) {
    Bench bench;
    bench.start();
    auto chunk = reach();
    bench.play(*chunk, 21);  // the next tick brings no joint state
    bench.follows = false;
    bench.measured.velocity[0] = measured;
    bench.tick();
    bench.now += missed * kTick;
    bench.inputs.lateness = missed * kTick;
    bench.tick();
    return bench.state() == State::kActive ? std::string() : bench.reason_text();
  };
  EXPECT_EQ("", stalled(0.6, 3));
  EXPECT_EQ("", stalled(0.19, 3));
  EXPECT_EQ("splice_measured_velocity", stalled(0.02, 3));
  EXPECT_EQ("", stalled(0.02, 2));  // within the lease
}

TEST(Kernel, AnInternalFaultLatchesAtOnce) {
  Bench bench;
  bench.start();
  bench.inputs.fault = true;
  EXPECT_FALSE(bench.tick().emit);
  EXPECT_EQ(State::kLatched, bench.state());
  EXPECT_EQ("internal_fault", bench.reason_text());
}

}  // namespace
}  // namespace openral::safety
