#include "estop.hpp"

#include <algorithm>

namespace openral::safety {

void EStop::hear(const EStopLevel& level) {
  // An assertion counts even if the same source clears it before the next tick.
  if (level.asserted) {
    lost_ = true;
    source_ = level.source;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (sources_[i].source == level.source) {
      sources_[i].received = std::max(sources_[i].received, level.received);
      sources_[i].asserted = level.asserted;
      return;
    }
  }
  if (count_ == kSources || level.source.cut()) {
    overflow_ = true;
    source_ = level.source;
    return;
  }
  sources_[count_++] = level;
}

Reason EStop::level(const Times& times, Nanoseconds now) {
  Reason reason = Reason::kNone;
  if (lost_) reason = Reason::kEstop;
  lost_ = false;
  for (std::size_t i = 0; i < count_ && reason == Reason::kNone; ++i) {
    if (sources_[i].asserted) {
      reason = Reason::kEstop;
    } else if (now - sources_[i].received > times.estop_heartbeat) {
      reason = Reason::kEstopSilent;
    }
    if (reason != Reason::kNone) source_ = sources_[i].source;
  }
  if (reason == Reason::kNone && overflow_) reason = Reason::kEstopOverflow;
  if (reason != Reason::kNone) {
    ever_asserted_ = true;
    last_asserted_ = now;
  }
  return reason;
}

}  // namespace openral::safety
