// When the loop's ticks are due, and how late each begins.
//
//   TickSchedule schedule(first, period);
//   sleep_until(schedule.wake());
//   tick(schedule.begin(now));
//   schedule.end(now_after_the_tick);
#pragma once

#include <algorithm>

#include "capacity.hpp"

namespace openral::safety {

class TickSchedule {
 public:
  TickSchedule(Nanoseconds first, Nanoseconds period)
      : period_(period), due_(first), wake_(first) {}

  // When the next tick begins.
  [[nodiscard]] Nanoseconds wake() const { return wake_; }

  // A tick begins. Returns its lateness, counted from the first tick that was due since the last
  // one began: what a tick that takes too long keeps from beginning is as late as what oversleeps.
  [[nodiscard]] Nanoseconds begin(Nanoseconds now) {
    next_ = wake_ + period_ * (now > wake_ ? (now - wake_) / period_ + 1 : 1);
    return now - due_;
  }

  // The tick has ended. Of those that were due meanwhile only the last one begins, at once: a burst
  // of them would play rows too fast.
  void end(Nanoseconds now) {
    wake_ += period_;
    if (now > wake_) wake_ += (now - wake_) / period_ * period_;
    // A tick that began late has told of those that were due before it.
    due_ = std::min(wake_, next_);
  }

 private:
  Nanoseconds period_;
  Nanoseconds due_;  // what the next tick's lateness is counted from
  Nanoseconds wake_;
  Nanoseconds next_ = 0;  // the first moment after the last tick's begin at which one was due
};

}  // namespace openral::safety
