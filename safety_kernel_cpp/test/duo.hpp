// Chunks for the small robot of duo_robot.hpp.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "chunk.hpp"
#include "duo_robot.hpp"

namespace openral::safety::duo {

inline constexpr double kDt = 0.02;              // [s] between rows; four ticks of 5 ms
inline constexpr Nanoseconds kTick = 5'000'000;  // 200 Hz
inline constexpr Nanoseconds kMillisecond = 1'000'000;

inline Configuration configuration(const RawConfiguration& values = raw()) {
  Configuration configuration;
  const auto error = configure(values, configuration);
  EXPECT_FALSE(error.has_value()) << error->text();
  return configuration;
}

using Rows = std::vector<std::vector<double>>;

// A whole timeline of joint positions that ends at rest. Chunks are large: on the heap.
inline std::unique_ptr<Chunk> chunk(const Rows& rows) {
  auto chunk = std::make_unique<Chunk>();
  chunk->robot.assign("duo");
  chunk->skill_id.assign("reach");
  chunk->epoch = 1;
  chunk->sequence = 1;
  chunk->timeline = 1;
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointPosition);
  chunk->last = true;
  chunk->dt = kDt;
  chunk->horizon = rows.size();
  chunk->name_count = 3;
  chunk->joint_names[0].assign("shoulder");
  chunk->joint_names[1].assign("elbow");
  chunk->joint_names[2].assign("finger");
  for (const auto& row : rows) {
    for (const double value : row) chunk->values[chunk->value_count++] = value;
  }
  return chunk;
}

// A whole timeline of body twists.
inline std::unique_ptr<Chunk> twists(const Rows& rows) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kBodyTwist);
  chunk->name_count = 0;
  return chunk;
}

// The shoulder moves from `start`: each entry is its speed [rad/s] on the way to the next row.
inline Rows shoulder_rows(const std::vector<double>& speeds, double start = 0, double elbow = 0,
                          double finger = 0.04) {
  Rows rows = {{start, elbow, finger}};
  for (const double speed : speeds) {
    start += speed * kDt;
    rows.push_back({start, elbow, finger});
  }
  return rows;
}

// Speeds that rise by 0.2 rad/s a row (the shoulder's acceleration limit) to `top`, keep it for
// `cruise` rows and fall again.
inline std::vector<double> trapezoid(int steps, int cruise) {
  std::vector<double> speeds;
  for (int i = 1; i <= steps; ++i) speeds.push_back(0.2 * i);
  for (int i = 0; i < cruise; ++i) speeds.push_back(0.2 * steps);
  for (int i = steps; i >= 1; --i) speeds.push_back(0.2 * i);
  return speeds;
}

}  // namespace openral::safety::duo
