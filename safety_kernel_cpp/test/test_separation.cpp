// Behaviour 19, speed and separation.
#include "separation.hpp"

#include <cmath>
#include <limits>

#include "bench.hpp"
#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

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

// A measurement like no other.
void note(Separation& separation, double distance, Nanoseconds received) {
  static Nanoseconds stamp = 0;
  separation.note(kLimits, distance, ++stamp, received);
}

// Two sensors on one topic: whom one of them sees is there, whatever the other says.
TEST(Separation, TheLeastDistanceWithinItsAgeCounts) {
  Separation separation;
  note(separation, 2, 0);
  note(separation, 0.8, 0);
  note(separation, 4, 0);
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, 0));
  note(separation, 3, 20 * duo::kMillisecond);
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, 50 * duo::kMillisecond));
  EXPECT_EQ(separation_speed(kLimits, 3), separation.speed(kLimits, 50 * duo::kMillisecond + 1));
  EXPECT_EQ(separation_speed(kLimits, 3), separation.speed(kLimits, 70 * duo::kMillisecond));
  EXPECT_EQ(0, separation.speed(kLimits, 70 * duo::kMillisecond + 1));
}

TEST(Separation, NoNumberIsTouchWhateverElseIsMeasured) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1.0}) {
    Separation separation;
    note(separation, 3, 0);
    note(separation, bad, 0);
    note(separation, 3, 0);
    EXPECT_EQ(0, separation.speed(kLimits, 0));
  }
}

// A person who walks away, measured every millisecond: 0.01 m more each time, fifty of them. There
// is room for 32; what finds none counts as the nearest of those that it pushes out.
TEST(Separation, AFloodOfDistancesForgetsNoNearOne) {
  Separation separation;
  for (int i = 0; i < 50; ++i) {
    note(separation, 1 + 0.01 * i, i * duo::kMillisecond);
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
  note(separation, 1, 0);
  EXPECT_GT(separation.speed(kLimits, 50 * duo::kMillisecond), 0.5);
  EXPECT_EQ(0, separation.speed(kLimits, 50 * duo::kMillisecond + 1));
}

// A driver that repeats its last message measures nothing.
TEST(Separation, ARepeatedStampKeepsNoDistanceFresh) {
  Separation separation;
  for (Nanoseconds at = 0; at <= 60 * duo::kMillisecond; at += 10 * duo::kMillisecond) {
    separation.note(kLimits, 1, 7, at);
  }
  EXPECT_EQ(0, separation.speed(kLimits, 60 * duo::kMillisecond));
  // A sensor whose clock was set back measures again.
  separation.note(kLimits, 1, 3, 60 * duo::kMillisecond);
  EXPECT_GT(separation.speed(kLimits, 60 * duo::kMillisecond), 0.5);
}

// Two sensors may stamp alike: whom the second one sees counts, from when the stamp was heard.
TEST(Separation, ANearerDistanceOfARepeatedStampCounts) {
  Separation separation;
  separation.note(kLimits, 3, 7, 0);
  separation.note(kLimits, 2, 8, 10 * duo::kMillisecond);
  separation.note(kLimits, 0.8, 7, 20 * duo::kMillisecond);
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, 50 * duo::kMillisecond));
  EXPECT_EQ(separation_speed(kLimits, 2), separation.speed(kLimits, 50 * duo::kMillisecond + 1));
  // One that is further than what was measured later says nothing.
  separation.note(kLimits, 4, 7, 50 * duo::kMillisecond);
  EXPECT_EQ(separation_speed(kLimits, 2), separation.speed(kLimits, 50 * duo::kMillisecond + 1));
}

// A moment of a clock that did not begin just now.
constexpr Nanoseconds at_ms(int moment) { return (1000 + moment) * duo::kMillisecond; }

