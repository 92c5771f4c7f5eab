#include "splice.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

class Splice : public testing::Test {
 protected:
  [[nodiscard]] Finding check(const Chunk& chunk, double phase, const SpliceAnchor& anchor) const {
    return check_splice(configuration_, chunk,
                        columns_of(configuration_, ControlMode::kJointPosition), phase, anchor);
  }
  const Configuration configuration_ = duo::configuration();
};

TEST_F(Splice, FromRest) {
  const auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.2}, 0.5));
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0.5, 0, 0.04};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
}

// Case first-chunk-from-the-middle.
TEST_F(Splice, FromAnotherPlaceNamesTheWorstJoint) {
  const auto chunk = duo::chunk({{0.5, 0.6, 0.04}, {0.5, 0.6, 0.04}});
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0.4, 0, 0.04};
  const Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSplicePosition, finding.reason);
  EXPECT_EQ(1, finding.joint);  // 0.6 over 0.5 * 0.005 is worse than 0.1 over 1 * 0.005
  EXPECT_DOUBLE_EQ(0.6, finding.value);
  EXPECT_DOUBLE_EQ(0.0025, finding.limit);
}

// Against their limits of 0.005 and 0.0025 rad in a tick: 20 to 16, 20 to 24, and 20 to 20.
TEST_F(Splice, TheWorstJointIsMeasuredByItsLimitAndTheFirstOfTwoIsNamed) {
  const std::pair<double, int> cases[] = {{0.04, 0}, {0.06, 1}, {0.05, 0}};
  for (const auto& [elbow, joint] : cases) {
    auto chunk = duo::chunk({{0.1, elbow, 0.04}, {0.1, elbow, 0.04}});
    chunk->first_row = 10;
    SpliceAnchor anchor;
    anchor.position = anchor.measured.position = {0, 0, 0.04};
    const Finding finding = check(*chunk, 10, anchor);
    EXPECT_EQ(Reason::kSplicePosition, finding.reason);
    EXPECT_EQ(joint, finding.joint) << elbow;
    EXPECT_EQ(0, finding.row);
  }
}

TEST_F(Splice, ChangeOfSpeedAtTheSwitch) {
  // The chunk moves at 0.5 rad/s. From 0.3 the change is 0.2 = a dt, from 0.29 it is more.
  const auto chunk = duo::chunk(duo::shoulder_rows({0.5, 0.5, 0.5}));
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0.01, 0, 0.04};  // row 1
  anchor.velocity = anchor.row_speed = anchor.measured.velocity = {0.3, 0, 0};
  EXPECT_TRUE(check(*chunk, 1, anchor).ok());
  anchor.velocity = {0.29, 0, 0};
  const Finding finding = check(*chunk, 1, anchor);
  EXPECT_EQ(Reason::kSpliceAcceleration, finding.reason);
  EXPECT_EQ(1, finding.row);
  EXPECT_NEAR(10.5, finding.value, 1e-9);  // 0.21 / 0.02
}

TEST_F(Splice, AJumpHiddenInTheFirstTickIsSeenInTheSecond) {
  // At rest, row 0 lies 0.0006 rad ahead, the rows stand: one tick at 0.12 rad/s and the halt are
  // 0.24 rad/s within two ticks, of which 0.05 were a tick's own.
  const auto chunk = duo::chunk({{0.0006, 0, 0.04}, {0.0006, 0, 0.04}});
  SpliceAnchor anchor;
  anchor.measured.position = {0, 0, 0.04};
  anchor.position = {0, 0, 0.04};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  const auto further = duo::chunk({{0.0007, 0, 0.04}, {0.0007, 0, 0.04}});
  EXPECT_NEAR(11.5, check(*further, 0, anchor).value, 1e-9);  // (0.14 + 0.14 - 0.05) / 0.02
  // Rows that run the other way at 0.2 after that: to 0.11, and to -0.2.
  const auto back = duo::chunk(duo::shoulder_rows({-0.2, -0.2}, 0.00155));
  const Finding finding = check(*back, 0, anchor);
  EXPECT_EQ(Reason::kSpliceAcceleration, finding.reason);
  EXPECT_NEAR(18.5, finding.value, 1e-9);  // (0.11 + 0.31 - 0.05) / 0.02
}

