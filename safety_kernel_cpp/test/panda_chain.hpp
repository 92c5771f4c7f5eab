// The Panda's chain, written from Franka's Denavit-Hartenberg table (Craig's convention) and not
// from the robot's file:
//
//   joint     1      2      3      4       5        6      7
//   a         0      0      0      0.0825  -0.0825  0      0.088   [m]
//   d         0.333  0      0.316  0       0.384    0      0       [m]
//   alpha     0      -90    90     90      -90      90     90      [degrees]
//
// Craig: turn by alpha about x, go a along x, then turn about z and go d along the new z, that is
// (a, -d sin alpha, d cos alpha) in the frame before.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "kinematic_chain.hpp"

namespace openral::safety::panda {

inline constexpr double kA[] = {0, 0, 0, 0.0825, -0.0825, 0, 0.088};
inline constexpr double kD[] = {0.333, 0, 0.316, 0, 0.384, 0, 0};
inline constexpr int kQuarters[] = {0, -1, 1, 1, -1, 1, 1};  // alpha / 90 degrees
inline constexpr double kTool = 0.2104;                      // flange 0.107, hand 0.1034

inline Chain chain() {
  Chain chain;
  for (std::size_t i = 0; i < 7; ++i) {
    const double alpha = kQuarters[i] * M_PI / 2;
    const Vector3 xyz = {kA[i], -kD[i] * kQuarters[i], kQuarters[i] == 0 ? kD[i] : 0};
    EXPECT_TRUE(chain.joints.push(chain_joint(i, xyz, {alpha, 0, 0}, {0, 0, 1})));
  }
  chain.tool = {0, 0, kTool};
  return chain;
}

}  // namespace openral::safety::panda
