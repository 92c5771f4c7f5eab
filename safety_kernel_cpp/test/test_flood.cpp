// Behaviour 27: however much arrives, a tick takes no more than its queues hold, and the motion
// that is played does not change.
#include "bench.hpp"

namespace openral::safety {
namespace {

class Flood {
 public:
  Flood() {
    garbage_->robot.assign("duo");
    garbage_->control_mode = 1;
    garbage_->horizon = 1024;
    garbage_->name_count = 3;
    garbage_->value_count = 7;
  }
  // Fills every queue of the next tick, behind what is in it already.
  void fill(duo::Bench& bench) {
    JointState broken;
    broken.received = broken.stamp = bench.now;
    // The bench's own state has one place: a driver's message is among the garbage.
    while (bench.inputs.joint_states.size() + 1 < kStates &&
           bench.inputs.joint_states.push(broken)) {
    }
    EStopLevel released;
    released.received = bench.now;
    released.source.assign("pendant");
    while (bench.inputs.estops.push(released)) {
    }
    if (bench.inputs.chunk == nullptr) bench.inputs.chunk = garbage_.get();
  }

 private:
  static constexpr std::size_t kStates = 8;
  std::unique_ptr<Chunk> garbage_ = std::make_unique<Chunk>();
};

TEST(Flood, AFullInputAtEveryTickChangesNoCommand) {
  duo::Bench quiet;
  duo::Bench flooded;
  Flood flood;
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 30)));
  for (duo::Bench* bench : {&quiet, &flooded}) {
    bench->start();
    for (int tick = 0; tick < 200; ++tick) {
      if (tick % 4 == 0) {
        bench->stamp(*chunk);
        bench->inputs.chunk = chunk.get();
      }
      if (bench == &flooded) flood.fill(*bench);
      bench->tick();
    }
  }
  ASSERT_EQ(quiet.emitted.size(), flooded.emitted.size());
  for (std::size_t i = 0; i < quiet.emitted.size(); ++i) {
    EXPECT_EQ(quiet.emitted[i].position, flooded.emitted[i].position) << i;
    EXPECT_EQ(quiet.emitted[i].velocity, flooded.emitted[i].velocity) << i;
  }
  EXPECT_EQ(0u, flooded.status().stops);
  // One decision a tick: 150 of the 200 ticks brought garbage.
  EXPECT_EQ(quiet.status().chunks_admitted, flooded.status().chunks_admitted);
  EXPECT_EQ(quiet.status().chunks_refused + 150, flooded.status().chunks_refused);
}

TEST(Flood, ChunksThatFoundNoRoomAreRefusedWithTheirNumber) {
  duo::Bench bench;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 30)));
  bench.play(*chunk, 20);
  bench.inputs.chunks_lost = 3;
  bench.tick();
  EXPECT_EQ(State::kActive, bench.state());
  EXPECT_EQ(3u, bench.status().chunks_refused);
  ASSERT_EQ(1u, bench.reports.size());
  const Report& report = bench.reports[0];
  EXPECT_EQ(Severity::kWarn, report.severity);
  EXPECT_EQ("queue_full", reason_name(report.finding.reason));
  EXPECT_EQ(3, report.finding.value);
  EXPECT_EQ(0, report.finding.limit);
  bench.tick();
  EXPECT_EQ(1u, bench.reports.size());
}

// While nothing is played, they are told of with no motion.
TEST(Flood, AChunkThatFoundNoRoomBelongsToNoRow) {
  duo::Bench bench;
  bench.start();
  bench.inputs.chunks_lost = 1;
  bench.tick();
  EXPECT_EQ(1u, bench.status().chunks_refused);
  ASSERT_EQ(1u, bench.reports.size());
  EXPECT_EQ("queue_full", reason_name(bench.reports[0].finding.reason));
  EXPECT_EQ(-1, bench.reports[0].finding.row);
  EXPECT_EQ(-1, bench.reports[0].finding.joint);
}

TEST(Flood, AnEStopBehindAFullQueueStopsInItsTick) {
  duo::Bench bench;
  Flood flood;
  bench.start();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 30)));
  bench.play(*chunk, 20);
  bench.inputs.estop_lost = true;  // its message found no room, so it counts as heard
  flood.fill(bench);
  bench.tick();
  EXPECT_EQ(State::kBraking, bench.state());
  EXPECT_EQ("estop", bench.reason_text());
}

}  // namespace
}  // namespace openral::safety
