// Watches the loop itself: ticks that come too late, and rows that do not leave.
#pragma once

#include <algorithm>
#include <cstdint>

#include "capacity.hpp"
#include "configuration.hpp"

namespace openral::safety {

// How many rows may wait to be sent: those of a lease. Where a loop may be late by more than a
// tick, so may its rows.
[[nodiscard]] inline std::uint64_t rows_of_a_lease(const Times& times) {
  const Nanoseconds lasts =
      times.lease + std::max<Nanoseconds>(times.late_tolerance - times.tick, 0);
  return static_cast<std::uint64_t>((lasts + times.tick - 1) / times.tick);
}

class Watchdog {
 public:
  // `lateness`: wake-up minus schedule. True once too many consecutive ticks were late. A wake-up
  // after several periods stands for all the ticks that were due meanwhile: the robot has stopped
  // by itself, and is not where it was commanded last.
  [[nodiscard]] bool note(const Configuration& configuration, Nanoseconds lateness) {
    const Nanoseconds beyond = lateness - configuration.times.late_tolerance;
    if (beyond <= 0) {
      consecutive_ = 0;
      return false;
    }
    const Nanoseconds period = configuration.times.tick;
    const auto late = static_cast<std::size_t>((beyond + period - 1) / period);
    late_ticks_ += late;
    consecutive_ += late;
    return consecutive_ >= configuration.late_ticks_max;
  }
  [[nodiscard]] std::uint64_t late_ticks() const { return late_ticks_; }

 private:
  std::uint64_t late_ticks_ = 0;
  std::size_t consecutive_ = 0;
};

}  // namespace openral::safety
