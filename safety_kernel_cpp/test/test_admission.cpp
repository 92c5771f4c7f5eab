#include "admission.hpp"

#include <cmath>
#include <limits>

#include "duo.hpp"
#include "duo_in_every_mode.hpp"
#include "duo_with_base.hpp"

namespace openral::safety {
namespace {

class Admission : public testing::Test {
 protected:
  [[nodiscard]] Finding shape(const Chunk& chunk) const {
    return check_shape(configuration_, chunk);
  }
  // Both checks, as the kernel makes them.
  [[nodiscard]] Finding check(const Chunk& chunk) const {
    if (Finding finding = shape(chunk); !finding.ok()) return finding;
    const Columns columns =
        columns_of(configuration_, static_cast<ControlMode>(chunk.control_mode));
    return check_rows(configuration_, chunk, columns, JointArray{0, 0, 0.04});
  }
  [[nodiscard]] static std::string name(const Finding& finding) {
    return std::string(reason_name(finding.reason));
  }

  const Configuration configuration_ = duo::configuration();
};

TEST_F(Admission, AdmitsAMotionAtItsLimits) {
  // 0.2, 0.4 … 1.0 rad/s: each step changes speed by a dt = 10 * 0.02, the top speed is
  // velocity_max.
  EXPECT_TRUE(check(*duo::chunk(duo::shoulder_rows(duo::trapezoid(5, 10)))).ok());
}

// Behaviour 3, closed modes.
TEST_F(Admission, ClosedModesRefuseEveryOtherByte) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  int admitted = 0;
  for (int byte = 0; byte < 256; ++byte) {
    chunk->control_mode = static_cast<std::uint8_t>(byte);
    const Finding finding = shape(*chunk);
    if (byte == 1) {
      EXPECT_TRUE(finding.ok());
      ++admitted;
    } else if (byte == 8) {
      EXPECT_EQ("joint_names", name(finding));  // known and enabled; the names are another mode's
    } else if (byte >= 2 && byte <= 7) {
      EXPECT_EQ("mode_disabled", name(finding));
    } else {
      EXPECT_EQ("mode_unknown", name(finding));
    }
  }
  EXPECT_EQ(1, admitted);
}

// With every mode enabled that is bounded here.
TEST_F(Admission, ClosedModesWithEveryBoundedModeEnabled) {
  RawConfiguration raw = duo::raw_in_every_mode();
  for (const auto& [name, value] : duo::raw_with_base().numbers) raw.numbers[name] = value;
  raw.lists["robot.modes"].push_back("body_twist");
  const Configuration all = duo::configuration(raw);
  auto chunk = duo::chunk({{0, 0, 0.04}});
  for (int byte = 0; byte < 256; ++byte) {
    chunk->control_mode = static_cast<std::uint8_t>(byte);
    const std::string found = name(check_shape(all, *chunk));
    if (byte >= 1 && byte <= 3) {
      EXPECT_EQ("", found) << byte;
    } else if (byte >= 4 && byte <= 8) {
      EXPECT_EQ("joint_names", found) << byte;  // of another mode
    } else {
      EXPECT_EQ("mode_unknown", found) << byte;
    }
  }
}

TEST_F(Admission, GripperChunkMovesTheGripperAlone) {
  auto chunk = duo::chunk({{0.04}, {0.0392}, {0.0384}});  // 0.04 m/s
  chunk->control_mode = 8;
  chunk->name_count = 1;
  chunk->joint_names[0].assign("finger");
  EXPECT_TRUE(check(*chunk).ok());
  chunk->values[2] = 0.0412;
  const Finding finding = check(*chunk);
  EXPECT_EQ("position_limit", name(finding));
  EXPECT_EQ(2, finding.joint);
  EXPECT_EQ(2, finding.row);
  EXPECT_EQ(0.0412, finding.value);
  EXPECT_EQ(0.04, finding.limit);
}

// Case width-mismatch, behaviour 4.
TEST_F(Admission, WidthMismatchIsRefusedBeforeAnyValueIsRead) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->value_count = 2;
  EXPECT_EQ("value_count", name(shape(*chunk)));
  chunk->value_count = 4;
  EXPECT_EQ("value_count", name(shape(*chunk)));
  // CARTESIAN_POSE with width 1 and horizon 1000.
  chunk->control_mode = 4;
  chunk->horizon = 1000;
  chunk->value_count = 1000;
  EXPECT_EQ("mode_disabled", name(shape(*chunk)));
  chunk->control_mode = 1;
  EXPECT_EQ("value_count", name(shape(*chunk)));
  // 1431655766 * 3 = 4294967298 = 2 modulo 2^32.
  chunk->horizon = 1431655766;
  chunk->value_count = 2;
  EXPECT_EQ("horizon", name(shape(*chunk)));
  chunk->horizon = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ("horizon", name(shape(*chunk)));
  chunk->horizon = 0;
  EXPECT_EQ("horizon", name(shape(*chunk)));
  chunk->horizon = 1;
  chunk->name_count = 17;
  EXPECT_EQ("joint_names", name(shape(*chunk)));
}

