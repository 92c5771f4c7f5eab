#include "bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace openral::safety::duo {

Bench::Bench(const RawConfiguration& values, std::uint64_t first_epoch)
    : kernel_(std::make_unique<Kernel>(configuration(values), first_epoch)) {
  measured.position = {0, 0, 0.04};
  measured.complete = true;
}

const Output& Bench::tick() {
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

void Bench::ticks(int count) {
  for (int i = 0; i < count; ++i) tick();
}

bool Bench::arm() {
  inputs.arm = true;
  return tick().arm.success;
}

bool Bench::reset() {
  inputs.reset = true;
  return tick().reset.success;
}

void Bench::start() {
  ticks(2);
  ASSERT_TRUE(arm());
  ASSERT_EQ(State::kHolding, state());
}

const Output& Bench::send(Chunk& chunk) {
  stamp(chunk);
  inputs.chunk = &chunk;
  return tick();
}

void Bench::stamp(Chunk& chunk) {
  chunk.received = now + kTick;
  chunk.observation_stamp = measured.stamp;
  chunk.epoch = epoch();
  chunk.sequence = ++sequence;
}

void Bench::play(Chunk& chunk, int count) {
  for (int i = 0; i < count; ++i) {
    if (i % 4 == 0) {
      send(chunk);
    } else {
      tick();
    }
  }
}

void Bench::estop(bool asserted, const char* source) {
  EStopLevel level;
  level.received = now + kTick;
  level.source.assign(source);
  level.asserted = asserted;
  (void)inputs.estops.push(level);
}

void Bench::clear_estop(int count) {
  for (int i = 0; i < count; ++i) {
    if (i % 50 == 0) estop(false);
    tick();
  }
}

void Bench::recover_from_estop() {
  clear_estop(201);  // the cooldown is 1 s
  ASSERT_TRUE(reset());
}

void Bench::cut_and_reset() {
  inputs.fault = true;
  EXPECT_FALSE(tick().emit);
  measured.velocity = {};
  ticks(2);
  ASSERT_TRUE(reset());
}

std::string Bench::reason_text() const { return std::string(reason_name(reason())); }

bool Bench::unmet(Reason reason) const {
  const auto& all = kernel_->status().unmet;
  return std::find(all.begin(), all.end(), reason) != all.end();
}

void expect_same_motion(const Bench& expected, const Bench& actual) {
  ASSERT_EQ(expected.emitted.size(), actual.emitted.size());
  for (std::size_t i = 0; i < expected.emitted.size(); ++i) {
    EXPECT_EQ(expected.emitted[i].position, actual.emitted[i].position) << i;
    EXPECT_EQ(expected.emitted[i].velocity, actual.emitted[i].velocity) << i;
  }
}

}  // namespace openral::safety::duo
