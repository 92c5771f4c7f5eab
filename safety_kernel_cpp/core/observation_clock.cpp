#include "observation_clock.hpp"

namespace openral::safety {
namespace {

// Stamps come off a wire: their difference may overflow.
[[nodiscard]] bool minus(Nanoseconds a, Nanoseconds b, Nanoseconds& difference) {
  return !__builtin_sub_overflow(a, b, &difference);
}

}  // namespace

void ObservationClock::note(Nanoseconds stamp, Nanoseconds received) {
  heard_ = received;
  if (size_ > 0) {
    Entry& newest = entries_[(next_ + kEntries - 1) % kEntries];
    // A flood must not push the history out: what comes within the spacing replaces the newest
    // entry, and keeps its older time of arrival.
    if (received - newest.received < kSpacing) {
      newest.stamp = stamp;
      return;
    }
  }
  entries_[next_] = {stamp, received};
  next_ = (next_ + 1) % kEntries;
  if (size_ < kEntries) ++size_;
}

Finding ObservationClock::locate(const Times& times, Nanoseconds now, Nanoseconds stamp,
                                 Nanoseconds& arrived) const {
  const double limit = static_cast<double>(times.observation_age_max) / kSecond;
  if (size_ == 0) return {Reason::kObservationStale, -1, -1, kNoValue, limit};
  // Newest first: after the robot's clock was set back, a stamp may be near an old entry too.
  for (std::size_t i = 0; i < size_; ++i) {
    const Entry& entry = entries_[(next_ + 2 * kEntries - 1 - i) % kEntries];
    Nanoseconds ahead = 0;
    if (!minus(stamp, entry.stamp, ahead)) continue;
    // A stamp between two joint states (another sensor's) counts as the earlier one.
    if (ahead < 0 || ahead > times.joint_state_age_max) continue;
    Nanoseconds allowed = times.observation_future_max;
    // From when the newest stamp itself came, which may be later than its entry's time of arrival.
    if (i == 0) allowed += now - heard_;
    if (i == 0 && ahead > allowed) {
      return {Reason::kObservationFuture, -1, -1, static_cast<double>(ahead - allowed) / kSecond,
              static_cast<double>(times.observation_future_max) / kSecond};
    }
    const Nanoseconds age = now - entry.received;
    arrived = entry.received;
    if (age > times.observation_age_max) {
      return {Reason::kObservationStale, -1, -1, static_cast<double>(age) / kSecond, limit};
    }
    return {};
  }
  const Entry& newest = entries_[(next_ + kEntries - 1) % kEntries];
  const double ahead = (static_cast<double>(stamp) - static_cast<double>(newest.stamp)) / kSecond;
  if (stamp > newest.stamp) {
    return {Reason::kObservationFuture, -1, -1, ahead,
            static_cast<double>(times.observation_future_max) / kSecond};
  }
  return {Reason::kObservationStale, -1, -1, -ahead, limit};
}

}  // namespace openral::safety
