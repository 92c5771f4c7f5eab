// Behaviour 26, the self-watchdog: a tick that takes too long is noticed as one that comes too
// late.
#include "tick_schedule.hpp"

#include "duo.hpp"
#include "watchdog.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMs = duo::kMillisecond;
constexpr Nanoseconds kPeriod = 5 * kMs;

TEST(TickSchedule, ATickInTimeIsFollowedOnePeriodLater) {
  TickSchedule schedule(100 * kMs, kPeriod);
  EXPECT_EQ(100 * kMs, schedule.wake());
  EXPECT_EQ(0, schedule.begin(100 * kMs));
  schedule.end(101 * kMs);
  EXPECT_EQ(105 * kMs, schedule.wake());
  EXPECT_EQ(kMs, schedule.begin(106 * kMs));
  schedule.end(107 * kMs);
  EXPECT_EQ(110 * kMs, schedule.wake());
  EXPECT_EQ(0, schedule.begin(110 * kMs));
}

// It ends at 12: the tick due at 5 is 7 ms late, and stands for the one due at 10 too.
TEST(TickSchedule, AnOverrunMakesTheNextTickLate) {
  TickSchedule schedule(0, kPeriod);
  EXPECT_EQ(0, schedule.begin(0));
  schedule.end(12 * kMs);
  EXPECT_EQ(10 * kMs, schedule.wake());
  EXPECT_EQ(7 * kMs, schedule.begin(12 * kMs));
  // Told once, it is over.
  schedule.end(13 * kMs);
  EXPECT_EQ(15 * kMs, schedule.wake());
  EXPECT_EQ(0, schedule.begin(15 * kMs));
}

// The wake-up of 0 comes at 17 and stands for what was due at 5, 10 and 15; the last of them begins
// at once, 3 ms late.
TEST(TickSchedule, ALateWakeUpIsToldOnce) {
  TickSchedule schedule(0, kPeriod);
  EXPECT_EQ(17 * kMs, schedule.begin(17 * kMs));
  schedule.end(18 * kMs);
  EXPECT_EQ(15 * kMs, schedule.wake());
  EXPECT_EQ(3 * kMs, schedule.begin(18 * kMs));
}

// It begins at 17 and ends at 31: of what was due since, 20 is the first.
TEST(TickSchedule, ALateTickThatTakesTooLongIsToldTwice) {
  for (const Nanoseconds first : {Nanoseconds{0}, 100 * kMs}) {
    TickSchedule schedule(first, kPeriod);
    EXPECT_EQ(17 * kMs, schedule.begin(first + 17 * kMs));
    schedule.end(first + 31 * kMs);
    EXPECT_EQ(first + 30 * kMs, schedule.wake());
    EXPECT_EQ(11 * kMs, schedule.begin(first + 31 * kMs));
  }
}

// Late ticks after one tick that took so long.
std::uint64_t late_after(Nanoseconds took) {
  const Configuration configuration = duo::configuration();  // ticks of 5 ms, tolerance 5 ms
  TickSchedule schedule(0, kPeriod);
  Watchdog watchdog;
  (void)watchdog.note(configuration, schedule.begin(0));
  schedule.end(took);
  (void)watchdog.note(configuration, schedule.begin(std::max(took, schedule.wake())));
  return watchdog.late_ticks();
}

TEST(TickSchedule, TheWatchdogCountsTheTicksThatAnOverrunMadeLate) {
  EXPECT_EQ(0u, late_after(4 * kMs));
  EXPECT_EQ(0u, late_after(10 * kMs));  // the tick due at 5 is 5 ms late: tolerated
  EXPECT_EQ(1u, late_after(12 * kMs));
  // Due at 5, 10, 15, 20 and 25; at 30 the last is 5 ms late.
  EXPECT_EQ(4u, late_after(30 * kMs));
  EXPECT_EQ(5u, late_after(30 * kMs + 1));
}

TEST(TickSchedule, TwoTicksOfThirtyMillisecondsAreTooManyLateOnes) {
  const Configuration configuration = duo::configuration();
  TickSchedule schedule(0, kPeriod);
  Watchdog watchdog;
  EXPECT_FALSE(watchdog.note(configuration, schedule.begin(0)));
  schedule.end(30 * kMs);
  EXPECT_TRUE(watchdog.note(configuration, schedule.begin(30 * kMs)));
  schedule.end(60 * kMs);
  EXPECT_TRUE(watchdog.note(configuration, schedule.begin(60 * kMs)));
}

}  // namespace
}  // namespace openral::safety
