// Laws of the Cartesian and torque modes, over random chunks and random runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "cartesian_pose.hpp"
#include "cartesian_steps.hpp"
#include "duo_in_every_mode.hpp"
#include "law.hpp"
#include "reference_modes.hpp"
#include "torque_rows.hpp"

namespace openral::safety {
namespace {

using duo::Random;
using reference::Verdict;

constexpr std::array<double, 7> kStart = {1.2, 0.1, 0.1, 0, 0, 0.6, 0.8};
constexpr ToolPose kStartPose = {{1.2, 0.1, 0.1}, {0, 0, 0.6, 0.8}};

// Twists that change by `rough` times what a row may change, and come to rest.
duo::Rows twist_rows(Random& random, int count, double rough) {
  duo::Rows rows;
  std::vector<double> twist(6, 0);
  for (int r = 0; r < count; ++r) {
    const bool plane = random.chance(0.5);
    for (std::size_t i = 0; i < 6; ++i) {
      twist[i] += random.real(-1, 1) * 0.12 * rough * (plane && i % 3 == 2 ? 0.1 : 1);
      const double left = 0.1 * (count - 1 - r);
      twist[i] = std::min(std::max(twist[i], -left), left);
      if (i == 2) twist[i] *= 0.5;  // the box is flat
    }
    rows.push_back(twist);
  }
  return rows;
}

std::unique_ptr<Chunk> any_steps(Random& random, ControlMode mode) {
  auto rows = twist_rows(random, random.whole(1, 20), random.real(0.2, 1.3));
  const double dt = random.chance(0.2) ? random.real(0.005, 0.1) : duo::kDt;
  if (mode == ControlMode::kCartesianDelta) {
    for (auto& row : rows) {
      for (double& value : row) value *= dt;
    }
  }
  auto chunk = duo::cartesian(rows, mode);
  chunk->dt = dt;
  chunk->last = random.chance(0.5);
  return chunk;
}

std::unique_ptr<Chunk> any_poses(Random& random) {
  const auto steps = any_steps(random, ControlMode::kCartesianTwist);
  auto poses = std::make_unique<Chunk>();
  add_up(*steps, kStartPose, *poses);
  poses->control_mode = static_cast<std::uint8_t>(ControlMode::kCartesianPose);
  for (std::size_t row = 0; row < poses->horizon; ++row) {
    const bool flip = random.chance(0.3);
    const double size = random.chance(0.05) ? random.real(0.998, 1.002) : 1;
    for (std::size_t i = 3; i < 7; ++i) poses->values[row * 7 + i] *= flip ? -size : size;
  }
  if (random.chance(0.2)) {
    const auto place =
        static_cast<std::size_t>(random.whole(0, static_cast<int>(poses->horizon) - 1));
    poses->values[place * 7 + static_cast<std::size_t>(random.whole(0, 2))] +=
        random.real(-0.01, 0.01);
  }
  return poses;
}

std::unique_ptr<Chunk> any_torques(Random& random) {
  const int count = random.whole(1, 20);
  const double top[] = {20, 10, 20};
  const double change[] = {20, 10, 20};
  const double rough = random.real(0.1, 1.05);
  std::vector<double> torque(3, 0);
  duo::Rows rows;
  for (int r = 0; r < count; ++r) {
    for (std::size_t j = 0; j < 3; ++j) {
      torque[j] += random.real(-1, 1) * change[j] * rough;
      torque[j] = std::min(std::max(torque[j], -top[j] * 1.01), top[j] * 1.01);
    }
    rows.push_back(torque);
  }
  auto chunk = duo::torques(rows);
  chunk->last = random.chance(0.5);
  return chunk;
}

Finding check_pose_chunk(const Configuration& configuration, const Chunk& chunk, Chunk& poses) {
  const Finding finding = read_poses(chunk, kStartPose.orientation, poses);
  return finding.ok() ? check_poses(configuration, poses) : finding;
}

Finding check_step_chunk(const Configuration& configuration, const Chunk& chunk, Chunk& poses) {
  const Finding finding = check_steps(configuration, chunk);
  if (!finding.ok()) return finding;
  add_up(chunk, kStartPose, poses);
  return check_poses(configuration, poses);
}

class ModeLaw : public testing::Test {
 protected:
  template <typename Law>
  void for_all(const char* name, Law&& law) {
    duo::for_all(name, [&](const duo::Case& c) {
      Random random = c.random();
      law(random);
    });
  }
  void agree(Verdict verdict, const Finding& finding) {
    if (verdict == Verdict::kOnTheLimit) return;
    const bool admissible = verdict == Verdict::kAdmissible;
    EXPECT_EQ(admissible, finding.ok())
        << reason_name(finding.reason) << " row " << finding.row << " value " << finding.value;
    (admissible ? admitted_ : refused_) += 1;
  }
  // The law says nothing where nothing is admitted, or nothing refused.
  void both_seen() const {
    EXPECT_GT(admitted_, duo::law_cases() / 20);
    EXPECT_GT(refused_, duo::law_cases() / 20);
  }

