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

TEST(Outbox, RowsAreUnsentUntilTheyAreDealtWith) {
  Outbox outbox;
  EXPECT_EQ(0u, outbox.unsent());
  outbox.count_row();
  outbox.count_row();
  EXPECT_EQ(2u, outbox.unsent());
  outbox.deal();
  EXPECT_EQ(1u, outbox.unsent());
  outbox.deal();
  EXPECT_EQ(0u, outbox.unsent());
}

TEST(Outbox, ALeaseBeginsWithTheTick) {
  const Outbox outbox;
  Letter letter;
  letter.tick = 100;
  EXPECT_EQ(15, outbox.left(letter, 100, 15));
  EXPECT_EQ(3, outbox.left(letter, 112, 15));
  EXPECT_LE(outbox.left(letter, 115, 15), 0);
  EXPECT_LE(outbox.left(letter, 300, 15), 0);
  EXPECT_EQ(15, outbox.left(letter, 99, 15));  // never more than the whole
}

TEST(Outbox, OfWhatTheLoopHasRevokedNothingIsLeft) {
  Outbox outbox;
  Letter letter;
  letter.tick = 100;
  outbox.revoke(105);
  EXPECT_LE(outbox.left(letter, 106, 15), 0);
  letter.tick = 105;
  EXPECT_EQ(14, outbox.left(letter, 106, 15));
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
