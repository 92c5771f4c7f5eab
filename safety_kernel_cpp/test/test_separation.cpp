// Behaviour 19, speed and separation.
#include "separation.hpp"

#include <cmath>
#include <limits>

#include "bench.hpp"
#include "duo_in_space.hpp"

namespace openral::safety {
namespace {

// a = 2 m/s^2, T = 0.1 s, C + Z = 0.3 m, v_h = 1.6 m/s.
constexpr SeparationLimits kLimits{true, 2, 0.1, 0.3, 1.6, 50 * duo::kMillisecond};

// b = 2 * 0.1 + 1.6 = 1.8; room 1 - 0.3 - 0.16 = 0.54; -1.8 + sqrt(3.24 + 4 * 0.54) = 0.5238.
TEST(Separation, SpeedAtOneMetre) {
  EXPECT_NEAR(0.5238, separation_speed(kLimits, 1), 5e-5);
  // Two metres: -1.8 + sqrt(3.24 + 4 * 1.54) = 1.2659.
  EXPECT_NEAR(1.2659, separation_speed(kLimits, 2), 5e-5);
}

TEST(Separation, StandsStillWithinTheMargin) {
  EXPECT_EQ(0, separation_speed(kLimits, 0.46));  // 0.3 + 1.6 * 0.1
  EXPECT_GT(separation_speed(kLimits, 0.47), 0);
  EXPECT_EQ(0, separation_speed(kLimits, 0));
  EXPECT_EQ(0, separation_speed(kLimits, -1));
  EXPECT_EQ(0, separation_speed(kLimits, std::nan("")));
  EXPECT_EQ(0, separation_speed(kLimits, std::numeric_limits<double>::infinity()));
}

// Law: from that speed the robot and the person meet nowhere before the margin.
TEST(Separation, TheWaysOfBothFitIntoTheDistance) {
  for (double d = 0.5; d < 5; d += 0.01) {
    const double v = separation_speed(kLimits, d);
    EXPECT_NEAR(d, 1.6 * (0.1 + v / 2) + v * 0.1 + v * v / 4 + 0.3, 1e-9);
  }
}

// Two sensors on one topic: whom one of them sees is there, whatever the other says.
TEST(Separation, TheLeastDistanceWithinItsAgeCounts) {
  Separation separation;
  separation.note(kLimits, 2, 0);
  separation.note(kLimits, 0.8, 0);
  separation.note(kLimits, 4, 0);
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, 0));
  separation.note(kLimits, 3, 20 * duo::kMillisecond);
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, 50 * duo::kMillisecond));
  EXPECT_EQ(separation_speed(kLimits, 3), separation.speed(kLimits, 50 * duo::kMillisecond + 1));
  EXPECT_EQ(separation_speed(kLimits, 3), separation.speed(kLimits, 70 * duo::kMillisecond));
  EXPECT_EQ(0, separation.speed(kLimits, 70 * duo::kMillisecond + 1));
}

TEST(Separation, NoNumberIsTouchWhateverElseIsMeasured) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1.0}) {
    Separation separation;
    separation.note(kLimits, 3, 0);
    separation.note(kLimits, bad, 0);
    separation.note(kLimits, 3, 0);
    EXPECT_EQ(0, separation.speed(kLimits, 0));
  }
}

// A person who walks away, measured every millisecond: 0.01 m more each time, fifty of them. There
// is room for 32; what finds none counts as the nearest of those that it pushes out.
TEST(Separation, AFloodOfDistancesForgetsNoNearOne) {
  Separation separation;
  for (int i = 0; i < 50; ++i) {
    separation.note(kLimits, 1 + 0.01 * i, i * duo::kMillisecond);
    EXPECT_EQ(separation_speed(kLimits, 1), separation.speed(kLimits, i * duo::kMillisecond)) << i;
  }
  EXPECT_EQ(separation_speed(kLimits, 1.01), separation.speed(kLimits, 51 * duo::kMillisecond));
  // The 32nd, 1.31 m, stands for the last one too.
  EXPECT_EQ(separation_speed(kLimits, 1 + 0.01 * 31),
            separation.speed(kLimits, 99 * duo::kMillisecond));
  EXPECT_EQ(0, separation.speed(kLimits, 99 * duo::kMillisecond + 1));
}

