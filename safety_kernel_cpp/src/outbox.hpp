// What the loop hands to the publishing thread, and how that thread waits for it.
#pragma once

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

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

  // By the loop: a row is put in with the next letter.
  void count_row() { ++rows_; }
  // By the loop: something was put in.
  void notify() { sem_post(&filled_); }
  // By the loop: the next command comes of the tick at that time; 0: none is to be expected.
  void expect(Nanoseconds tick) { expected_.store(tick, std::memory_order_relaxed); }
  // By the loop: of the rows of earlier ticks none is in force any more.
  void revoke(Nanoseconds tick) { revoked_.store(tick, std::memory_order_release); }
  // By the loop: how many rows were put in that are not dealt with yet.
  [[nodiscard]] std::uint64_t unsent() const {
    return rows_ - dealt_.load(std::memory_order_acquire);
  }

  // By the publishing thread: what is left of a row's lease; 0 or less: it must not leave any more.
  [[nodiscard]] Nanoseconds left(const Letter& letter, Nanoseconds now, Nanoseconds lease) const {
    if (letter.tick < revoked_.load(std::memory_order_acquire)) return 0;
    return lease - std::max<Nanoseconds>(now - letter.tick, 0);
  }
  // By the publishing thread: a row was sent, or must not be.
  void deal() { dealt_.fetch_add(1, std::memory_order_release); }
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
  std::atomic<std::uint64_t> dealt_{0};
  std::uint64_t rows_ = 0;  // the loop's
};

}  // namespace openral::safety