// At its age's end a distance still counts, whether it is told then or not.
TEST(Separation, AnAgeIsInclusive) {
  Separation separation;
  separation.note(kLimits, 0.8, 7, at_ms(0));
  separation.note(kLimits, 3, 8, at_ms(50));
  EXPECT_EQ(separation_speed(kLimits, 0.8), separation.speed(kLimits, at_ms(50)));
  separation.note(kLimits, 0.7, 7, at_ms(50));
  EXPECT_EQ(separation_speed(kLimits, 0.7), separation.speed(kLimits, at_ms(50)));
  EXPECT_EQ(separation_speed(kLimits, 3), separation.speed(kLimits, at_ms(50) + 1));
}

TEST(Separation, AFurtherDistanceOfARepeatedStampHidesNoNearOne) {
  Separation separation;
  separation.note(kLimits, 3, 7, at_ms(0));
  separation.note(kLimits, 2, 8, at_ms(10));
  separation.note(kLimits, 4, 7, at_ms(20));
  EXPECT_EQ(separation_speed(kLimits, 2), separation.speed(kLimits, at_ms(20)));
}

// Who comes near makes idle what was measured before: fifty distances take no room.
TEST(Separation, WhoComesNearIsSeenAtTheMomentOfTheMeasurement) {
  Separation separation;
  for (int i = 0; i < 50; ++i) note(separation, 3 - 0.01 * i, at_ms(i));
  EXPECT_EQ(separation_speed(kLimits, 3 - 0.01 * 49), separation.speed(kLimits, at_ms(99)));
}

// 32 distances, 1 m and 0.01 m more every millisecond from 1 ms on: as many as there is room for.
// Two stamps, of 0 and 1 ms, come again and again, further away than what was measured after them.
class FullSeparation : public testing::Test {
 protected:
  FullSeparation() {
    separation_.note(kLimits, 5, -1, at_ms(0));
    for (int i = 0; i < 32; ++i) {
      if (i == 1) separation_.note(kLimits, 5, -2, at_ms(1) + 1);
      note(separation_, 1 + 0.01 * i, at_ms(1 + i));
      separation_.note(kLimits, 5, -1, at_ms(1 + i));
      if (i > 0) separation_.note(kLimits, 5, -2, at_ms(1 + i));
    }
  }
  [[nodiscard]] double speed(Nanoseconds now) const { return separation_.speed(kLimits, now); }

  Separation separation_;
};

TEST_F(FullSeparation, KeepsEveryOneOfThem) {
  EXPECT_EQ(separation_speed(kLimits, 1.01), speed(at_ms(51) + 1));
  EXPECT_EQ(separation_speed(kLimits, 1 + 0.01 * 31), speed(at_ms(81) + 1));
}

// Nearer than all, and older: it stands for the first one too.
TEST_F(FullSeparation, FindsNoRoomForAnOlderAndNearerOne) {
  separation_.note(kLimits, 0.5, -1, at_ms(33));
  EXPECT_EQ(separation_speed(kLimits, 0.5), speed(at_ms(51)));
  EXPECT_EQ(separation_speed(kLimits, 1.01), speed(at_ms(51) + 1));
}

// Between the first and the second: the first stays for as long as it would have.
TEST_F(FullSeparation, FindsNoRoomForOneInBetween) {
  separation_.note(kLimits, 1.01, -2, at_ms(33));  // as near as the second, which is later: idle
  EXPECT_EQ(separation_speed(kLimits, 1.01), speed(at_ms(51) + 1));
  separation_.note(kLimits, 1.005, -2, at_ms(33));
  EXPECT_EQ(separation_speed(kLimits, 1), speed(at_ms(51) + 1));
  EXPECT_EQ(separation_speed(kLimits, 1.01), speed(at_ms(51) + 2));
}

// What is out of date takes the place of none that counts.
TEST_F(FullSeparation, TakesNothingThatIsOutOfDate) {
  separation_.note(kLimits, 0.5, -1, at_ms(50) + 1);
  EXPECT_EQ(separation_speed(kLimits, 1), speed(at_ms(51)));
}

