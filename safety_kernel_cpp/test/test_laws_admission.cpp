// Laws of the checks, over random chunks.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "admission.hpp"
#include "braking.hpp"
#include "estop.hpp"
#include "law.hpp"
#include "observation_clock.hpp"
#include "reference_checker.hpp"
#include "splice.hpp"
#include "timeline.hpp"
#include "viability.hpp"

namespace openral::safety {
namespace {

using duo::Random;

Finding check(const Configuration& configuration, const Chunk& chunk) {
  if (Finding finding = check_shape(configuration, chunk); !finding.ok()) return finding;
  return check_rows(configuration, chunk, columns_of(configuration, ControlMode::kJointPosition),
                    {0, 0, 0.04});
}

template <typename Law>
void for_all(const char* name, Law&& law) {
  duo::for_all(name, [&](const duo::Case& c) {
    Random random = c.random();
    law(random);
  });
}

TEST(AdmissionLaw, AgreesWithTheReferenceChecker) {
  const Configuration configuration = duo::configuration();
  int admitted = 0;
  int refused = 0;
  for_all("agrees_with_the_reference", [&](Random& random) {
    const auto chunk = random.any_chunk();
    const bool ok = check(configuration, *chunk).ok();
    const auto verdict = reference::Checker(configuration, *chunk).check();
    if (verdict == reference::Verdict::kOnTheLimit) return;
    EXPECT_EQ(ok, verdict == reference::Verdict::kAdmissible);
    ++(ok ? admitted : refused);
  });
  // A generator that made only good or only bad chunks would prove nothing.
  EXPECT_GT(admitted, duo::law_cases() / 20);
  EXPECT_GT(refused, duo::law_cases() / 20);
}

TEST(AdmissionLaw, TighteningALimitNeverAdmitsMore) {
  const Configuration loose = duo::configuration();
  for_all("tightening_never_admits_more", [&](Random& random) {
    const auto chunk = random.any_chunk();
    Configuration tight = loose;
    JointLimits& limits = tight.limits[static_cast<std::size_t>(random.whole(0, 2))];
    const double factor = random.real(0.1, 1);
    switch (random.whole(0, 6)) {
      case 0:
        limits.position_max -= (limits.position_max - limits.position_min) * (1 - factor);
        break;
      case 1:
        limits.position_min += (limits.position_max - limits.position_min) * (1 - factor);
        break;
      case 2:
        limits.velocity_max *= factor;
        break;
      case 3:
        limits.acceleration_max *= factor;
        break;
      case 4:
        limits.jerk_max *= factor;
        break;
      case 5:
        limits.step_max *= factor;
        break;
      default:
        tight.brake_delay += 1 - factor;
    }
    if (check(tight, *chunk).ok()) {
      EXPECT_TRUE(check(loose, *chunk).ok());
    }
  });
}

TEST(AdmissionLaw, SlowerIsStillAdmitted) {
  const Configuration configuration = duo::configuration();
  for_all("slower_is_still_admitted", [&](Random& random) {
    auto chunk = random.any_chunk();
    if (!check(configuration, *chunk).ok()) return;
    chunk->dt = std::min(0.1, chunk->dt * random.real(1, 4));
    EXPECT_TRUE(check(configuration, *chunk).ok());
  });
}

TEST(AdmissionLaw, AMirroredMotionHasTheSameVerdict) {
  const Configuration configuration = duo::configuration();  // shoulder and elbow are symmetric
  for_all("mirrored_motion", [&](Random& random) {
    auto chunk = random.any_chunk();
    const Reason reason = check(configuration, *chunk).reason;
    for (std::size_t row = 0; row < chunk->horizon; ++row) {
      chunk->values[row * 3] *= -1;
      chunk->values[row * 3 + 1] *= -1;
    }
    EXPECT_EQ(reason_name(reason), reason_name(check(configuration, *chunk).reason));
  });
}

TEST(AdmissionLaw, APrefixOfAnAdmittedWindowIsAdmitted) {
  const Configuration configuration = duo::configuration();
  for_all("prefix_is_admitted", [&](Random& random) {
    auto chunk = random.any_chunk();
    chunk->last = false;
    if (!check(configuration, *chunk).ok()) return;
    chunk->horizon = static_cast<std::uint64_t>(random.whole(1, static_cast<int>(chunk->horizon)));
    chunk->value_count = chunk->horizon * 3;
    EXPECT_TRUE(check(configuration, *chunk).ok());
  });
}

TEST(AdmissionLaw, ASuffixOfAnAdmittedWindowIsAdmitted) {
  const Configuration configuration = duo::configuration();
  for_all("suffix_is_admitted", [&](Random& random) {
    auto chunk = random.any_chunk();
    if (!check(configuration, *chunk).ok() || chunk->horizon < 2) return;
    const auto from =
        static_cast<std::size_t>(random.whole(0, static_cast<int>(chunk->horizon) - 2));
    std::copy(chunk->values.begin() + static_cast<std::ptrdiff_t>(from * 3),
              chunk->values.begin() + static_cast<std::ptrdiff_t>(chunk->value_count),
              chunk->values.begin());
    chunk->horizon -= from;
    chunk->value_count -= from * 3;
    EXPECT_TRUE(check(configuration, *chunk).ok());
  });
}

TEST(AdmissionLaw, OneBadNumberAnywhereIsRefused) {
  const Configuration configuration = duo::configuration();
  for_all("one_bad_number", [&](Random& random) {
    auto chunk = random.any_chunk();
    const auto at =
        static_cast<std::size_t>(random.whole(0, static_cast<int>(chunk->value_count) - 1));
    const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(), -1e300};
    chunk->values[at] = bad[random.whole(0, 2)];
    EXPECT_FALSE(check(configuration, *chunk).ok());
  });
}

TEST(AdmissionLaw, TheShapeCheckReadsNoValue) {
  const Configuration configuration = duo::configuration();
  for_all("shape_reads_no_value", [&](Random& random) {
    auto chunk = random.any_chunk();
    if (random.chance(0.5)) chunk->value_count = static_cast<std::uint64_t>(random.whole(0, 90));
    const Reason reason = check_shape(configuration, *chunk).reason;
    std::fill(chunk->values.begin(), chunk->values.begin() + 80, std::nan(""));
    EXPECT_EQ(reason, check_shape(configuration, *chunk).reason);
  });
}

TEST(AdmissionLaw, ARefusalOfARateNamesAValueBeyondItsLimit) {
  const Configuration configuration = duo::configuration();
  for_all("refusal_names_its_value", [&](Random& random) {
    const auto chunk = random.any_chunk();
    const Finding finding = check(configuration, *chunk);
    if (finding.reason != Reason::kVelocityLimit && finding.reason != Reason::kStepLimit &&
        finding.reason != Reason::kAccelerationLimit && finding.reason != Reason::kJerkLimit) {
      return;
    }
    EXPECT_GT(finding.value, finding.limit);
    EXPECT_GE(finding.joint, 0);
    EXPECT_LT(finding.row, static_cast<int>(chunk->horizon));
    EXPECT_GE(finding.row, 1);
  });
}

JointArray any_velocity(Random& random) {
  return {random.real(-1, 1), random.real(-0.5, 0.5), random.real(-0.1, 0.1)};
}

TEST(BrakingLaw, StaysWithinEveryDecelerationAndEndsAtRest) {
  const Configuration configuration = duo::configuration();
  for_all("brake_within_deceleration", [&](Random& random) {
    JointArray last = any_velocity(random);
    Brake brake = plan_brake(configuration, last);
    while (!brake.at_rest()) {
      const JointArray velocity = next_brake_velocity(brake);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_LE(std::abs(velocity[j] - last[j]),
                  configuration.limits[j].acceleration_max * 0.005 * (1 + 1e-6));
        EXPECT_LE(std::abs(velocity[j]), std::abs(last[j]));
        EXPECT_GE(velocity[j] * brake.velocity[j], 0);
      }
      last = velocity;
    }
    EXPECT_EQ(JointArray{}, last);
  });
}

