// The time-triggered thread: every tick, inbox to kernel to outbox.
#pragma once

#include <atomic>

#include "../core/kernel.hpp"
#include "inbox.hpp"
#include "outbox.hpp"
#include "parameters.hpp"
#include "record_queue.hpp"

namespace openral::safety {

class ControlLoop {
 public:
  // `record` may be null.
  ControlLoop(Kernel& kernel, const LoopOptions& options, Inbox& inbox, Outbox& outbox,
              RecordQueue* record = nullptr);

  // Runs until stop(). To be called on a thread of its own.
  void run();
  void stop() { stop_.store(true); }

  // One tick that begins at `now`, so late.
  void tick(Nanoseconds now, Nanoseconds lateness);

 private:
  void gather(Nanoseconds now, Nanoseconds lateness);
  void deliver(Nanoseconds now, const Output& output);
  // False if there was nothing to tell, or no room.
  bool put_letter(Nanoseconds now, const Output& output);
  void put_reports(const Output& output);
  void answer(const Output& output);
  void measure_rate(Nanoseconds now);
  [[nodiscard]] Nanoseconds status_period() const;

  Kernel& kernel_;
  LoopOptions options_;
  Inbox& inbox_;
  Outbox& outbox_;
  RecordQueue* record_;
  std::uint64_t rows_of_a_lease_;
  State state_;  // as of the last tick
  std::atomic<bool> stop_{false};
  Inputs inputs_;
  bool outbox_full_ = false;
  bool status_owed_ = false;  // one found no room
  bool loop_realtime_ = false;
  bool emitting_ = false;  // as of the last tick
  LoopHealth health_;
  Nanoseconds status_sent_ = 0;
  Nanoseconds second_began_ = 0;
  std::uint64_t ticks_in_second_ = 0;
};

}  // namespace openral::safety
