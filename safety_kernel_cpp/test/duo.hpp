// A small robot with round numbers, and chunks for it, so that expected values can be worked by
// hand.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "chunk.hpp"
#include "configuration.hpp"

namespace openral::safety::duo {

inline constexpr double kDt = 0.02;              // [s] between rows; four ticks of 5 ms
inline constexpr Nanoseconds kTick = 5'000'000;  // 200 Hz
inline constexpr Nanoseconds kMillisecond = 1'000'000;

// joint      position    velocity  acceleration  change of velocity per row  stop from full speed
// shoulder   -2 .. 2     1         10            0.2                         0.1 s, 20 ticks
// elbow      -1 .. 1     0.5       5             0.1                         0.1 s, 20 ticks
// finger     0 .. 0.04   0.1       2             0.04                        0.05 s, 10 ticks
inline RawConfiguration raw() {
  RawConfiguration raw;
  raw.numbers = {
      {"loop.rate_hz", 200},
      {"loop.late_tolerance_s", 0.005},
      {"loop.late_ticks_max", 3},
      {"lease_s", 0.015},
      {"chunk.age_max_s", 0.08},
      {"chunk.dt_min_s", 0.005},
      {"chunk.dt_max_s", 0.1},
      {"chunk.horizon_max", 1024},
      {"observation.age_max_s", 0.1},
      {"observation.future_max_s", 0.02},
      {"observation.frozen_ticks_max", 10},
      {"joint_state.age_max_s", 0.05},
      {"tracking.ticks_max", 3},
      {"brake.delay_s", 0.005},
      {"state.rest_velocity", 0.02},
      {"state.position_margin", 0.01},
      {"state.velocity_factor", 3},
      {"estop.heartbeat_s", 0.5},
      {"estop.cooldown_s", 1},
  };
  const auto joint = [&](const std::string& name, std::initializer_list<double> values) {
    auto value = values.begin();
    for (const auto& field : joint_fields()) {
      raw.numbers["robot.limits." + name + "." + field.name] = *value++;
    }
  };
  joint("shoulder", {-2, 2, 1, 10, 2000, 0.1, 0.1});
  joint("elbow", {-1, 1, 0.5, 5, 1000, 0.1, 0.1});
  joint("finger", {0, 0.04, 0.1, 2, 1000, 0.01, 0.08});
  raw.texts["robot.name"] = "duo";
  raw.lists["robot.joints"] = {"shoulder", "elbow", "finger"};
  raw.lists["robot.gripper_joints"] = {"finger"};
  raw.lists["modes.enabled"] = {"joint_position", "gripper_position"};
  raw.flags["estop.required"] = false;
  return raw;
}

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