TEST_F(Admission, HorizonCap) {
  auto chunk = duo::chunk(duo::Rows(1024, {0, 0, 0.04}));
  EXPECT_TRUE(check(*chunk).ok());
  chunk = duo::chunk(duo::Rows(1025, {0, 0, 0.04}));
  EXPECT_EQ("horizon", name(shape(*chunk)));
}

// Case swapped-joints, behaviour 6: all orders of three names, of which one is the robot's.
TEST_F(Admission, SwappedJointsAreRefusedByName) {
  const char* const names[] = {"shoulder", "elbow", "finger"};
  int admitted = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int c = 0; c < 3; ++c) {
        auto chunk = duo::chunk({{0, 0, 0.04}});
        chunk->joint_names[0].assign(names[a]);
        chunk->joint_names[1].assign(names[b]);
        chunk->joint_names[2].assign(names[c]);
        const Finding finding = shape(*chunk);
        if (finding.ok()) {
          ++admitted;
          continue;
        }
        EXPECT_EQ("joint_names", name(finding));
        EXPECT_EQ(a != 0 ? 0 : b != 1 ? 1 : 2, finding.joint);
      }
    }
  }
  EXPECT_EQ(1, admitted);
}

TEST_F(Admission, UnknownAndCutNamesAreRefused) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->joint_names[1].assign("wrist");
  EXPECT_EQ("joint_names", name(shape(*chunk)));
  chunk = duo::chunk({{0, 0, 0.04}});
  chunk->name_count = 2;
  EXPECT_EQ("joint_names", name(shape(*chunk)));
  chunk = duo::chunk({{0, 0, 0.04}});
  chunk->robot.assign("duo" + std::string(62, 'x'));  // 65 bytes
  EXPECT_EQ("robot_mismatch", name(shape(*chunk)));
}

// Behaviour 7, provenance.
TEST_F(Admission, ProvenanceOfRobotAndSkill) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->robot.assign("panda");
  EXPECT_EQ("robot_mismatch", name(shape(*chunk)));
  chunk->robot.assign("");
  EXPECT_EQ("robot_mismatch", name(shape(*chunk)));
  RawConfiguration raw = duo::raw();
  raw.lists["skills.allowed"] = {"reach", "place"};
  const Configuration strict = duo::configuration(raw);
  chunk = duo::chunk({{0, 0, 0.04}});
  EXPECT_TRUE(check_shape(strict, *chunk).ok());
  chunk->skill_id.assign("dance");
  EXPECT_EQ("skill_refused", name(check_shape(strict, *chunk)));
}