// Behaviour 13: the splice holds from the measured state too.
TEST_F(Splice, FromTheMeasuredState) {
  const auto chunk = duo::chunk({{0, 0, 0.04}});
  SpliceAnchor anchor;
  anchor.position = {0, 0, 0.04};
  anchor.measured.position = {0.11, 0, 0.04};
  const Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSpliceMeasured, finding.reason);
  EXPECT_DOUBLE_EQ(0.11, finding.value);
  EXPECT_EQ(0.1, finding.limit);
}

// At rest by command, measured in motion. A joint may change by 10 (0 + 0.005 + 2 * 0.02) rad/s
// until a measurement of now is out of date, and counts as at rest below 0.02: 0.47 rad/s.
TEST_F(Splice, FromTheMeasuredVelocity) {
  const auto chunk = duo::chunk({{0, 0, 0.04}});
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0, 0, 0.04};
  anchor.measured.velocity = {0.469, 0, 0};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  anchor.measured.velocity = {-0.471, 0, 0};
  Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSpliceMeasuredVelocity, finding.reason);
  EXPECT_EQ(0, finding.joint);
  EXPECT_DOUBLE_EQ(0.471, finding.value);
  EXPECT_NEAR(0.47, finding.limit, 1e-12);
  // 20 ms later it may have come to rest.
  anchor.age = 0.02;
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  // A row that goes along with the motion fits: 0.471 - 0.2.
  anchor.age = 0;
  anchor.measured.velocity = {0.471, 0, 0};
  EXPECT_TRUE(check(*duo::chunk(duo::shoulder_rows({0.2, 0.2})), 0, anchor).ok());
  EXPECT_FALSE(check(*duo::chunk(duo::shoulder_rows({-0.2, -0.2})), 0, anchor).ok());
  // A newer window of the motion that is played goes on as it was.
  anchor.continues = true;
  anchor.measured.velocity = {0.9, 0, 0};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  anchor.continues = false;
  EXPECT_FALSE(check(*chunk, 0, anchor).ok());
  // The finger closes on what it grips.
  anchor.measured.velocity = {0, 0, 0.3};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
}

// However fast it may still change: with rows 0.1 s apart the elbow could change by 1.03 rad/s, and
// its limit is 0.5, with a servo's overshoot 0.55.
TEST_F(Splice, AMeasuredVelocityBeyondTheLimitIsNoPlaceToBegin) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->dt = 0.1;
  SpliceAnchor anchor;
  anchor.position = anchor.measured.position = {0, 0, 0.04};
  anchor.measured.velocity = {0, 0.54, 0};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  anchor.measured.velocity = {0, 0.56, 0};
  const Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSpliceMeasuredVelocity, finding.reason);
  EXPECT_EQ(1, finding.joint);
  EXPECT_EQ(0.56, finding.value);
  EXPECT_NEAR(0.55, finding.limit, 1e-12);
}

// Behaviour 14 at the switch. The shoulder's jerk limit is 600 here: a change of speed of 0.2 rad/s
// in a row, 10 rad/s^2, may begin or end (500), but not turn into its opposite (1000).
class SpliceJerk : public testing::Test {
 protected:
  // On row 1, at 0.4 rad/s, to which it came from 0.2.
  SpliceJerk() {
    anchor_.position = anchor_.measured.position = {0.008, 0, 0.04};
    anchor_.velocity = anchor_.row_speed = anchor_.measured.velocity = {0.4, 0, 0};
    anchor_.acceleration = {10, 0, 0};
    anchor_.continues = true;
  }
  [[nodiscard]] Finding check(const std::vector<double>& speeds, double phase) const {
    const auto chunk = duo::chunk(duo::shoulder_rows(speeds));
    chunk->last = false;
    return check_splice(configuration_, *chunk,
                        columns_of(configuration_, ControlMode::kJointPosition), phase, anchor_);
  }
  [[nodiscard]] static Configuration smooth() {
    RawConfiguration raw = duo::raw();
    raw.numbers["robot.limits.shoulder.jerk_max"] = 600;
    return duo::configuration(raw);
  }
  const Configuration configuration_ = smooth();
  SpliceAnchor anchor_;
};

TEST_F(SpliceJerk, OfTheNextRowAgainstTheOnesThatWerePlayed) {
  EXPECT_TRUE(check({0.4, 0.6}, 1).ok());
  EXPECT_TRUE(check({0.4, 0.4}, 1).ok());
  const Finding finding = check({0.4, 0.2}, 1);
  EXPECT_EQ(Reason::kSpliceJerk, finding.reason);
  EXPECT_EQ(0, finding.joint);
  EXPECT_NEAR(1000, finding.value, 1e-6);  // from 10 to -10 rad/s^2 in 0.02 s
  EXPECT_EQ(600, finding.limit);
}