// 50 ms later there is room for as many again.
TEST_F(FullSeparation, ForgetsWhatIsOutOfDate) {
  for (int i = 0; i < 32; ++i) note(separation_, 2 + 0.01 * i, at_ms(100 + i));
  EXPECT_EQ(separation_speed(kLimits, 2 + 0.01 * 31), speed(at_ms(180) + 1));
}

TEST(Separation, EqualDistancesTakeOnePlace) {
  Separation separation;
  note(separation, 1, at_ms(0));
  for (int i = 0; i < 32; ++i) note(separation, 1 + 0.01 * i, at_ms(1 + i));
  EXPECT_EQ(separation_speed(kLimits, 1 + 0.01 * 31), separation.speed(kLimits, at_ms(81) + 1));
}

// Forty distances of one moment: the 32nd stands for those that find no room, and for a later one.
TEST(Separation, AFloodOfOneMomentForgetsNoNearOne) {
  Separation separation;
  for (int i = 0; i < 40; ++i) note(separation, 1 + 0.01 * i, at_ms(0));
  note(separation, 5, at_ms(1));
  EXPECT_EQ(separation_speed(kLimits, 1), separation.speed(kLimits, at_ms(50)));
  EXPECT_EQ(separation_speed(kLimits, 1 + 0.01 * 31), separation.speed(kLimits, at_ms(51)));
}

// Sixty-four stamps are known, two of every sensor; one more takes the place of the one not heard
// for longest. Of a stamp that is known a distance is as old as when it was heard first.
TEST(Separation, TheStampNotHeardForLongestIsForgotten) {
  for (const Nanoseconds again : {1, 2}) {
    Separation separation;
    for (Nanoseconds stamp = 1; stamp <= 64; ++stamp) separation.note(kLimits, 2, stamp, at_ms(0));
    separation.note(kLimits, 2, 1, at_ms(10));  // so that it is the second
    separation.note(kLimits, 2, 65, at_ms(20));
    separation.note(kLimits, 1, again, at_ms(50));
    EXPECT_EQ(separation_speed(kLimits, 1), separation.speed(kLimits, at_ms(50)));
    EXPECT_EQ(again == 2 ? separation_speed(kLimits, 1) : separation_speed(kLimits, 2),
              separation.speed(kLimits, at_ms(50) + 1));
  }
}

// ---- in the kernel: the tool of the stretched arm moves at 2 * 0.2 = 0.4 m/s

RawConfiguration raw(RawConfiguration raw = duo::raw_in_space()) {
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
      if (!frozen_) ++stamp_;
      (void)bench_.inputs.separations.push({bench_.now + duo::kTick, stamp_, distance});
      if (i % 4 == 0 && bench_.state() == State::kActive) {
        bench_.send(*chunk_);
      } else {
        bench_.tick();
      }
    }
  }
  void begin() {
    bench_.start();
    (void)bench_.inputs.separations.push({bench_.now + duo::kTick, stamp_, 2});
    bench_.send(*chunk_);
  }

  bool frozen_ = false;    // the sensor repeats its last measurement
  Nanoseconds stamp_ = 0;  // of the sensor's clock
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

// From the last command, which an arm that lags is behind of, and in the same tick.
// Of thirty-two sensors the last one sees who comes near.
TEST_F(SeparationKernel, EverySensorOfATickIsHeard) {
  begin();
  play(2, 8);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  for (std::size_t i = 1; i < kMaxSeparations; ++i) {
    ASSERT_TRUE(bench_.inputs.separations.push({bench_.now + duo::kTick, ++stamp_, 2}));
  }
  play(0.3, 1);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_EQ(State::kBraking, bench_.state());
}

