#include "estop.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMs = duo::kMillisecond;

EStopLevel level(Nanoseconds at, bool asserted, const std::string& source = "pendant") {
  return {at, FixedString<kMaxName>(source), asserted};
}

TEST(EStop, IsALevel) {
  const Times times = duo::configuration().times;
  EStop estop;
  EXPECT_EQ(Reason::kNone, estop.level(times, 0));
  EXPECT_FALSE(estop.ever_heard());
  estop.hear(level(0, true));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 0));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 100 * kMs));
  estop.hear(level(200 * kMs, false));
  EXPECT_EQ(Reason::kNone, estop.level(times, 200 * kMs));
}

TEST(EStop, SilenceOfAKnownSourceIsAsserted) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, false));
  EXPECT_EQ(Reason::kNone, estop.level(times, 500 * kMs));
  EXPECT_EQ(Reason::kEstopSilent, estop.level(times, 501 * kMs));
  EXPECT_EQ("pendant", estop.source().view());
}

TEST(EStop, EverySourceIsWatched) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, false, "pendant"));
  estop.hear(level(0, true, "ui"));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 0));
  EXPECT_EQ("ui", estop.source().view());
  // Another source cannot clear it.
  estop.hear(level(10 * kMs, false, "pendant"));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 10 * kMs));
}

TEST(EStop, APulseBetweenTwoTicksIsSeen) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, true));
  estop.hear(level(1, false));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 2));
  EXPECT_EQ(Reason::kNone, estop.level(times, 3));
}

TEST(EStop, ALostMessageCountsAsAsserted) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.lose();
  EXPECT_EQ(Reason::kEstop, estop.level(times, 0));
}

TEST(EStop, WhoseMessageWasLostIsNotNamed) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, true, "ui"));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 0));
  estop.hear(level(1, false, "ui"));
  EXPECT_EQ(Reason::kNone, estop.level(times, 1));
  estop.lose();
  EXPECT_EQ(Reason::kEstop, estop.level(times, 2));
  EXPECT_EQ("", estop.source().view());
  // One that is heard in the same tick is known.
  estop.hear(level(3, true, "pendant"));
  estop.lose();
  EXPECT_EQ(Reason::kEstop, estop.level(times, 3));
  EXPECT_EQ("pendant", estop.source().view());
}

TEST(EStop, MoreSourcesThanCanBeWatchedAreAsserted) {
  const Times times = duo::configuration().times;
  EStop estop;
  for (int i = 0; i < 16; ++i) estop.hear(level(0, false, "s" + std::to_string(i)));
  EXPECT_EQ(Reason::kNone, estop.level(times, 0));
  estop.hear(level(0, false, "one too many"));
  EXPECT_EQ(Reason::kEstopOverflow, estop.level(times, 0));
  EXPECT_EQ("one too many", estop.source().view());
}

// Two such names may be one: neither may clear the other.
TEST(EStop, ASourceWhoseNameDoesNotFitIsAssertedForGood) {
  const Times times = duo::configuration().times;
  const std::string longest(kMaxName, 'x');
  EStop estop;
  estop.hear(level(0, false, longest));
  EXPECT_EQ(Reason::kNone, estop.level(times, 0));
  estop.hear(level(0, false, longest + "a"));
  EXPECT_EQ(Reason::kEstopOverflow, estop.level(times, 0));
  estop.hear(level(1, true, longest + "a"));
  EXPECT_EQ(Reason::kEstop, estop.level(times, 1));
  estop.hear(level(2, false, longest + "b"));
  estop.hear(level(2, false, longest));
  EXPECT_EQ(Reason::kEstopOverflow, estop.level(times, 2));
}

TEST(EStop, TheSilentOneOfTwoSourcesIsNamed) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, false, "pendant"));
  estop.hear(level(0, false, "ui"));
  estop.hear(level(400 * kMs, false, "ui"));
  EXPECT_EQ(Reason::kEstopSilent, estop.level(times, 501 * kMs));
  EXPECT_EQ("pendant", estop.source().view());
}

// A message without a name is a source like any other.
TEST(EStop, ASourceWithoutANameIsWatched) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(0, false, ""));
  EXPECT_TRUE(estop.ever_heard());
  EXPECT_EQ(Reason::kEstopSilent, estop.level(times, 501 * kMs));
}

// Messages of one source may be taken in another order than they came.
TEST(EStop, AnOlderWordDoesNotShortenTheSilence) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.hear(level(100 * kMs, false));
  estop.hear(level(0, false));
  EXPECT_EQ(Reason::kNone, estop.level(times, 550 * kMs));
}

TEST(EStop, ALostMessageStartsTheCooldown) {
  const Times times = duo::configuration().times;
  EStop estop;
  estop.lose();
  EXPECT_EQ(Reason::kEstop, estop.level(times, 100 * kMs));
  EXPECT_EQ(Reason::kNone, estop.level(times, 101 * kMs));
  EXPECT_FALSE(estop.cooled_down(times, 1099 * kMs));
  EXPECT_TRUE(estop.cooled_down(times, 1100 * kMs));
}

TEST(EStop, CooldownCountsFromTheLastAssertion) {
  const Times times = duo::configuration().times;  // 1 s
  EStop estop;
  EXPECT_TRUE(estop.cooled_down(times, 0));
  estop.hear(level(0, true));
  (void)estop.level(times, 0);
  estop.hear(level(300 * kMs, true));
  (void)estop.level(times, 300 * kMs);
  estop.hear(level(400 * kMs, false));
  (void)estop.level(times, 400 * kMs);
  EXPECT_FALSE(estop.cooled_down(times, 1299 * kMs));
  EXPECT_TRUE(estop.cooled_down(times, 1300 * kMs));
}

}  // namespace
}  // namespace openral::safety
