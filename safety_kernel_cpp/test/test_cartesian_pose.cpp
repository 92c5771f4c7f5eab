// Behaviour 3, the mode cartesian_pose; behaviour 17, quaternions.
#include "cartesian_pose.hpp"

#include <cmath>

#include "admission.hpp"
#include "duo_in_every_mode.hpp"

namespace openral::safety {
namespace {

std::string name(const Finding& finding) { return std::string(reason_name(finding.reason)); }

constexpr Quaternion kIdentity = {0, 0, 0, 1};

TEST(CartesianPose, FiniteEverywhere) {
  for (std::size_t i = 0; i < 14; ++i) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}, {1.5, 0, 0.1, 0, 0, 0, 1}});
      const auto poses = std::make_unique<Chunk>();
      chunk->values[i] = bad;
      const Finding finding = read_poses(*chunk, kIdentity, *poses);
      EXPECT_EQ("not_finite", name(finding));
      EXPECT_EQ(static_cast<int>(i / 7), finding.row);
    }
  }
}

TEST(CartesianPose, QuaternionNormWithinAThousandth) {
  const auto poses = std::make_unique<Chunk>();
  for (const double size : {0.9991, 1.0009}) {
    const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6 * size, 0.8 * size}});
    ASSERT_TRUE(read_poses(*chunk, kIdentity, *poses).ok());
    EXPECT_NEAR(0.6, poses->values[5], 1e-12);
    EXPECT_NEAR(0.8, poses->values[6], 1e-12);
  }
  for (const double size : {0.9989, 1.0011, 0.0, 1e200}) {
    const auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6 * size, 0.8 * size}});
    const Finding finding = read_poses(*chunk, kIdentity, *poses);
    EXPECT_EQ("quaternion_norm", name(finding)) << size;
    EXPECT_EQ(0, finding.row);
    EXPECT_EQ(-1, finding.joint);
    if (size < 2) {  // the other one overflows
      EXPECT_NEAR(size, finding.value, 1e-12);
    }
    EXPECT_EQ(1, finding.limit);
  }
}

// q and -q are one orientation: a maker that changes the sign between rows asks for no turn.
TEST(CartesianPose, SignsAreMadeContinuous) {
  const auto plain = duo::poses({{1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                                 {1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                                 {1.5, 0, 0.1, 0, 0, 0.6, 0.8}});
  auto flipped = duo::poses({{1.5, 0, 0.1, 0, 0, -0.6, -0.8},
                             {1.5, 0, 0.1, 0, 0, 0.6, 0.8},
                             {1.5, 0, 0.1, 0, 0, -0.6, -0.8}});
  const auto a = std::make_unique<Chunk>();
  const auto b = std::make_unique<Chunk>();
  ASSERT_TRUE(read_poses(*plain, kIdentity, *a).ok());
  ASSERT_TRUE(read_poses(*flipped, kIdentity, *b).ok());
  for (std::size_t i = 0; i < 21; ++i) EXPECT_EQ(a->values[i], b->values[i]) << i;
  EXPECT_TRUE(check_poses(duo::configuration(duo::raw_in_every_mode()), *b).ok());
  // The first row continues what is commanded.
  ASSERT_TRUE(read_poses(*plain, {0, 0, 0, -1}, *a).ok());
  EXPECT_NEAR(-0.8, a->values[6], 1e-12);
}

// A long turn passes the place where the other sign lies nearer to the first row.
TEST(CartesianPose, SignsFollowTheRowBefore) {
  duo::Rows rows;
  for (int i = 0; i <= 30; ++i) {
    const double half = i * 0.1;
    rows.push_back({1.5, 0, 0.1, 0, 0, std::sin(half), std::cos(half)});
  }
  const auto chunk = duo::poses(rows);
  const auto poses = std::make_unique<Chunk>();
  ASSERT_TRUE(read_poses(*chunk, kIdentity, *poses).ok());
  for (std::size_t i = 0; i < 31 * 7; ++i) EXPECT_NEAR(chunk->values[i], poses->values[i], 1e-12);
}

// Case width-mismatch.
TEST(CartesianPose, Width) {
  const Configuration configuration = duo::configuration(duo::raw_in_every_mode());
  auto chunk = duo::poses({{1.5, 0, 0.1, 0, 0, 0, 1}});
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
  chunk->horizon = 1000;
  chunk->value_count = 1000;
  EXPECT_EQ("value_count", name(check_shape(configuration, *chunk)));
  chunk = duo::cartesian({{0, 0, 0, 0, 0, 0, 0, 0}}, ControlMode::kCartesianTwist);
  chunk->horizon = 8;
  chunk->value_count = 8 * 7;
  EXPECT_EQ("value_count", name(check_shape(configuration, *chunk)));
  chunk->value_count = 8 * 6;
  EXPECT_TRUE(check_shape(configuration, *chunk).ok());
  chunk->name_count = 3;
  EXPECT_EQ("joint_names", name(check_shape(configuration, *chunk)));
}

}  // namespace
}  // namespace openral::safety
