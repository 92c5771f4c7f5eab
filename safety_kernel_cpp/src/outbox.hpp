// What the loop hands to the publishing thread, and how that thread waits for it.
#pragma once

#include <semaphore.h>

#include <atomic>

#include "../core/kernel.hpp"
#include "../core/spsc_queue.hpp"
#include "conversion.hpp"
#include "realtime.hpp"

namespace openral::safety {

// One tick's results.
struct Letter {
  Nanoseconds tick = 0;   // monotonic
  Nanoseconds stamp = 0;  // system time
  bool emit = false;
  Command command;
  bool with_status = false;
  Status status;
  LoopHealth health;
};

struct DatedReport {
  Nanoseconds stamp = 0;  // system time of its tick
  Report report;
};

// Reports have a queue of their own, so that what stopped the arm is still told when nobody has
// emptied the other one. The semaphore wakes the publishing thread without a lock or a call into
// the middleware.
class Outbox {
 public:
  // Longer than most ticks with an admission take; an idle processor wakes in half of it.
  static constexpr Nanoseconds kWatch = 100'000;

  Outbox() { sem_init(&filled_, 0, 0); }
  ~Outbox() { sem_destroy(&filled_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  SpscQueue<Letter, 64> letters;
  SpscQueue<DatedReport, 256> reports;

  // By the loop: something was put in.
  void notify() { sem_post(&filled_); }
  // By the loop: the next command comes of the tick at that time; 0: none is to be expected.
  void expect(Nanoseconds tick) { expected_.store(tick, std::memory_order_relaxed); }
  // By the loop: of the rows of earlier ticks none is in force any more.
  void revoke(Nanoseconds tick) { revoked_.store(tick, std::memory_order_release); }
  // By the loop: for how long the oldest letter has been waiting at `now`.
  [[nodiscard]] Nanoseconds waiting(Nanoseconds now) const {
    const Letter* const oldest = letters.oldest();
    return oldest == nullptr ? 0 : now - oldest->tick;
  }

  // By the publishing thread: whether a row may still leave.
  [[nodiscard]] bool in_force(const Letter& letter) const {
    return letter.tick >= revoked_.load(std::memory_order_acquire);
  }
  // By the publishing thread: until something was put in. Where a command is expected it wakes with
  // the tick and watches for it, so that the command need not wait until a sleeping thread runs.
  void wait() {
    if (sem_trywait(&filled_) == 0) return;
    if (const Nanoseconds tick = expected_.load(std::memory_order_relaxed); tick != 0) {
      sleep_until(tick);
      while (monotonic_now() < tick + kWatch) {
        if (sem_trywait(&filled_) == 0) return;
      }
    }
    while (sem_wait(&filled_) != 0) {
    }
  }

 private:
  sem_t filled_{};
  std::atomic<Nanoseconds> expected_{0};
  std::atomic<Nanoseconds> revoked_{0};
};

}  // namespace openral::safety
