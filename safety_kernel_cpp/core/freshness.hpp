// Is what keeps a timeline alive still coming, and is it still new?
#pragma once

#include "capacity.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Ages of the chunk and of the observation behind it, both on the monotonic clock. A publisher
// whose messages arrive while its observations stand still is as dead as a silent one.
class Freshness {
 public:
  // A chunk was admitted that was received and whose observation had arrived at these times.
  void note_admitted(Nanoseconds received, Nanoseconds stamp, Nanoseconds observed) {
    received_ = received;
    observed_ = observed;
    if (known_ && stamp == stamp_) {
      repeated_ = true;
      return;
    }
    known_ = true;
    stamp_ = stamp;
    repeated_ = false;
    ticks_ = 0;
  }
  // A chunk arrived again: its maker runs, its observations may not.
  void note_repeated(Nanoseconds stamp) {
    if (known_ && stamp == stamp_) repeated_ = true;
  }
  void forget() { *this = Freshness{}; }

  // To be called once a tick while a timeline is played.
  [[nodiscard]] Finding check(const Configuration& configuration, Nanoseconds now) {
    const Times& times = configuration.times;
    ++ticks_;
    if (now - received_ > times.chunk_age_max) {
      return {Reason::kChunkStale, -1, -1, static_cast<double>(now - received_) / kSecond,
              static_cast<double>(times.chunk_age_max) / kSecond};
    }
    if (repeated_ && ticks_ >= configuration.frozen_ticks_max) {
      return {Reason::kObservationFrozen, -1, -1, static_cast<double>(ticks_),
              static_cast<double>(configuration.frozen_ticks_max)};
    }
    if (now - observed_ > times.observation_age_max) {
      return {Reason::kObservationStale, -1, -1, static_cast<double>(now - observed_) / kSecond,
              static_cast<double>(times.observation_age_max) / kSecond};
    }
    return {};
  }

 private:
  Nanoseconds received_ = 0;
  Nanoseconds observed_ = 0;
  Nanoseconds stamp_ = 0;
  bool known_ = false;
  bool repeated_ = false;
  std::size_t ticks_ = 0;  // since the observation stamp last changed
};

}  // namespace openral::safety
