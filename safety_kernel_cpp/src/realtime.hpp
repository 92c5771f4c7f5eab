// The operating system's part of a time-triggered loop: clock, sleep, priority, locked memory.
#pragma once

#include "../core/capacity.hpp"

namespace openral::safety {

// CLOCK_MONOTONIC: immune to a set system clock.
[[nodiscard]] Nanoseconds monotonic_now();
// CLOCK_REALTIME, for stamps only.
[[nodiscard]] Nanoseconds system_now();

void sleep_until(Nanoseconds monotonic);

// Locks the process' memory. False where that is not permitted.
[[nodiscard]] bool lock_memory();
// Puts the calling thread under SCHED_FIFO. False where that is not permitted.
[[nodiscard]] bool make_realtime(int priority);

}  // namespace openral::safety
