#include "realtime.hpp"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include <cerrno>
#include <cstdlib>

namespace openral::safety {
namespace {

constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

Nanoseconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * kNanosecondsPerSecond + time.tv_nsec;
}

}  // namespace

Nanoseconds monotonic_now() { return read(CLOCK_MONOTONIC); }
Nanoseconds system_now() { return read(CLOCK_REALTIME); }

void sleep_until(Nanoseconds monotonic) {
  timespec time{};
  time.tv_sec = monotonic / kNanosecondsPerSecond;
  time.tv_nsec = monotonic % kNanosecondsPerSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

void refuse_huge_pages() { (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

bool lock_memory() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return true;
  // Half a lock would let a later allocation fail.
  munlockall();
  return false;
}

bool make_realtime(int priority) {
  sched_param parameter{};
  parameter.sched_priority = priority;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0;
}

void make_ordinary() {
  const sched_param parameter{};
  (void)pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter);
}

bool make_all_threads_realtime(int priority) {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  sched_param parameter{};
  parameter.sched_priority = priority;
  bool all = true;
  while (const dirent* task = readdir(tasks)) {
    const auto thread = static_cast<pid_t>(std::strtol(task->d_name, nullptr, 10));
    if (thread > 0) all = sched_setscheduler(thread, SCHED_FIFO, &parameter) == 0 && all;
  }
  closedir(tasks);
  return all;
}

}  // namespace openral::safety
