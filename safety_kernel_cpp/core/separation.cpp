#include "separation.hpp"

#include <algorithm>
#include <cmath>

namespace openral::safety {

double separation_speed(const SeparationLimits& limits, double distance) {
  const double room = distance - limits.margin - limits.human_speed * limits.reaction;
  // Written so that a NaN stands still.
  if (!(room > 0) || !std::isfinite(room)) return 0;
  const double b = limits.deceleration * limits.reaction + limits.human_speed;
  return -b + std::sqrt(b * b + 2 * limits.deceleration * room);
}

// Where all places are taken, the stamp is forgotten that was not heard for longest.
Nanoseconds Separation::first_heard(Nanoseconds stamp, Nanoseconds received) {
  for (std::size_t i = 0; i < stamp_count_; ++i) {
    if (stamps_[i].stamp != stamp) continue;
    stamps_[i].last = received;
    return stamps_[i].first;
  }
  Stamp* const place = stamp_count_ < kStamps
                           ? &stamps_[stamp_count_++]
                           : std::min_element(
                                 stamps_.begin(), stamps_.end(),
                                 [](const Stamp& a, const Stamp& b) { return a.last < b.last; });
  *place = {stamp, received, received};
  return received;
}

void Separation::note(const SeparationLimits& limits, double distance, Nanoseconds stamp,
                      Nanoseconds received) {
  // Written so that a NaN is touch.
  if (!(distance >= 0) || !std::isfinite(distance)) distance = 0;
  const Nanoseconds measured = first_heard(stamp, received);
  if (received - measured > limits.age_max) return;
  std::size_t old = 0;
  while (old < count_ && received - readings_[old].received > limits.age_max) ++old;
  std::copy(readings_.begin() + old, readings_.begin() + count_, readings_.begin());
  count_ -= old;
  // What was measured later and is no further makes it idle, as it does those before it.
  std::size_t later = count_;
  while (later > 0 && readings_[later - 1].received > measured) --later;
  if (later < count_ && readings_[later].distance <= distance) return;
  std::size_t place = later;
  while (place > 0 && readings_[place - 1].distance >= distance) --place;
  std::copy(readings_.begin() + later, readings_.begin() + count_, readings_.begin() + place);
  count_ -= later - place;
  if (count_ == kReadings) {
    // Without room the nearer of two neighbours stays, for as long as the other one would have.
    if (place > 0) {
      readings_[place - 1].received = measured;
    } else {
      readings_[0].distance = distance;
    }
    return;
  }
  std::copy_backward(readings_.begin() + place, readings_.begin() + count_,
                     readings_.begin() + count_ + 1);
  readings_[place] = {distance, measured};
  ++count_;
}

double Separation::speed(const SeparationLimits& limits, Nanoseconds now) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (now - readings_[i].received > limits.age_max) continue;
    return separation_speed(limits, readings_[i].distance);
  }
  return separation_speed(limits, 0);
}

}  // namespace openral::safety
