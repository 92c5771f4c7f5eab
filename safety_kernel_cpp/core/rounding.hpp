// Comparison of computed rates with their limits.
#pragma once

namespace openral::safety {

// Differences of positions of order 1, over a dt of order 0.01, carry about 1e-13 of rounding. A
// motion planned exactly at a limit must not depend on it, so a rate exceeds its limit from 1e-9 of
// it on. NaN exceeds.
[[nodiscard]] constexpr bool exceeds(double value, double limit) {
  return !(value <= limit * (1 + 1e-9));
}

}  // namespace openral::safety
