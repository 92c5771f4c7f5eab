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
  anchor.position = anchor.measured = {0.5, 0, 0.04};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
}

// Case first-chunk-from-the-middle.
TEST_F(Splice, FromAnotherPlaceNamesTheWorstJoint) {
  const auto chunk = duo::chunk({{0.5, 0.6, 0.04}, {0.5, 0.6, 0.04}});
  SpliceAnchor anchor;
  anchor.position = anchor.measured = {0.4, 0, 0.04};
  const Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSplicePosition, finding.reason);
  EXPECT_EQ(1, finding.joint);  // 0.6 over 0.5 * 0.005 is worse than 0.1 over 1 * 0.005
  EXPECT_DOUBLE_EQ(0.6, finding.value);
  EXPECT_DOUBLE_EQ(0.0025, finding.limit);
}

TEST_F(Splice, ChangeOfSpeedAtTheSwitch) {
  // The chunk moves at 0.5 rad/s. From 0.3 the change is 0.2 = a dt, from 0.29 it is more.
  const auto chunk = duo::chunk(duo::shoulder_rows({0.5, 0.5, 0.5}));
  SpliceAnchor anchor;
  anchor.position = anchor.measured = {0.01, 0, 0.04};  // row 1
  anchor.velocity = {0.3, 0, 0};
  EXPECT_TRUE(check(*chunk, 1, anchor).ok());
  anchor.velocity = {0.29, 0, 0};
  const Finding finding = check(*chunk, 1, anchor);
  EXPECT_EQ(Reason::kSpliceAcceleration, finding.reason);
  EXPECT_EQ(1, finding.row);
  EXPECT_NEAR(10.5, finding.value, 1e-9);  // 0.21 / 0.02
}

TEST_F(Splice, AJumpHiddenInTheFirstTickIsSeenInTheSecond) {
  // At rest, row 0 lies 0.0008 rad ahead, the rows stand: one tick at 0.16 rad/s is within a dt, so
  // is the halt.
  const auto chunk = duo::chunk({{0.0008, 0, 0.04}, {0.0008, 0, 0.04}});
  SpliceAnchor anchor;
  anchor.measured = {0, 0, 0.04};
  anchor.position = {0, 0, 0.04};
  EXPECT_TRUE(check(*chunk, 0, anchor).ok());
  // Rows that run the other way at 0.2 after that: from 0.11 to -0.2 is over a dt.
  const auto back = duo::chunk(duo::shoulder_rows({-0.2, -0.2}, 0.00155));
  const Finding finding = check(*back, 0, anchor);
  EXPECT_EQ(Reason::kSpliceAcceleration, finding.reason);
  EXPECT_NEAR(15.5, finding.value, 1e-9);  // (0.11 + 0.2) / 0.02
}

// Behaviour 13: the splice holds from the measured state too.
TEST_F(Splice, FromTheMeasuredState) {
  const auto chunk = duo::chunk({{0, 0, 0.04}});
  SpliceAnchor anchor;
  anchor.position = {0, 0, 0.04};
  anchor.measured = {0.11, 0, 0.04};
  const Finding finding = check(*chunk, 0, anchor);
  EXPECT_EQ(Reason::kSpliceMeasured, finding.reason);
  EXPECT_DOUBLE_EQ(0.11, finding.value);
  EXPECT_EQ(0.1, finding.limit);
}

}  // namespace
}  // namespace openral::safety
