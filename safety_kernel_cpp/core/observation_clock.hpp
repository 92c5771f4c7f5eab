// Ages of observations, without ever reading the robot's clock.
#pragma once

#include <array>

#include "capacity.hpp"
#include "configuration.hpp"
#include "reason.hpp"

namespace openral::safety {

// Remembers when (monotonic) the joint state of which stamp arrived. A chunk names the stamp of the
// joint state that it was computed from; the age of that joint state is then known however the
// robot's clock jumps or stands.
class ObservationClock {
 public:
  void note(Nanoseconds stamp, Nanoseconds received);

  // Monotonic time at which the observation arrived, in `arrived`; refuses stamps that are not near
  // any joint state.
  [[nodiscard]] Finding locate(const Times& times, Nanoseconds now, Nanoseconds stamp,
                               Nanoseconds& arrived) const;

 private:
  // With one entry a millisecond at most, 512 entries cover half a second of any sensor rate.
  static constexpr std::size_t kEntries = 512;
  static constexpr Nanoseconds kSpacing = 1'000'000;
  struct Entry {
    Nanoseconds stamp = 0;
    Nanoseconds received = 0;
  };
  std::array<Entry, kEntries> entries_{};
  Nanoseconds heard_ = 0;  // when the newest stamp came
  std::size_t size_ = 0;
  std::size_t next_ = 0;
};

}  // namespace openral::safety
