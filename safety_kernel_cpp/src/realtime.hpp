// The operating system's part of a time-triggered loop: clock, sleep, priority, locked memory.
#pragma once

#include "../core/capacity.hpp"

namespace openral::safety {

// CLOCK_MONOTONIC: immune to a set system clock.
[[nodiscard]] Nanoseconds monotonic_now();
// CLOCK_REALTIME, for stamps only.
[[nodiscard]] Nanoseconds system_now();

void sleep_until(Nanoseconds monotonic);

// Keeps the process' memory out of transparent huge pages: to make one, the system holds the
// address space for milliseconds, whatever the priority of who needs it meanwhile.
void refuse_huge_pages();
// Locks the process' memory. False where that is not permitted.
[[nodiscard]] bool lock_memory();
// Puts the calling thread under SCHED_FIFO. False where that is not permitted.
[[nodiscard]] bool make_realtime(int priority);
// Takes the calling thread out of it again.
void make_ordinary();
// Puts every thread that the process has now under SCHED_FIFO: those of the middleware too, since a
// message that waits behind other programs looks like one that never came. False where that is not
// permitted, or a thread is left out.
[[nodiscard]] bool make_all_threads_realtime(int priority);

}  // namespace openral::safety
