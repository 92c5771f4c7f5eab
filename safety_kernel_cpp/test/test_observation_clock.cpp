#include "observation_clock.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMs = duo::kMillisecond;
constexpr Nanoseconds kRobotEpoch = 1'700'000'000'000 * kMs;

class ObservationClockTest : public testing::Test {
 protected:
  // Joint states every 10 ms up to `now`, received as they are stamped.
  void fill(Nanoseconds until) {
    for (; now_ + 10 * kMs <= until;) {
      now_ += 10 * kMs;
      clock_.note(now_ + offset_, now_);
    }
  }
  [[nodiscard]] Reason at(Nanoseconds stamp) {
    return clock_.locate(times_, now_, stamp, arrived_).reason;
  }

  const Times times_ = duo::configuration().times;
  ObservationClock clock_;
  Nanoseconds offset_ = kRobotEpoch;
  Nanoseconds now_ = 0;
  Nanoseconds arrived_ = 0;
};

TEST_F(ObservationClockTest, AgeIsThatOfTheJointStateOfTheStamp) {
  fill(1000 * kMs);
  EXPECT_EQ(Reason::kNone, at(offset_ + 950 * kMs));
  EXPECT_EQ(950 * kMs, arrived_);
  EXPECT_EQ(Reason::kNone, at(offset_ + 900 * kMs));  // 100 ms old: the limit
  EXPECT_EQ(Reason::kObservationStale, at(offset_ + 890 * kMs));
  EXPECT_EQ(Reason::kObservationStale, at(offset_ - 5000 * kMs));
  EXPECT_EQ(Reason::kObservationStale, at(0));
}

TEST_F(ObservationClockTest, BetweenTwoJointStatesTheEarlierCounts) {
  fill(1000 * kMs);
  EXPECT_EQ(Reason::kNone, at(offset_ + 957 * kMs));
  EXPECT_EQ(950 * kMs, arrived_);
}

// Behaviour 9: more than 20 ms in the future is refused.
TEST_F(ObservationClockTest, FutureStampsAreRefused) {
  fill(1000 * kMs);
  EXPECT_EQ(Reason::kNone, at(offset_ + 1020 * kMs));
  EXPECT_EQ(Reason::kObservationFuture, at(offset_ + 1020 * kMs + 1));
  EXPECT_EQ(Reason::kObservationFuture, at(offset_ + 3600'000 * kMs));
  // 4 ms after the newest joint state, the robot's clock may have gone on by as much.
  now_ += 4 * kMs;
  EXPECT_EQ(Reason::kNone, at(offset_ + 1024 * kMs));
}

// Behaviour 10: the robot's clock jumps by an hour, in either direction.
TEST_F(ObservationClockTest, ClockJumpShiftsNoAge) {
  for (const Nanoseconds jump : {3'600'000 * kMs, -3'600'000 * kMs}) {
    fill(now_ + 1000 * kMs);
    const Nanoseconds before = now_ + offset_;
    offset_ += jump;
    fill(now_ + 20 * kMs);
    EXPECT_EQ(Reason::kNone, at(before));
    EXPECT_EQ(now_ - 20 * kMs, arrived_);
    EXPECT_EQ(Reason::kNone, at(now_ + offset_));
    EXPECT_EQ(now_, arrived_);
    EXPECT_EQ(Reason::kObservationStale, at(before - 100 * kMs));
  }
}

TEST_F(ObservationClockTest, NothingIsKnownBeforeTheFirstJointState) {
  EXPECT_EQ(Reason::kObservationStale, at(kRobotEpoch));
}

TEST_F(ObservationClockTest, AFloodKeepsTheHistory) {
  // 10 kHz for a second: 100 ms ago is still known.
  for (int i = 0; i < 10000; ++i) {
    now_ += kMs / 10;
    clock_.note(now_ + offset_, now_);
  }
  EXPECT_EQ(Reason::kNone, at(now_ + offset_ - 99 * kMs));
  EXPECT_EQ(Reason::kObservationStale, at(now_ + offset_ - 102 * kMs));
}

TEST_F(ObservationClockTest, StampsAtTheEndsOfTimeDoNotOverflow) {
  fill(100 * kMs);
  EXPECT_NE(Reason::kNone, at(std::numeric_limits<Nanoseconds>::max()));
  EXPECT_NE(Reason::kNone, at(std::numeric_limits<Nanoseconds>::min()));
}

TEST_F(ObservationClockTest, TheEarliestStampOfAllIsStaleByItsAge) {
  clock_.note(0, now_);
  const Finding finding =
      clock_.locate(times_, now_, std::numeric_limits<Nanoseconds>::min(), arrived_);
  EXPECT_EQ(Reason::kObservationStale, finding.reason);
  EXPECT_NEAR(9223372036.854776, finding.value, 1e-5);  // 2^63 ns
}

// Half a millisecond after the newest: its stamp is taken over, its time of arrival stays.
TEST_F(ObservationClockTest, WhatComesWithinTheSpacingIsTheNewestToo) {
  clock_.note(offset_ + 10 * kMs, 10 * kMs);
  now_ = 10 * kMs + kMs / 2;
  clock_.note(offset_ + 3'600'000 * kMs, now_);
  EXPECT_EQ(Reason::kNone, at(offset_ + 3'600'000 * kMs));
  EXPECT_EQ(10 * kMs, arrived_);
}

TEST_F(ObservationClockTest, AJointStateStandsForWhatIsStampedUntilItIsTooOld) {
  clock_.note(offset_, 0);
  now_ = 50 * kMs;  // joint_state.age_max
  EXPECT_EQ(Reason::kNone, at(offset_ + 50 * kMs));
  EXPECT_EQ(0, arrived_);
  EXPECT_EQ(Reason::kObservationFuture, at(offset_ + 50 * kMs + 1));
}

TEST_F(ObservationClockTest, OnlyWhatWasNotedIsKnown) {
  now_ = 50 * kMs;
  clock_.note(offset_, now_);
  EXPECT_EQ(Reason::kObservationStale, at(10 * kMs));
}

// From the last stamp of all to the first it is no nanosecond.
TEST_F(ObservationClockTest, TheEndsOfTimeDoNotMeet) {
  clock_.note(std::numeric_limits<Nanoseconds>::max(), now_);
  EXPECT_EQ(Reason::kObservationStale, at(std::numeric_limits<Nanoseconds>::min()));
}

// Two joint states within a millisecond share an entry, whose time of arrival is the first one's.
// The second one's stamp is no reason to look further ahead: 20.5 ms are more than 20.
TEST_F(ObservationClockTest, AFloodLooksNoFurtherAhead) {
  clock_.note(offset_, 0);
  now_ = 9 * kMs / 10;
  clock_.note(offset_ + now_, now_);
  EXPECT_EQ(Reason::kNone, at(offset_ + now_ + 20 * kMs));
  EXPECT_EQ(Reason::kObservationFuture, at(offset_ + now_ + 20 * kMs + kMs / 2));
}

}  // namespace
}  // namespace openral::safety
