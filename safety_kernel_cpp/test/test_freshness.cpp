#include "freshness.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMs = duo::kMillisecond;

TEST(Freshness, ChunkAge) {
  const Configuration configuration = duo::configuration();
  Freshness freshness;
  freshness.note_admitted(0, 7, 0);
  EXPECT_TRUE(freshness.check(configuration, 80 * kMs).ok());
  const Finding finding = freshness.check(configuration, 81 * kMs);
  EXPECT_EQ(Reason::kChunkStale, finding.reason);
  EXPECT_DOUBLE_EQ(0.081, finding.value);
  EXPECT_DOUBLE_EQ(0.08, finding.limit);
}

TEST(Freshness, ObservationAge) {
  const Configuration configuration = duo::configuration();
  Freshness freshness;
  freshness.note_admitted(40 * kMs, 7, 0);
  EXPECT_TRUE(freshness.check(configuration, 100 * kMs).ok());
  EXPECT_EQ(Reason::kObservationStale, freshness.check(configuration, 101 * kMs).reason);
}

// Behaviour 12: with chunks that repeat the stamp, ten ticks are the end.
TEST(Freshness, FrozenStampStopsInTenTicks) {
  const Configuration configuration = duo::configuration();
  Freshness freshness;
  freshness.note_admitted(0, 7, 0);
  int tick = 1;
  for (; tick < 20; ++tick) {
    if (tick == 5) freshness.note_admitted(tick * duo::kTick, 7, 0);
    if (!freshness.check(configuration, tick * duo::kTick).ok()) break;
  }
  EXPECT_EQ(10, tick);
}

TEST(Freshness, ASlowPublisherIsNotFrozen) {
  const Configuration configuration = duo::configuration();
  Freshness freshness;
  freshness.note_admitted(0, 7, 0);
  // Nothing arrives for 14 ticks: the chunk's age decides, not the stamp.
  for (int tick = 1; tick <= 14; ++tick) {
    EXPECT_TRUE(freshness.check(configuration, tick * duo::kTick).ok());
  }
  freshness.note_admitted(70 * kMs, 8, 70 * kMs);
  EXPECT_TRUE(freshness.check(configuration, 75 * kMs).ok());
}

}  // namespace
}  // namespace openral::safety
