// The small robot of duo_robot.hpp: its configuration, and chunks for it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "chunk.hpp"
#include "duo_robot.hpp"
#include "reason.hpp"

namespace openral::safety::duo {

inline constexpr double kDt = 0.02;              // [s] between rows; four ticks of 5 ms
inline constexpr Nanoseconds kTick = 5'000'000;  // 200 Hz
inline constexpr Nanoseconds kMillisecond = 1'000'000;

Configuration configuration(const RawConfiguration& values = raw());
// Of values that are refused.
ConfigurationError error_of(const RawConfiguration& values);
// Without this number of `good`, or with one of `bad` in its place, the values are refused by its
// name.
void expect_needed_in_range(const RawConfiguration& good, const std::string& name,
                            const std::vector<double>& bad);

using Rows = std::vector<std::vector<double>>;

// A whole timeline of joint positions that ends at rest. Chunks are large: on the heap.
std::unique_ptr<Chunk> chunk(const Rows& rows);

// Of the gripper alone.
std::unique_ptr<Chunk> gripper(const std::vector<double>& positions);

// A whole timeline of body twists.
std::unique_ptr<Chunk> twists(const Rows& rows);

// The shoulder moves from `start`: each entry is its speed [rad/s] on the way to the next row.
Rows shoulder_rows(const std::vector<double>& speeds, double start = 0, double elbow = 0,
                   double finger = 0.04);

// Speeds that rise by 0.2 rad/s a row (the shoulder's acceleration limit) to `top`, keep it for
// `cruise` rows and fall again.
std::vector<double> trapezoid(int steps, int cruise);

// The shoulder moves up to 0.6 rad/s and down again: 0.02 (0.2 + 0.4 + 0.6 * 11 + 0.4 + 0.2) =
// 0.156 rad in 15 rows.
std::unique_ptr<Chunk> reach(double start = 0);
// So does it, in 50 rows.
std::unique_ptr<Chunk> long_reach();

// What a finding says, digit for digit.
void expect_finding(const Finding& finding, Reason reason, int row, int joint, double value,
                    double limit);

}  // namespace openral::safety::duo
