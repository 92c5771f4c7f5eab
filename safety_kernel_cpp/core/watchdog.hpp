// Watches the loop itself: ticks that come too late.
#pragma once

#include <algorithm>
#include <cstdint>

#include "capacity.hpp"
#include "configuration.hpp"

namespace openral::safety {

class Watchdog {
 public:
  // `lateness`: wake-up minus schedule. True once too many consecutive ticks were late.
  [[nodiscard]] bool note(const Configuration& configuration, Nanoseconds lateness) {
    if (lateness <= configuration.times.late_tolerance) {
      consecutive_ = 0;
      return false;
    }
    ++late_ticks_;
    ++consecutive_;
    worst_ = std::max(worst_, lateness);
    return consecutive_ >= configuration.late_ticks_max;
  }
  [[nodiscard]] std::uint64_t late_ticks() const { return late_ticks_; }
  [[nodiscard]] Nanoseconds worst() const { return worst_; }

 private:
  std::uint64_t late_ticks_ = 0;
  std::size_t consecutive_ = 0;
  Nanoseconds worst_ = 0;
};

}  // namespace openral::safety