TEST_F(SeparationKernel, WhoComesNearStopsItFromTheLastCommand) {
  bench_.obey = [](const Command& command, JointState& state) {
    state.position = command.position;
    state.position[0] -= 0.01;
  };
  begin();
  play(1, 20);
  const double before = bench_.last.position[0];
  play(0.8, 1);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_TRUE(bench_.last.braking);
  // 0.2 rad/s at 10 rad/s^2 are four ticks, the first at 0.15.
  EXPECT_NEAR(before + 0.15 * 0.005, bench_.last.position[0], 1e-12);
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

TEST_F(SeparationKernel, AFrozenMeasurementStopsItAsALostOne) {
  begin();
  play(1, 20);
  frozen_ = true;
  play(1, 10);  // 50 ms are ten ticks
  EXPECT_EQ(State::kActive, bench_.state());
  play(1, 1);
  EXPECT_EQ(State::kBraking, bench_.state());
  EXPECT_EQ("separation", bench_.reason_text());
}

TEST_F(SeparationKernel, WithoutAMeasurementNothingMoves) {
  bench_.start();
  bench_.send(*chunk_);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_EQ(0, bench_.last.position[0]);
}

// Shoulder and elbow turn against each other: the tool of the stretched arm stands, its elbow moves
// at 1 m * 0.2 rad/s. At 0.6 m -1.8 + sqrt(3.24 + 4 * 0.14) = 0.149 m/s are allowed.
TEST_F(SeparationKernel, EveryLinkPointCounts) {
  duo::Rows rows = {{0, 0, 0.04}};
  for (int i = 0; i < 30; ++i) {
    const double speed = std::min(0.05 * (i + 1), 0.2);
    rows.push_back({rows.back()[0] + speed * 0.02, rows.back()[1] - 2 * speed * 0.02, 0.04});
  }
  chunk_ = duo::chunk(rows);
  chunk_->last = false;
  begin();
  play(1, 20);
  ASSERT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
  play(0.6, 1);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_NEAR(0.2, bench_.status().finding.value, 1e-4);
  EXPECT_EQ(State::kBraking, bench_.state());
}

// d = 0.4 < C + Z + v_h T = 0.46: nothing moves, a finger no more than the arm.
TEST_F(SeparationKernel, BesideAPersonNoFingerCloses) {
  chunk_ = duo::chunk({{0, 0, 0.04}, {0, 0, 0.0396}, {0, 0, 0.0392}});
  bench_.start();
  (void)bench_.inputs.separations.push({bench_.now + duo::kTick, bench_.now + duo::kTick, 0.4});
  bench_.send(*chunk_);
  EXPECT_EQ("separation", bench_.reason_text());
  EXPECT_NEAR(0.02, bench_.status().finding.value, 1e-9);
  EXPECT_EQ(0, bench_.status().finding.limit);
  EXPECT_EQ(0.04, bench_.last.position[2]);
}

// What does not move is no danger: the arm is held by rows as it is without them.
TEST_F(SeparationKernel, BesideAPersonRowsMayStand) {
  chunk_ = duo::chunk({{0, 0, 0.04}, {0, 0, 0.04}, {0, 0, 0.04}});
  chunk_->last = false;
  bench_.start();
  play(0.4, 1);
  bench_.send(*chunk_);
  play(0.4, 4);
  EXPECT_EQ(State::kActive, bench_.state()) << bench_.reason_text();
}

RawConfiguration arm_on_a_base() {
  RawConfiguration robot = duo::raw_in_space();
  const RawConfiguration base = duo::raw_with_base();
  robot.numbers.insert(base.numbers.begin(), base.numbers.end());
  robot.lists["robot.modes"] = base.lists.at("robot.modes");
  return robot;
}

// 0.9 rad/s with a radius of 0.4 m are 0.36 m/s; at 0.8 m 0.345 are allowed, at 1 m 0.524.
TEST(SeparationBase, ABaseThatTurnsOnTheSpotMovesItsCorners) {
  duo::Bench bench(raw(arm_on_a_base()));
  bench.follows = false;
  bench.start();
  duo::Rows rows;
  for (int i = 1; i <= 40; ++i) rows.push_back({0, 0, std::min(0.04 * i, 0.9)});
  auto chunk = duo::twists(rows);
  chunk->last = false;
  (void)bench.inputs.separations.push({bench.now + duo::kTick, bench.now + duo::kTick, 1});
  bench.send(*chunk);
  double distance = 1;
  for (int i = 0; i < 120 && bench.state() == State::kActive; ++i) {
    if (i == 100) distance = 0.8;
    (void)bench.inputs.separations.push({bench.now + duo::kTick, bench.now + duo::kTick, distance});
    if (i % 4 == 0 && i > 0) {
      // Each chunk of a base is a motion of its own, from the twist reached.
      ++chunk->timeline;
      for (std::size_t row = 0; row < chunk->horizon; ++row) {
        chunk->values[row * 3 + 2] =
            std::min(bench.last.position[2] + 0.04 * static_cast<double>(row + 1), 0.9);
      }
      bench.send(*chunk);
    } else {
      bench.tick();
    }
  }
  EXPECT_EQ(0.8, distance);
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_NEAR(0.36, bench.status().finding.value, 1e-9);
  EXPECT_NEAR(0.3448, bench.status().finding.limit, 5e-5);
}

TEST(SeparationBase, BesideAPersonABaseDoesNotTurn) {
  duo::Bench bench(raw(arm_on_a_base()));
  bench.follows = false;
  bench.start();
  (void)bench.inputs.separations.push({bench.now + duo::kTick, bench.now + duo::kTick, 0.4});
  auto chunk = duo::twists({{0, 0, 0.04}, {0, 0, 0}});
  bench.send(*chunk);
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.limit);
}