TEST(BrakingLaw, NoShorterStopIsWithinTheLimits) {
  const Configuration configuration = duo::configuration();
  for_all("brake_is_shortest", [&](Random& random) {
    const JointArray velocity = any_velocity(random);
    const std::size_t ticks = brake_ticks(configuration, velocity);
    ASSERT_GT(ticks, 0u);
    if (ticks == 1) return;
    bool beyond = false;
    for (std::size_t j = 0; j < 3; ++j) {
      const double step = std::abs(velocity[j]) / static_cast<double>(ticks - 1);
      beyond = beyond || step > configuration.limits[j].acceleration_max * 0.005;
    }
    EXPECT_TRUE(beyond);
  });
}

TEST(BrakingLaw, AViableStateStopsInsideItsLimits) {
  const Configuration configuration = duo::configuration();
  for_all("viable_state_stops_inside", [&](Random& random) {
    JointArray position = {random.real(-2, 2), random.real(-1, 1), random.real(0, 0.04)};
    const JointArray velocity = any_velocity(random);
    if (!check_viability(configuration, position, velocity).ok()) return;
    Brake brake = plan_brake(configuration, velocity);
    while (!brake.at_rest()) {
      const JointArray step = next_brake_velocity(brake);
      for (std::size_t j = 0; j < 3; ++j) {
        position[j] += step[j] * 0.005;
        EXPECT_LE(position[j], configuration.limits[j].position_max + 1e-12);
        EXPECT_GE(position[j], configuration.limits[j].position_min - 1e-12);
      }
    }
  });
}

