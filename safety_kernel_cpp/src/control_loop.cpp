#include "control_loop.hpp"

#include "../core/tick_schedule.hpp"
#include "../core/watchdog.hpp"
#include "realtime.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kSecondNs = 1'000'000'000;

}  // namespace

ControlLoop::ControlLoop(Kernel& kernel, const LoopOptions& options, Inbox& inbox, Outbox& outbox,
                         RecordQueue* record)
    : kernel_(kernel),
      options_(options),
      inbox_(inbox),
      outbox_(outbox),
      record_(record),
      rows_of_a_lease_(rows_of_a_lease(kernel.configuration().times)),
      state_(kernel.status().state) {}

void ControlLoop::run() {
  if (options_.realtime) {
    refuse_huge_pages();
    // Memory is locked first: a page fault under SCHED_FIFO stalls like any other. Each helps
    // without the other, so that one refused is no reason to leave the other out.
    const bool locked = lock_memory();
    const bool prior = make_realtime(options_.priority);
    loop_realtime_ = locked && prior;
  }
  const Nanoseconds period = kernel_.configuration().times.tick;
  TickSchedule schedule(monotonic_now() + period, period);
  second_began_ = schedule.wake();
  while (!stop_.load(std::memory_order_relaxed)) {
    sleep_until(schedule.wake());
    const Nanoseconds now = monotonic_now();
    tick(now, schedule.begin(now));
    schedule.end(monotonic_now());
    outbox_.expect(emitting_ ? schedule.wake() : 0);
  }
}

void ControlLoop::tick(Nanoseconds now, Nanoseconds lateness) {
  gather(now, lateness);
  const Output& output = kernel_.tick(now, inputs_);
  emitting_ = output.emit;
  if (record_ != nullptr) record_->note(now, inputs_, output, kernel_.status());
  if (inputs_.chunk != nullptr) inbox_.chunks.pop();
  if (inputs_.velocity_command != nullptr) inbox_.velocity_commands.pop();
  if (inputs_.world != nullptr) inbox_.worlds.pop();
  measure_rate(now);
  deliver(now, output);
}

void ControlLoop::gather(Nanoseconds now, Nanoseconds lateness) {
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
  // What a distance was that found no room nobody knows: it may have been the nearest. The time of
  // the tick is a stamp that no other reading has.
  if (inbox_.separation_lost.exchange(false)) (void)inputs_.separations.push({now, now, 0});
  while (const SeparationReading* reading = inbox_.separations.front()) {
    if (!inputs_.separations.push(*reading)) break;
    inbox_.separations.pop();
  }
  inputs_.estop_lost = inbox_.estop_lost.exchange(false);
  inputs_.chunks_lost = inbox_.chunks_lost.exchange(0);
  inputs_.chunk = inbox_.chunks.front();
  inputs_.velocity_command = inbox_.velocity_commands.front();
  inputs_.world = inbox_.worlds.front();
  inputs_.arm = inbox_.arm.asked.exchange(false);
  inputs_.arm_recovery = inbox_.arm_recovery.asked.exchange(false);
  inputs_.reset = inbox_.reset.asked.exchange(false);
  inputs_.second_publisher = inbox_.second_publisher.load();
  const bool failed = inbox_.fault.exchange(false);
  // Where rows do not leave for a lease, the robot has stopped by itself: to go on from where the
  // loop counts by then would be a jump.
  inputs_.fault = outbox_full_ || failed || outbox_.unsent() >= rows_of_a_lease_;
}

void ControlLoop::deliver(Nanoseconds now, const Output& output) {
  // Answers and reports have queues of their own: a full outbox loses none of them.
  answer(output);
  // A latch at once: what was emitted before it is over. The last row of a stop that ends in a
  // latch is not, which comes in the same tick as the latch.
  const State state = kernel_.status().state;
  if (!output.emit && state != state_ && state == State::kLatched) outbox_.revoke(now);
  state_ = state;
  put_reports(output);
  // Told at last: whoever is woken looks for a command first.
  if (put_letter(now, output) || !output.reports.empty()) outbox_.notify();
}

bool ControlLoop::put_letter(Nanoseconds now, const Output& output) {
  const bool with_status = status_owed_ || output.changed || output.arm.given ||
                           output.reset.given || output.arm_recovery.given ||
                           now - status_sent_ >= status_period();
  if (!output.emit && !with_status) return false;
  Letter* letter = outbox_.letters.back();
  if (letter == nullptr) {
    // The publishing thread has stood still for 64 ticks: nobody hears this kernel any more.
    outbox_full_ = true;
    status_owed_ = with_status;
    return false;
  }
  outbox_full_ = false;
  letter->tick = now;
  letter->stamp = system_now();
  letter->emit = output.emit;
  letter->command = output.command;
  letter->with_status = with_status;
  if (with_status) {
    letter->status = kernel_.status();
    // A loop on time whose messages wait behind other programs is not real-time as a whole.
    health_.realtime =
        loop_realtime_ && options_.others_realtime && !inbox_.publisher_not_realtime.load();
    letter->health = health_;
    status_sent_ = now;
    status_owed_ = false;
  }
  if (output.emit) outbox_.count_row();
  outbox_.letters.push();
  return true;
}

void ControlLoop::put_reports(const Output& output) {
  if (output.reports.empty()) return;
  const Nanoseconds stamp = system_now();
  for (const Report& report : output.reports) {
    DatedReport* slot = outbox_.reports.back();
    if (slot == nullptr) {
      ++health_.reports_lost;
      continue;
    }
    slot->stamp = stamp;
    slot->report = report;
    outbox_.reports.push();
  }
}

void ControlLoop::answer(const Output& output) {
  const auto put = [](Request& request, const Reply& reply) {
    if (!reply.given) return;
    Reply* const slot = request.answer.back();
    if (slot == nullptr) return;  // nobody asks before the answer was taken
    *slot = reply;
    request.answer.push();
  };
  put(inbox_.arm, output.arm);
  put(inbox_.arm_recovery, output.arm_recovery);
  put(inbox_.reset, output.reset);
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
