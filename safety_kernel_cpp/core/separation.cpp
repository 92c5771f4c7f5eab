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

void Separation::note(const SeparationLimits& limits, double distance, Nanoseconds received) {
  // Written so that a NaN is touch.
  if (!(distance >= 0) || !std::isfinite(distance)) distance = 0;
  std::size_t old = 0;
  while (old < count_ && received - readings_[old].received > limits.age_max) ++old;
  std::copy(readings_.begin() + old, readings_.begin() + count_, readings_.begin());
  count_ -= old;
  while (count_ > 0 && readings_[count_ - 1].distance >= distance) --count_;
  if (count_ == kReadings) {
    // Without room the nearer of the two stays, for as long as the newer one would have.
    readings_[count_ - 1].received = received;
    return;
  }
  readings_[count_++] = {distance, received};
}

double Separation::speed(const SeparationLimits& limits, Nanoseconds now) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (now - readings_[i].received > limits.age_max) continue;
    return separation_speed(limits, readings_[i].distance);
  }
  return separation_speed(limits, 0);
}

}  // namespace openral::safety
