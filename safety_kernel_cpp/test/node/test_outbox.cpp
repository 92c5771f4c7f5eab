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

TEST(Outbox, WhatIsThereIsNotKeptUntilTheTickThatIsExpected) {
  Outbox outbox;
  const Nanoseconds tick = monotonic_now() + 60'000 * kMillisecond;
  outbox.expect(tick);
  outbox.notify();
  outbox.wait();
  EXPECT_LT(monotonic_now(), tick);
}

void put(Outbox& outbox, Nanoseconds tick) {
  Letter* const letter = outbox.letters.back();
  ASSERT_NE(nullptr, letter);
  letter->tick = tick;
  outbox.letters.push();
}

TEST(Outbox, TheOldestLetterTellsHowLongOnesWait) {
  Outbox outbox;
  EXPECT_EQ(0, outbox.waiting(100));
  put(outbox, 100);
  put(outbox, 105);
  EXPECT_EQ(10, outbox.waiting(110));
  outbox.letters.pop();
  EXPECT_EQ(5, outbox.waiting(110));
  outbox.letters.pop();
  EXPECT_EQ(0, outbox.waiting(110));
}

TEST(Outbox, WhatTheLoopHasRevokedIsNotInForce) {
  Outbox outbox;
  Letter letter;
  letter.tick = 100;
  EXPECT_TRUE(outbox.in_force(letter));
  outbox.revoke(105);
  EXPECT_FALSE(outbox.in_force(letter));
  letter.tick = 105;
  EXPECT_TRUE(outbox.in_force(letter));
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