TEST(SeparationTorque, BesideAPersonNoTorqueActsOnAnArmThatStands) {
  duo::Bench bench(raw(duo::raw_in_every_mode()));
  bench.follows = false;
  bench.start();
  (void)bench.inputs.separations.push({bench.now + duo::kTick, bench.now + duo::kTick, 0.4});
  auto chunk = duo::torques({{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {2, 0, 0}, {0, 0, 0}});
  bench.send(*chunk);
  EXPECT_EQ("separation", bench.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench.last.mode);
}

// Nobody is near, and nothing else is forgotten for that.
TEST(SeparationTorque, AJointThatRacesFarFromPeopleIsStopped) {
  duo::Bench bench(raw(duo::raw_in_every_mode()));
  bench.follows = false;
  bench.measured.position = {duo::kShoulder, duo::kElbow, 0.04};
  bench.start();
  auto chunk = duo::torques(duo::Rows(20, {0, 0, 0}));
  const auto tick = [&] {
    (void)bench.inputs.separations.push({bench.now + duo::kTick, bench.now + duo::kTick, 9});
    bench.tick();
  };
  bench.stamp(*chunk);
  bench.inputs.chunk = chunk.get();
  tick();
  ASSERT_EQ(State::kActive, bench.state()) << bench.reason_text();
  bench.measured.velocity[0] = 1.01;  // of 1
  for (int i = 0; i < 2 && bench.state() == State::kActive; ++i) tick();
  EXPECT_EQ("measured_velocity", bench.reason_text());
  EXPECT_EQ(ControlMode::kJointPosition, bench.last.mode);  // in the same tick
  EXPECT_TRUE(bench.last.braking);
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
  // Until a measurement is too old people come nearer: 0.05 s, and a tick of 0.005.
  bad = raw();
  bad.numbers["separation.reaction_s"] = 0.055;
  EXPECT_FALSE(configure(bad, configuration).has_value());
  bad.numbers["separation.reaction_s"] = 0.0549;
  EXPECT_EQ("[0.055, 2] s, at least separation.age_max_s and a tick", duo::error_of(bad).valid);
  EXPECT_EQ("separation.reaction_s", duo::error_of(bad).field);
  // In whole nanoseconds: 0.1 and 0.005 are more than 0.105 as sums of doubles.
  bad.numbers["separation.age_max_s"] = 0.1;
  bad.numbers["separation.reaction_s"] = 0.105;
  EXPECT_FALSE(configure(bad, configuration).has_value());
  bad = duo::raw();
  bad.numbers["separation.margn"] = 1;
  EXPECT_EQ("separation.margn", configure(bad, configuration)->field);
}

}  // namespace
}  // namespace openral::safety
