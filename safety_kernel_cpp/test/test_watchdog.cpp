#include "watchdog.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMs = duo::kMillisecond;

TEST(Watchdog, ThreeLateTicksInARow) {
  const Configuration configuration = duo::configuration();
  Watchdog watchdog;
  EXPECT_FALSE(watchdog.note(configuration, 6 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 6 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 0));  // breaks the row
  EXPECT_FALSE(watchdog.note(configuration, 6 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 9 * kMs));
  EXPECT_TRUE(watchdog.note(configuration, 6 * kMs));
  EXPECT_EQ(5u, watchdog.late_ticks());
}

TEST(Watchdog, OneWakeUpAfterSeveralPeriodsIsSeveralLateTicks) {
  const Configuration configuration = duo::configuration();  // ticks of 5 ms, tolerance 5 ms
  Watchdog watchdog;
  // Due at 0 and 5 ms, both more than 5 ms late; the one due at 10 ms is exactly 5 ms late.
  EXPECT_FALSE(watchdog.note(configuration, 15 * kMs));
  EXPECT_EQ(2u, watchdog.late_ticks());
  EXPECT_FALSE(watchdog.note(configuration, 0));
  EXPECT_TRUE(watchdog.note(configuration, 15 * kMs + 1));
  EXPECT_EQ(5u, watchdog.late_ticks());
}

TEST(Watchdog, ToleranceIsInclusive) {
  const Configuration configuration = duo::configuration();  // 5 ms
  Watchdog watchdog;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(watchdog.note(configuration, 5 * kMs));
  EXPECT_EQ(0u, watchdog.late_ticks());
}

TEST(Watchdog, ATickAtItsToleranceBreaksTheRow) {
  const Configuration configuration = duo::configuration();  // 5 ms
  Watchdog watchdog;
  EXPECT_FALSE(watchdog.note(configuration, 6 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 6 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 5 * kMs));
  EXPECT_FALSE(watchdog.note(configuration, 5 * kMs + 1));
  EXPECT_FALSE(watchdog.note(configuration, 5 * kMs + 1));
  EXPECT_TRUE(watchdog.note(configuration, 5 * kMs + 1));
}

TEST(Watchdog, RowsWaitForNoLongerThanALease) {
  const auto rows = [](Nanoseconds lease, Nanoseconds late_tolerance) {
    Times times;
    times.tick = 5 * kMs;
    times.lease = lease;
    times.late_tolerance = late_tolerance;
    return rows_of_a_lease(times);
  };
  EXPECT_EQ(3u, rows(15 * kMs, 0));
  EXPECT_EQ(3u, rows(15 * kMs, 5 * kMs));
  EXPECT_EQ(3u, rows(11 * kMs, 5 * kMs));      // the third one begins within it
  EXPECT_EQ(4u, rows(15 * kMs, 5 * kMs + 1));  // a loop that may be later
  EXPECT_EQ(6u, rows(15 * kMs, 20 * kMs));
}

}  // namespace
}  // namespace openral::safety