TEST(BrakingLaw, ViabilityCoversTheFormulaOfOneJoint) {
  const Configuration configuration = duo::configuration();
  for_all("viability_covers_v2_over_2a", [&](Random& random) {
    const JointArray position = {random.real(-2, 2), random.real(-1, 1), random.real(0, 0.04)};
    const JointArray velocity = any_velocity(random);
    if (!check_viability(configuration, position, velocity).ok()) return;
    for (std::size_t j = 0; j < 3; ++j) {
      const JointLimits& limits = configuration.limits[j];
      const double speed = std::abs(velocity[j]);
      const double distance =
          velocity[j] > 0 ? limits.position_max - position[j] : position[j] - limits.position_min;
      EXPECT_LE(speed * speed / (2 * limits.acceleration_max) + speed * 0.005, distance + 1e-12);
    }
  });
}

TEST(TimelineLaw, InterpolationLiesBetweenItsRowsAndMeetsThem) {
  const Configuration configuration = duo::configuration();
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  for_all("interpolation_between_rows", [&](Random& random) {
    const auto chunk = random.any_chunk();
    const double phase = random.real(0, static_cast<double>(chunk->horizon));
    const auto row =
        std::min(static_cast<std::size_t>(phase), static_cast<std::size_t>(chunk->horizon - 1));
    const std::size_t next = std::min(row + 1, static_cast<std::size_t>(chunk->horizon - 1));
    const JointArray between = interpolate(*chunk, columns, phase, {});
    const JointArray at = interpolate(*chunk, columns, static_cast<double>(row), {});
    for (std::size_t j = 0; j < 3; ++j) {
      const double a = chunk->at(row, 3, j);
      const double b = chunk->at(next, 3, j);
      EXPECT_GE(between[j], std::min(a, b) - 1e-15);
      EXPECT_LE(between[j], std::max(a, b) + 1e-15);
      EXPECT_EQ(a, at[j]);
    }
  });
}