TEST_F(Admission, ProvenanceOfTheConfiguration) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->configuration_hash = configuration_.hash;
  EXPECT_TRUE(shape(*chunk).ok());
  chunk->configuration_hash ^= 1;
  EXPECT_EQ("configuration_mismatch", name(shape(*chunk)));
  // An older client names none.
  chunk->configuration_hash = 0;
  EXPECT_TRUE(shape(*chunk).ok());
  RawConfiguration raw = duo::raw();
  raw.flags["provenance.hash_required"] = true;
  const Configuration strict = duo::configuration(raw);
  EXPECT_EQ("configuration_mismatch", name(check_shape(strict, *chunk)));
  chunk->configuration_hash = strict.hash;
  EXPECT_TRUE(check_shape(strict, *chunk).ok());
  EXPECT_NE(strict.hash, configuration_.hash);
}

TEST_F(Admission, TimeStepHasARange) {
  auto chunk = duo::chunk({{0, 0, 0.04}});
  for (const double dt :
       {0.0, -0.02, 0.0049, 0.1001, std::nan(""), std::numeric_limits<double>::infinity()}) {
    chunk->dt = dt;
    EXPECT_EQ("dt", name(shape(*chunk))) << dt;
  }
  for (const double dt : {0.005, 0.1}) {
    chunk->dt = dt;
    EXPECT_TRUE(shape(*chunk).ok()) << dt;
  }
}

// Behaviour 5: one bad value in every place of a chunk.
TEST_F(Admission, FiniteEverywhere) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (std::size_t i = 0; i < 12; ++i) {
      auto chunk = duo::chunk(duo::Rows(4, {0, 0, 0.04}));
      chunk->values[i] = bad;
      const Finding finding = check(*chunk);
      EXPECT_EQ("not_finite", name(finding));
      EXPECT_EQ(static_cast<int>(i / 3), finding.row);
      EXPECT_EQ(static_cast<int>(i % 3), finding.joint);
    }
  }
}

TEST_F(Admission, PositionLimitIsInclusive) {
  EXPECT_TRUE(check(*duo::chunk({{2, -1, 0}})).ok());
  const Finding high = check(*duo::chunk({{std::nextafter(2.0, 3.0), 0, 0}}));
  EXPECT_EQ("position_limit", name(high));
  EXPECT_EQ(0, high.joint);
  EXPECT_EQ(2, high.limit);
  const Finding low = check(*duo::chunk({{0, -1.5, 0}}));
  EXPECT_EQ("position_limit", name(low));
  EXPECT_EQ(-1, low.limit);
}

// Case one-row-too-fast: 1.5 v_max.
TEST_F(Admission, OneRowTooFastIsRefused) {
  // The shoulder at 1 rad/s; one row of 0.03 rad in 0.02 s is 1.5 rad/s.
  std::vector<double> speeds = duo::trapezoid(5, 10);
  speeds[8] = 1.5;
  const Finding finding = check(*duo::chunk(duo::shoulder_rows(speeds)));
  EXPECT_EQ("velocity_limit", name(finding));
  EXPECT_EQ(9, finding.row);
  EXPECT_EQ(0, finding.joint);
  EXPECT_NEAR(1.5, finding.value, 1e-12);
  EXPECT_EQ(1, finding.limit);
}

