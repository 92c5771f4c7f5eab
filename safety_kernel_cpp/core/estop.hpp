// The emergency stop: a level with heartbeat per source. Silence is asserted.
#pragma once

#include <array>

#include "capacity.hpp"
#include "configuration.hpp"
#include "fixed.hpp"
#include "reason.hpp"

namespace openral::safety {

struct EStopLevel {
  Nanoseconds received = 0;  // monotonic
  FixedString<kMaxName> source;
  bool asserted = false;
};

class EStop {
 public:
  // A source once heard is watched until the kernel ends: only its own word clears it.
  void hear(const EStopLevel& level);
  // An input was lost, which may have been an assertion, nobody knows whose.
  void lose() {
    if (!lost_) source_ = {};
    lost_ = true;
  }

  // kNone, kEstop (asserted), kEstopSilent (a heartbeat is missing) or kEstopOverflow. To be called
  // every tick: it notes the last time of assertion.
  [[nodiscard]] Reason level(const Times& times, Nanoseconds now);

  [[nodiscard]] bool ever_heard() const { return count_ > 0; }
  // The source that the last asserted level came from; empty where that is not known.
  [[nodiscard]] const FixedString<kMaxName>& source() const { return source_; }
  [[nodiscard]] bool cooled_down(const Times& times, Nanoseconds now) const {
    return !ever_asserted_ || now - last_asserted_ >= times.estop_cooldown;
  }

 private:
  static constexpr std::size_t kSources = 16;
  std::array<EStopLevel, kSources> sources_{};
  std::size_t count_ = 0;
  // More sources than can be watched, or one whose name is too long to be told from another:
  // asserted for good.
  bool overflow_ = false;
  bool lost_ = false;
  bool ever_asserted_ = false;
  Nanoseconds last_asserted_ = 0;
  FixedString<kMaxName> source_;
};

}  // namespace openral::safety