// What is found first is said, whatever else is wrong by more.
TEST_F(SpliceJerk, TheFirstOfSeveralReasonsIsSaid) {
  // 1000 of 600 rad/s^3, and a measurement 1 rad away, of 0.1.
  anchor_.measured.position[0] += 1;
  EXPECT_EQ(Reason::kSpliceJerk, check({0.4, 0.2}, 1).reason);
  // As AJumpHiddenInTheFirstTickIsSeenInTheSecond, 15.5 of 10 rad/s^2; the rows turn from -10 to 20
  // rad/s^2, 1500 of 600 rad/s^3.
  anchor_ = {};
  anchor_.position = anchor_.measured.position = {0, 0, 0.04};
  auto back = duo::chunk(duo::shoulder_rows({-0.2, 0.2}, 0.00155));
  const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
  EXPECT_EQ(Reason::kSpliceAcceleration,
            check_splice(configuration_, *back, columns, 0, anchor_).reason);
  // 0.11 of 0.1 rad, and 0.9 of 0.47 rad/s.
  anchor_ = {};
  anchor_.position = {0, 0, 0.04};
  anchor_.measured.position = {0.11, 0, 0.04};
  anchor_.measured.velocity = {0.9, 0, 0};
  EXPECT_EQ(Reason::kSpliceMeasured,
            check_splice(configuration_, *duo::chunk({{0, 0, 0.04}}), columns, 0, anchor_).reason);
}

// The rows lie 0.19 mrad ahead: 0.038 rad/s in their tick, 1.9 rad/s^2. Against what was played
// that counts with the rows' own change and without it.
TEST_F(SpliceJerk, RowsBesideTheLastCommandAreMetWithinTheJerk) {
  const auto jerk = [&](double ahead, double accelerated) {
    anchor_ = {};
    anchor_.position = anchor_.measured.position = {0, 0, 0.04};
    anchor_.acceleration = {accelerated, 0, 0};
    const auto chunk = duo::chunk(duo::shoulder_rows({0.16, 0.16}, ahead));
    chunk->last = false;
    return check_splice(configuration_, *chunk,
                        columns_of(configuration_, ControlMode::kJointPosition), 0, anchor_);
  };
  EXPECT_TRUE(jerk(0, -3).ok());  // 8 + 3 rad/s^2 in 0.02 s: 550
  const Finding ahead = jerk(0.00019, -3);
  EXPECT_EQ(Reason::kSpliceJerk, ahead.reason);
  EXPECT_NEAR(645, ahead.value, 1e-6);
  const Finding behind = jerk(-0.00019, -4.5);  // 12.5: 625, and 530 with the leap
  EXPECT_EQ(Reason::kSpliceJerk, behind.reason);
  EXPECT_NEAR(625, behind.value, 1e-6);
}

TEST_F(SpliceJerk, OfTheRowAfterTheNext) {
  EXPECT_TRUE(check({0.4, 0.4, 0.2}, 1).ok());
  EXPECT_TRUE(check({0.4, 0.6, 0.6}, 1).ok());
  const Finding finding = check({0.4, 0.6, 0.4}, 1);
  EXPECT_EQ(Reason::kSpliceJerk, finding.reason);
  EXPECT_NEAR(1000, finding.value, 1e-6);
}

// A window that changes the row in progress: what that row began with counts, 10 rad/s^2.
TEST_F(SpliceJerk, OfTheRowInProgress) {
  anchor_.position = anchor_.measured.position = {0.002, 0, 0.04};  // a quarter of row 0
  EXPECT_TRUE(check({0.4, 0.6}, 0.25).ok());
  EXPECT_EQ(Reason::kSpliceJerk, check({0.4, 0.2}, 0.25).reason);
  // The row began with the opposite of the row before it.
  anchor_.acceleration_before = {-10, 0, 0};
  const Finding finding = check({0.4, 0.6}, 0.25);
  EXPECT_EQ(Reason::kSpliceJerk, finding.reason);
  EXPECT_NEAR(1000, finding.value, 1e-6);
  // A new timeline begins a row of its own.
  anchor_.continues = false;
  anchor_.position = anchor_.measured.position = {0, 0, 0.04};
  EXPECT_TRUE(check({0.4, 0.6}, 0).ok());
}

}  // namespace
}  // namespace openral::safety