TEST(Separation, ALostDistanceCountsAsTouch) {
  Separation separation;
  EXPECT_EQ(0, separation.speed(kLimits, 0));
  separation.note(kLimits, 1, 0);
  EXPECT_GT(separation.speed(kLimits, 50 * duo::kMillisecond), 0.5);
  EXPECT_EQ(0, separation.speed(kLimits, 50 * duo::kMillisecond + 1));
}

// ---- in the kernel: the tool of the stretched arm moves at 2 * 0.2 = 0.4 m/s

RawConfiguration raw() {
  RawConfiguration raw = duo::raw_in_space();
  raw.flags["separation.enabled"] = true;
  const double values[] = {2, 0.1, 0.3, 1.6, 0.05};
  std::size_t i = 0;
  for (const auto& field : separation_fields()) {
    raw.numbers[std::string("separation.") + field.name] = values[i++];
  }
  return raw;
}

class SeparationKernel : public testing::Test {
 protected:
  // Ticks with a distance, and the motion's window at 50 Hz.
  void play(double distance, int ticks) {
    for (int i = 0; i < ticks; ++i) {
      (void)bench_.inputs.separations.push({bench_.now + duo::kTick, distance});
      if (i % 4 == 0 && bench_.state() == State::kActive) {
        bench_.send(*chunk_);
      } else {
        bench_.tick();
      }
    }
  }
  void begin() {
    bench_.start();
    (void)bench_.inputs.separations.push({bench_.now + duo::kTick, 2});
    bench_.send(*chunk_);
  }

  duo::Bench bench_{raw()};
  std::unique_ptr<Chunk> chunk_ = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 60)));
};

TEST_F(SeparationKernel, AMotionSlowerThanTheLimitGoesOn) {
  begin();
  play(1, 100);  // 0.52 m/s
  EXPECT_EQ(State::kActive, bench_.state());
  EXPECT_EQ(0u, bench_.status().stops);
}

TEST_F(SeparationKernel, WhoComesNearStopsIt) {
  begin();
  play(1, 20);
  play(0.8, 1);  // -1.8 + sqrt(3.24 + 4 * 0.34) = 0.3448
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_NEAR(0.4, bench_.status().finding.value, 1e-4);
  EXPECT_NEAR(0.3448, bench_.status().finding.limit, 5e-5);
}

TEST_F(SeparationKernel, ALostMeasurementStopsIt) {
  begin();
  play(1, 20);
  int ticks = 0;
  while (bench_.state() == State::kActive && ticks < 30) {
    if (ticks % 4 == 0) {
      bench_.send(*chunk_);
    } else {
      bench_.tick();
    }
    ++ticks;
  }
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_EQ(11, ticks);  // 50 ms are ten ticks
}

TEST_F(SeparationKernel, WithoutAMeasurementNothingMoves) {
  bench_.start();
  bench_.send(*chunk_);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_EQ(0, bench_.last.position[0]);
}

TEST(SeparationConfiguration, IsTotalAndNeedsForwardKinematics) {
  for (const auto& field : separation_fields()) {
    RawConfiguration bad = raw();
    const std::string key = std::string("separation.") + field.name;
    bad.numbers.erase(key);
    Configuration configuration;
    EXPECT_EQ(key, configure(bad, configuration)->field);
    bad.numbers[key] = std::nan("");
    EXPECT_EQ(key, configure(bad, configuration)->field);
  }
  Configuration configuration;
  RawConfiguration bad = raw();
  bad.flags.erase("separation.enabled");
  EXPECT_EQ("separation.enabled", configure(bad, configuration)->field);
  bad = raw();
  bad.flags["robot.arm.forward_kinematics"] = false;
  EXPECT_EQ("separation.enabled", configure(bad, configuration)->field);
  bad = duo::raw();
  bad.numbers["separation.margn"] = 1;
  EXPECT_EQ("separation.margn", configure(bad, configuration)->field);
}

}  // namespace
}  // namespace openral::safety
