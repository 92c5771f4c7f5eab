// How the publishing thread waits for the loop: never past what was put in, never without it.
#include "../../src/outbox.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace openral::safety {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;

TEST(Outbox, WhereNoCommandIsExpectedTheNoticeAloneWakes) {
  Outbox outbox;
  outbox.notify();
  outbox.wait();
}

TEST(Outbox, ACommandIsExpectedAtItsTickAndNotBefore) {
  Outbox outbox;
  const Nanoseconds tick = monotonic_now() + 2 * kMillisecond;
  outbox.expect(tick);
  outbox.notify();
  outbox.wait();
  EXPECT_GE(monotonic_now(), tick);
}

TEST(Outbox, EachNoticeWakesOnceWhetherExpectedOrNot) {
  Outbox outbox;
  outbox.notify();
  outbox.notify();
  outbox.expect(monotonic_now());
  outbox.wait();
  outbox.expect(0);
  outbox.wait();
}

TEST(Outbox, ATickThatBringsNothingIsSleptThrough) {
  Outbox outbox;
  const Nanoseconds tick = monotonic_now();
  const Nanoseconds filled = tick + Outbox::kWatch + 2 * kMillisecond;
  outbox.expect(tick);
  std::thread loop([&] {
    sleep_until(filled);
    outbox.notify();
  });
  outbox.wait();
  EXPECT_GE(monotonic_now(), filled);
  loop.join();
}

}  // namespace
}  // namespace openral::safety