// Case big-step.
TEST_F(Admission, BigStepIsRefused) {
  auto chunk = duo::chunk({{-2, 0, 0.04}, {2, 0, 0.04}});
  chunk->dt = 0.1;
  const Finding finding = check(*chunk);
  EXPECT_EQ("step_limit", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_EQ(4, finding.value);
  EXPECT_EQ(0.1, finding.limit);
  // A step within v dt = 1 * 0.2 that is still too big for one row.
  RawConfiguration raw = duo::raw();
  raw.numbers["chunk.dt_max_s"] = 0.2;
  chunk = duo::chunk({{0, 0, 0.04}, {0.11, 0, 0.04}});
  chunk->dt = 0.2;
  const Configuration slow = duo::configuration(raw);
  EXPECT_EQ("step_limit",
            name(check_rows(slow, *chunk, columns_of(slow, ControlMode::kJointPosition), {})));
}

// Behaviour 14.
TEST_F(Admission, KinematicsAcceleration) {
  // 0.2 then 0.41 rad/s: (0.41 - 0.2) / 0.02 = 10.5 rad/s^2 over 10.
  const Finding finding = check(*duo::chunk(duo::shoulder_rows({0.2, 0.41, 0.4, 0.2})));
  EXPECT_EQ("acceleration_limit", name(finding));
  EXPECT_EQ(2, finding.row);
  EXPECT_NEAR(10.5, finding.value, 1e-9);
  EXPECT_EQ(10, finding.limit);
}

TEST_F(Admission, KinematicsJerk) {
  RawConfiguration raw = duo::raw();
  raw.numbers["robot.limits.shoulder.jerk_max"] = 400;
  const Configuration smooth = duo::configuration(raw);
  const auto jerk = [&](std::vector<double> speeds) {
    const auto chunk = duo::chunk(duo::shoulder_rows(speeds));
    return check_rows(smooth, *chunk, columns_of(smooth, ControlMode::kJointPosition), {});
  };
  // Accelerations 5, 10, 5 rad/s^2 … change by 5 in 0.02 s: 250 rad/s^3.
  EXPECT_TRUE(jerk({0.1, 0.2, 0.4, 0.5, 0.5, 0.4, 0.2, 0.1}).ok());
  // From +10 to -10 rad/s^2 in one row: 1000 rad/s^3.
  const Finding finding = jerk({0.1, 0.2, 0.4, 0.2, 0.1});
  EXPECT_EQ("jerk_limit", name(finding));
  EXPECT_EQ(4, finding.row);
  EXPECT_NEAR(1000, finding.value, 1e-6);
}

// Behaviour 15.
TEST_F(Admission, ViabilityLeavesRoomToStop) {
  // At 1 rad/s a stop takes 20 ticks and 1 * (20 * 0.005 / 2 + 0.005) = 0.055 rad. Row 16, the last
  // at full speed, lies 0.02 (0.2 + 0.4 + 0.6 + 0.8) + 12 * 0.02 = 0.28 rad after the start: 2 -
  // 0.055 - 0.28 = 1.665.
  const auto speeds = duo::trapezoid(5, 10);
  EXPECT_TRUE(check(*duo::chunk(duo::shoulder_rows(speeds, 1.6649))).ok());
  const Finding finding = check(*duo::chunk(duo::shoulder_rows(speeds, 1.6651)));
  EXPECT_EQ("viability", name(finding));
  EXPECT_EQ(16, finding.row);
  EXPECT_NEAR(2.0001, finding.value, 1e-9);
  EXPECT_EQ(2, finding.limit);
}

// The first segment too: 1 rad/s, of which nothing says that it began at rest, from 1.9251
// to 1.9451.
TEST_F(Admission, ViabilityFromTheFirstSegmentOn) {
  auto chunk = duo::chunk(duo::shoulder_rows({1}, 1.9249));
  chunk->last = false;
  EXPECT_TRUE(check(*chunk).ok());
  chunk = duo::chunk(duo::shoulder_rows({1}, 1.9251));
  chunk->last = false;
  const Finding finding = check(*chunk);
  EXPECT_EQ("viability", name(finding));
  EXPECT_EQ(1, finding.row);
  EXPECT_NEAR(2.0001, finding.value, 1e-9);
}

TEST_F(Admission, EndNotAtRest) {
  auto chunk = duo::chunk(duo::shoulder_rows({0.2, 0.4}));
  const Finding finding = check(*chunk);
  EXPECT_EQ("end_not_at_rest", name(finding));
  EXPECT_NEAR(20, finding.value, 1e-9);  // 0.4 / 0.02
  chunk->last = false;
  EXPECT_TRUE(check(*chunk).ok());
}

}  // namespace
}  // namespace openral::safety