TEST(SpliceLaw, AMotionThatContinuesItselfSplicesAnywhere) {
  const Configuration configuration = duo::configuration();
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  for_all("motion_continues_itself", [&](Random& random) {
    auto chunk = random.any_chunk();
    chunk->dt = duo::kDt;
    chunk->last = true;
    if (!check(configuration, *chunk).ok()) return;
    // Its first row is reached from rest, or from a motion that nobody knows here.
    SpliceAnchor rest;
    rest.position = rest.measured.position = interpolate(*chunk, columns, 0, {});
    if (!check_splice(configuration, *chunk, columns, 0, rest).ok()) return;
    // Ticks of a quarter row: the command before and at the phase.
    const double phase = 0.25 * random.whole(1, static_cast<int>(chunk->horizon - 1) * 4 + 1);
    SpliceAnchor anchor;
    const JointArray before = interpolate(*chunk, columns, phase - 0.25, {});
    anchor.position = interpolate(*chunk, columns, phase, {});
    anchor.measured.position = anchor.position;
    for (std::size_t j = 0; j < 3; ++j) {
      anchor.velocity[j] = (anchor.position[j] - before[j]) / 0.005;
    }
    anchor.measured.velocity = anchor.velocity;
    Timeline timeline;
    timeline.start(*chunk, columns, {}, false);
    while (timeline.phase() < phase && !timeline.ended()) timeline.advance(0.005);
    anchor.row_speed = timeline.row_speed();
    anchor.acceleration = timeline.acceleration();
    anchor.acceleration_before = timeline.acceleration_before();
    anchor.continues = true;
    const Finding finding = check_splice(configuration, *chunk, columns, phase, anchor);
    EXPECT_TRUE(finding.ok()) << reason_name(finding.reason) << " " << finding.value;
  });
}

TEST(ObservationLaw, ShiftingTheRobotsClockChangesNoVerdict) {
  const Times times = duo::configuration().times;
  for_all("clock_shift", [&](Random& random) {
    ObservationClock here;
    ObservationClock there;
    const Nanoseconds shift = static_cast<Nanoseconds>(random.real(-4e12, 4e12));
    Nanoseconds now = 0;
    for (int i = 0; i < 20; ++i) {
      now += static_cast<Nanoseconds>(random.real(1e6, 2e7));
      here.note(now, now);
      there.note(now + shift, now);
    }
    const auto stamp = static_cast<Nanoseconds>(static_cast<double>(now) + random.real(-3e8, 6e7));
    Nanoseconds arrived_here = 0;
    Nanoseconds arrived_there = 0;
    EXPECT_EQ(here.locate(times, now, stamp, arrived_here).reason,
              there.locate(times, now, stamp + shift, arrived_there).reason);
    EXPECT_EQ(arrived_here, arrived_there);
  });
}

TEST(ObservationLaw, NoAdmittedObservationIsOlderThanItsLimit) {
  const Times times = duo::configuration().times;
  for_all("observation_age_bounded", [&](Random& random) {
    ObservationClock clock;
    Nanoseconds now = 0;
    for (int i = 0; i < 30; ++i) {
      now += static_cast<Nanoseconds>(random.real(1e5, 3e7));
      clock.note(now, now);
    }
    const auto stamp = static_cast<Nanoseconds>(static_cast<double>(now) + random.real(-3e8, 6e7));
    Nanoseconds arrived = 0;
    if (!clock.locate(times, now, stamp, arrived).ok()) return;
    EXPECT_LE(now - arrived, times.observation_age_max);
    EXPECT_LE(stamp, now + times.observation_future_max);
  });
}

TEST(EStopLaw, TheLastWordOfEverySourceDecides) {
  const Times times = duo::configuration().times;
  for_all("last_word_decides", [&](Random& random) {
    EStop estop;
    bool asserted[3] = {};
    Nanoseconds heard[3] = {-1, -1, -1};
    Nanoseconds now = 0;
    for (int i = 0; i < 30; ++i) {
      now += static_cast<Nanoseconds>(random.real(0, 2e8));
      const int source = random.whole(0, 2);
      EStopLevel level;
      level.received = heard[source] = now;
      level.source.assign(std::string(1, static_cast<char>('a' + source)));
      level.asserted = asserted[source] = random.chance(0.2);
      estop.hear(level);
      bool expected = false;
      for (int s = 0; s < 3; ++s) {
        expected = expected || asserted[s] || (heard[s] >= 0 && now - heard[s] > 500'000'000);
      }
      EXPECT_EQ(expected, estop.level(times, now) != Reason::kNone);
    }
  });
}

}  // namespace
}  // namespace openral::safety