  const Configuration configuration_ = duo::configuration(duo::raw_in_every_mode());
  const std::unique_ptr<Chunk> poses_ = std::make_unique<Chunk>();
  int admitted_ = 0;
  int refused_ = 0;
};

TEST_F(ModeLaw, PosesAgreeWithTheReferenceChecker) {
  for_all("poses_reference", [&](Random& random) {
    const auto chunk = any_poses(random);
    agree(reference::CartesianChecker(configuration_, *chunk, kStart).check(),
          check_pose_chunk(configuration_, *chunk, *poses_));
  });
  both_seen();
}

TEST_F(ModeLaw, TwistsAndDeltasAgreeWithTheReferenceChecker) {
  for_all("steps_reference", [&](Random& random) {
    const auto mode =
        random.chance(0.5) ? ControlMode::kCartesianTwist : ControlMode::kCartesianDelta;
    const auto chunk = any_steps(random, mode);
    agree(reference::CartesianChecker(configuration_, *chunk, kStart).check(),
          check_step_chunk(configuration_, *chunk, *poses_));
  });
  both_seen();
}

TEST_F(ModeLaw, TorquesAgreeWithTheReferenceChecker) {
  const Columns columns = columns_of(configuration_, ControlMode::kJointTorque);
  for_all("torques_reference", [&](Random& random) {
    const auto chunk = any_torques(random);
    agree(reference::judge_torques(configuration_, *chunk),
          check_torques(configuration_, *chunk, columns));
  });
  both_seen();
}

TEST_F(ModeLaw, TighteningALimitNeverAdmitsMore) {
  const Columns columns = columns_of(configuration_, ControlMode::kJointTorque);
  for_all("tighter_modes", [&](Random& random) {
    Configuration tight = configuration_;
    CartesianLimits& limits = tight.cartesian;
    double* const tightened[] = {
        &limits.acceleration_max,           &limits.jerk_max,
        &limits.rotation_acceleration_max,  &limits.rotation_jerk_max,
        &tight.arm.tool_speed_max,          &tight.arm.rotation_speed_max,
        &tight.torque.joints[0].effort_max, &tight.torque.joints[1].rate_max};
    *tightened[random.whole(0, 7)] *= random.real(0.3, 1);
    tight.arm.workspace_max[1] -= random.real(0, 0.5);
    const auto poses = any_poses(random);
    if (check_pose_chunk(tight, *poses, *poses_).ok()) {
      EXPECT_TRUE(check_pose_chunk(configuration_, *poses, *poses_).ok());
    }
    const auto steps = any_steps(random, ControlMode::kCartesianTwist);
    if (check_step_chunk(tight, *steps, *poses_).ok()) {
      EXPECT_TRUE(check_step_chunk(configuration_, *steps, *poses_).ok());
    }
    const auto torques = any_torques(random);
    if (check_torques(tight, *torques, columns).ok()) {
      EXPECT_TRUE(check_torques(configuration_, *torques, columns).ok());
    }
  });
}

// q and -q are one orientation, in every row.
TEST_F(ModeLaw, TheSignOfAQuaternionChangesNothing) {
  const auto other = std::make_unique<Chunk>();
  for_all("signs", [&](Random& random) {
    auto chunk = any_poses(random);
    const Finding plain = check_pose_chunk(configuration_, *chunk, *poses_);
    for (std::size_t row = 0; row < chunk->horizon; ++row) {
      if (random.chance(0.5)) continue;
      for (std::size_t i = 3; i < 7; ++i) chunk->values[row * 7 + i] *= -1;
    }
    const Finding flipped = check_pose_chunk(configuration_, *chunk, *other);
    ASSERT_EQ(plain.reason, flipped.reason);
    if (!plain.ok()) return;
    for (std::size_t i = 0; i < chunk->horizon * 7; ++i) {
      ASSERT_EQ(poses_->values[i], other->values[i]);
    }
  });
}

TEST_F(ModeLaw, SlowerIsStillAdmitted) {
  for_all("slower_poses", [&](Random& random) {
    auto chunk = any_poses(random);
    if (!check_pose_chunk(configuration_, *chunk, *poses_).ok()) return;
    chunk->dt *= random.real(1.001, 2);
    EXPECT_TRUE(check_pose_chunk(configuration_, *chunk, *poses_).ok());
  });
}

TEST_F(ModeLaw, OneBadNumberAnywhereIsRefused) {
  const double bad[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e308, -1e308};
  const Columns columns = columns_of(configuration_, ControlMode::kJointTorque);
  for_all("bad_numbers_modes", [&](Random& random) {
    const std::unique_ptr<Chunk> chunks[] = {
        any_poses(random), any_steps(random, ControlMode::kCartesianDelta), any_torques(random)};
    for (const auto& chunk : chunks) {
      chunk->values[static_cast<std::size_t>(
          random.whole(0, static_cast<int>(chunk->value_count) - 1))] = bad[random.whole(0, 4)];
    }
    EXPECT_FALSE(check_pose_chunk(configuration_, *chunks[0], *poses_).ok());
    EXPECT_FALSE(check_step_chunk(configuration_, *chunks[1], *poses_).ok());
    EXPECT_FALSE(check_torques(configuration_, *chunks[2], columns).ok());
  });
}

// ---- whole runs

// Poses, twists and torques in turn, silences, e-stops, a disturbed arm: every command that is
// emitted keeps its limits.
TEST_F(ModeLaw, EmittedCommandsOfAnyRunRespectEveryLimit) {
  std::uint64_t poses = 0;
  std::uint64_t torques = 0;
  for_all("emitted_modes", [&](Random& random) {
    duo::Bench bench(duo::raw_in_every_mode());
    bench.obey = [&](const Command& command, JointState& state) {
      if (command.mode == ControlMode::kJointTorque) {
        for (std::size_t j = 0; j < 2; ++j) {
          state.velocity[j] += command.position[j] * 0.005;
          state.position[j] += state.velocity[j] * 0.005;
        }
        return;
      }
      duo::obey_poses(command, state);
    };
    bench.measured.position = {random.real(-0.6, 0.2), random.real(0.4, 0.8), 0.04};
    bench.ticks(2);
    bench.arm();
    std::unique_ptr<Chunk> chunk;
    Command last;
    int emitted = -100;
    for (int i = 0; i < 150; ++i) {
      if (i % 50 == 0 || bench.state() == State::kHolding) {
        const int what = random.whole(0, 2);
        if (what == 0) {
          duo::Rows rows;
          for (int r = 0; r < 14; ++r) {
            const double torque = 0.2 * std::min({r, 3, 13 - r}) * (r < 7 ? 1 : -1);
            rows.push_back({torque * random.real(0.5, 3), torque * random.real(-1, 1), 0});
          }
          rows.front() = rows.back() = {0, 0, 0};
          chunk = duo::torques(rows);
        } else {
          auto rows = twist_rows(random, 14, 0.8);
          rows.front() = rows.back();
          for (auto& row : rows) row[2] = row[3] = row[4] = row[5] = 0;
          chunk = duo::cartesian(
              rows, what == 1 ? ControlMode::kCartesianTwist : ControlMode::kCartesianDelta);
          if (what == 2) {
            for (std::size_t v = 0; v < chunk->value_count; ++v) chunk->values[v] *= duo::kDt;
          }
        }
        chunk->timeline = bench.status().timeline + 1;
      }
      if (i % 4 == 0 && !random.chance(0.02)) {
        bench.stamp(*chunk);
        bench.inputs.chunk = chunk.get();
      }
      if (random.chance(0.003)) bench.estop(true);
      if (random.chance(0.01)) bench.measured.position[1] += random.real(-0.03, 0.03);
      bench.driver_silent = random.chance(0.01) || (bench.driver_silent && random.chance(0.9));
      bench.inputs.reset = i % 60 == 50;
      bench.inputs.arm = i % 60 == 55;
      if (!bench.tick().emit) continue;
      const Command& now = bench.last;
      // A robot whose lease of three ticks is over has stopped by itself, and is held from there.
      const bool leased = i - emitted <= 3;
      const bool follows = leased && now.mode == last.mode && now.epoch == last.epoch;
      if (now.mode == ControlMode::kCartesianPose) {
        ++poses;
        for (std::size_t v = 0; v < 3; ++v) {
          ASSERT_GE(now.position[v], configuration_.arm.workspace_min[v]);
          ASSERT_LE(now.position[v], configuration_.arm.workspace_max[v]);
        }
        const double way =
            std::hypot(now.position[0] - last.position[0], now.position[1] - last.position[1],
                       now.position[2] - last.position[2]);
        if (follows) {
          ASSERT_LE(way, 1.2 * 1.0101 * 0.005);
        }
      } else if (now.mode == ControlMode::kJointTorque) {
        ++torques;
        for (std::size_t j = 0; j < 3; ++j) {
          const JointTorqueLimits& limits = configuration_.torque.joints[j];
          ASSERT_LE(std::abs(now.position[j]), limits.effort_max);
          if (!follows) continue;
          ASSERT_LE(std::abs(now.position[j] - last.position[j]),
                    limits.rate_max * 0.005 * (1 + 1e-6));
        }
      } else {
        for (std::size_t j = 0; j < 3; ++j) {
          ASSERT_GE(now.position[j], configuration_.limits[j].position_min);
          ASSERT_LE(now.position[j], configuration_.limits[j].position_max);
        }
      }
      last = now;
      emitted = i;
    }
  });
  EXPECT_GT(poses, static_cast<std::uint64_t>(duo::law_cases()) * 10);
  EXPECT_GT(torques, static_cast<std::uint64_t>(duo::law_cases()));
}

}  // namespace
}  // namespace openral::safety
