#include "control_loop.hpp"

#include "realtime.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kSecondNs = 1'000'000'000;

}  // namespace

void ControlLoop::run() {
  // Memory is locked first: a page fault under SCHED_FIFO stalls like any other.
  if (options_.realtime) refuse_huge_pages();
  const bool locked = options_.realtime && lock_memory();
  loop_realtime_ = locked && make_realtime(options_.priority);
  const Nanoseconds period = kernel_.configuration().times.tick;
  Nanoseconds scheduled = monotonic_now() + period;
  second_began_ = scheduled;
  while (!stop_.load(std::memory_order_relaxed)) {
    sleep_until(scheduled);
    const Nanoseconds now = monotonic_now();
    gather(now - scheduled);
    const Output& output = kernel_.tick(now, inputs_);
    if (record_ != nullptr) record_->note(now, inputs_, output, kernel_.status());
    if (inputs_.chunk != nullptr) inbox_.chunks.pop();
    if (inputs_.velocity_command != nullptr) inbox_.velocity_commands.pop();
    if (inputs_.world != nullptr) inbox_.worlds.pop();
    measure_rate(now);
    deliver(now, output);
    scheduled += period;
    // Missed ticks are dropped, never caught up: a burst of them would play rows too fast.
    const Nanoseconds after = monotonic_now();
    if (after > scheduled) scheduled += (after - scheduled) / period * period;
  }
}

void ControlLoop::gather(Nanoseconds lateness) {
  inputs_.lateness = lateness;
  inputs_.joint_states.clear();
  while (const JointState* state = inbox_.joint_states.front()) {
    if (!inputs_.joint_states.push(*state)) break;
    inbox_.joint_states.pop();
  }
  inputs_.estops.clear();
  while (const EStopLevel* level = inbox_.estops.front()) {
    if (!inputs_.estops.push(*level)) break;
    inbox_.estops.pop();
  }
  inputs_.separations.clear();
  while (const SeparationReading* reading = inbox_.separations.front()) {
    if (!inputs_.separations.push(*reading)) break;
    inbox_.separations.pop();
  }
  inputs_.estop_lost = inbox_.estop_lost.exchange(false);
  inputs_.chunk = inbox_.chunks.front();
  inputs_.velocity_command = inbox_.velocity_commands.front();
  inputs_.world = inbox_.worlds.front();
  inputs_.arm = inbox_.arm.exchange(false);
  inputs_.arm_recovery = inbox_.arm_recovery.exchange(false);
  inputs_.reset = inbox_.reset.exchange(false);
  inputs_.second_publisher = inbox_.second_publisher.load();
  inputs_.fault = fault_;
}

void ControlLoop::deliver(Nanoseconds now, const Output& output) {
  const bool with_status = output.changed || output.arm.given || output.reset.given ||
                           output.arm_recovery.given || now - status_sent_ >= status_period();
  if (!output.emit && !with_status && output.reports.empty()) return;
  Letter* letter = outbox_.letters.back();
  if (letter == nullptr) {
    // The publishing thread has stood still for 64 ticks: nobody hears this kernel any more.
    fault_ = true;
    return;
  }
  fault_ = false;
  letter->tick = now;
  letter->stamp = system_now();
  letter->output = output;
  letter->with_status = with_status;
  if (with_status) {
    letter->status = kernel_.status();
    // A loop on time whose messages wait behind other programs is not real-time as a whole.
    health_.realtime =
        loop_realtime_ && options_.others_realtime && !inbox_.publisher_not_realtime.load();
    letter->health = health_;
    status_sent_ = now;
  }
  outbox_.letters.push();
  outbox_.notify();
}

void ControlLoop::measure_rate(Nanoseconds now) {
  ++ticks_in_second_;
  const Nanoseconds elapsed = now - second_began_;
  if (elapsed < kSecondNs) return;
  health_.rate = static_cast<double>(ticks_in_second_) * kSecond / static_cast<double>(elapsed);
  second_began_ = now;
  ticks_in_second_ = 0;
}

Nanoseconds ControlLoop::status_period() const {
  const State state = kernel_.status().state;
  const bool moving = state == State::kActive || state == State::kBraking;
  return moving ? kSecondNs / 20 : kSecondNs;
}

}  // namespace openral::safety
