// A kernel with a robot that follows its commands at once, in simulated time.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "duo.hpp"
#include "kernel.hpp"

namespace openral::safety::duo {

class Bench {
 public:
  explicit Bench(const RawConfiguration& values = raw(), std::uint64_t first_epoch = 0)
      : kernel_(std::make_unique<Kernel>(configuration(values), first_epoch)) {
    measured.position = {0, 0, 0.04};
    measured.complete = true;
  }

  // One tick. Every second one brings a joint state (100 Hz), unless the driver is silent or
  // frozen.
  const Output& tick() {
    now += kTick;
    Inputs& in = inputs;
    if (++ticks_ % 2 == 0 && !driver_silent) {
      if (!driver_frozen) measured.stamp = now + clock_offset;
      measured.received = now;
      (void)in.joint_states.push(measured);
    }
    const Output& output = kernel_->tick(now, in);
    if (output.emit) {
      last = output.command;
      emitted.push_back(output.command);
      if (obey) {
        obey(output.command, measured);
      } else if (follows) {
        measured.position = output.command.position;
        measured.velocity = output.command.velocity;
      }
    }
    for (const Report& report : output.reports) {
      reports.push_back(report);
      // A place in the chunk, or none.
      EXPECT_GE(report.finding.row, -1);
      EXPECT_GE(report.finding.joint, -1);
      EXPECT_LT(report.finding.joint, 3);
    }
    in = Inputs{};
    return output;
  }
  void ticks(int count) {
    for (int i = 0; i < count; ++i) tick();
  }

  bool arm() {
    inputs.arm = true;
    return tick().arm.success;
  }
  bool reset() {
    inputs.reset = true;
    return tick().reset.success;
  }
  // Armed, at rest, with a fresh joint state.
  void start() {
    ticks(2);
    ASSERT_TRUE(arm());
    ASSERT_EQ(State::kHolding, state());
  }

  // Stamps a chunk as just made from the newest joint state, and lets the kernel see it in one
  // tick.
  const Output& send(Chunk& chunk) {
    stamp(chunk);
    inputs.chunk = &chunk;
    return tick();
  }
  void stamp(Chunk& chunk) {
    chunk.received = now + kTick;
    chunk.observation_stamp = measured.stamp;
    chunk.epoch = epoch();
    chunk.sequence = ++sequence;
  }
  // Sends the chunk again and again at 50 Hz, as a runner does, for so many ticks.
  void play(Chunk& chunk, int count) {
    for (int i = 0; i < count; ++i) {
      if (i % 4 == 0) {
        send(chunk);
      } else {
        tick();
      }
    }
  }

  void estop(bool asserted, const char* source = "pendant") {
    EStopLevel level;
    level.received = now + kTick;
    level.source.assign(source);
    level.asserted = asserted;
    (void)inputs.estops.push(level);
  }

  [[nodiscard]] State state() const { return kernel_->status().state; }
  [[nodiscard]] std::uint64_t epoch() const { return kernel_->status().epoch; }
  [[nodiscard]] const Status& status() const { return kernel_->status(); }
  [[nodiscard]] Reason reason() const { return kernel_->status().finding.reason; }
  [[nodiscard]] std::string reason_text() const { return std::string(reason_name(reason())); }
  [[nodiscard]] bool unmet(Reason reason) const {
    const auto& all = kernel_->status().unmet;
    return std::find(all.begin(), all.end(), reason) != all.end();
  }

  Nanoseconds now = 1'000'000'000;
  Nanoseconds clock_offset = 1'700'000'000'000'000'000;  // of the robot's clock
  Inputs inputs;                                         // for the next tick
  JointState measured;
  bool driver_silent = false;
  bool driver_frozen = false;
  bool follows = true;
  // Another robot than one that is at once where it is commanded.
  std::function<void(const Command&, JointState&)> obey;
  std::uint64_t sequence = 0;
  Command last;
  std::vector<Command> emitted;
  std::vector<Report> reports;

 private:
  std::unique_ptr<Kernel> kernel_;
  std::uint64_t ticks_ = 0;
};

}  // namespace openral::safety::duo
