#include "separation.hpp"

#include <cmath>

namespace openral::safety {

double separation_speed(const SeparationLimits& limits, double distance) {
  const double room = distance - limits.margin - limits.human_speed * limits.reaction;
  // Written so that a NaN stands still.
  if (!(room > 0) || !std::isfinite(room)) return 0;
  const double b = limits.deceleration * limits.reaction + limits.human_speed;
  return -b + std::sqrt(b * b + 2 * limits.deceleration * room);
}

}  // namespace openral::safety
