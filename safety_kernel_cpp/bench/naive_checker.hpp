// What a first version of the admission would be: every value looked up by row and joint, one pass
// per law, link frames as 4 x 4 matrices made anew from roll, pitch and yaw. The bench measures
// against it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../core/configuration.hpp"

namespace openral::safety::naive {

using Matrix = std::vector<std::vector<double>>;

struct Joint {
  std::vector<double> xyz;
  std::vector<double> rpy;
};

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(4, std::vector<double>(4, 0));
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      for (int k = 0; k < 4; ++k) out[r][c] += a[r][k] * b[k][c];
    }
  }
  return out;
}

inline Matrix turned(char axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  if (axis == 'x') return {{1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, 0}, {0, 0, 0, 1}};
  if (axis == 'y') return {{c, 0, s, 0}, {0, 1, 0, 0}, {-s, 0, c, 0}, {0, 0, 0, 1}};
  return {{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
}

inline Matrix moved(const std::vector<double>& by) {
  return {{1, 0, 0, by[0]}, {0, 1, 0, by[1]}, {0, 0, 1, by[2]}, {0, 0, 0, 1}};
}

// Link points of a row, the tool last.
inline std::vector<std::vector<double>> points(const std::vector<Joint>& chain,
                                               const std::vector<double>& tool,
                                               const std::vector<double>& q) {
  Matrix frame = moved({0, 0, 0});
  std::vector<std::vector<double>> out;
  const auto note = [&] { out.push_back({frame[0][3], frame[1][3], frame[2][3]}); };
  for (std::size_t j = 0; j < chain.size(); ++j) {
    frame = product(frame, moved(chain[j].xyz));
    note();
    frame = product(frame, turned('z', chain[j].rpy[2]));
    frame = product(frame, turned('y', chain[j].rpy[1]));
    frame = product(frame, turned('x', chain[j].rpy[0]));
    frame = product(frame, turned('z', q[j]));
  }
  frame = product(frame, moved(tool));
  note();
  return out;
}

// Position, speed, acceleration, jerk, room to stop, workspace and tool speed.
inline bool admits(const Configuration& configuration, const std::vector<Joint>& chain,
                   const std::vector<double>& tool, const Matrix& rows, double dt) {
  const std::size_t width = configuration.joint_count;
  std::vector<std::vector<double>> last_points;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto speed = [&](std::size_t row, std::size_t j) {
      return row == 0 ? 0 : (rows[row][j] - rows[row - 1][j]) / dt;
    };
    for (std::size_t j = 0; j < width; ++j) {
      const JointLimits& limits = configuration.limits[j];
      if (!(rows[r][j] >= limits.position_min && rows[r][j] <= limits.position_max)) return false;
      if (std::abs(speed(r, j)) > limits.velocity_max * 1.001) return false;
      const double a = r < 2 ? 0 : (speed(r, j) - speed(r - 1, j)) / dt;
      if (std::abs(a) > limits.acceleration_max * 1.001) return false;
      const double before = r < 3 ? a : (speed(r - 1, j) - speed(r - 2, j)) / dt;
      if (std::abs(a - before) / dt > limits.jerk_max * 1.001) return false;
    }
    std::vector<double> end = rows[r];
    for (std::size_t j = 0; j < width; ++j) {
      const double v = speed(r, j);
      end[j] += v * std::abs(v) / 2 / configuration.limits[j].acceleration_max +
                v * configuration.brake_delay;
      if (end[j] < configuration.limits[j].position_min) return false;
      if (end[j] > configuration.limits[j].position_max) return false;
    }
    const auto now = points(chain, tool, rows[r]);
    for (const auto& place : {now, points(chain, tool, end)}) {
      for (const auto& point : place) {
        for (std::size_t i = 0; i < 3; ++i) {
          if (point[i] < configuration.arm.workspace_min[i]) return false;
          if (point[i] > configuration.arm.workspace_max[i]) return false;
        }
      }
    }
    if (r > 0) {
      double square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double step = now.back()[i] - last_points.back()[i];
        square += step * step;
      }
      if (std::sqrt(square) / dt > configuration.arm.tool_speed_max * 1.001) return false;
    }
    last_points = now;
  }
  return true;
}

}  // namespace openral::safety::naive
