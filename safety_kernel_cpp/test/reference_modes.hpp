// A slow second opinion on chunks of every mode but joint positions, written from the limits'
// definitions and not from the kernel's code: orientations as rotation matrices instead of
// quaternions, one pass per law, in long double.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "chunk.hpp"
#include "configuration.hpp"
#include "reference_checker.hpp"

namespace openral::safety::reference {

using Real = long double;

// Collects what was found: broken, or so near to a limit that rounding decides.
class Judgement {
 public:
  void bound(Real value, Real limit) {
    const Real slack = 1e-6L * std::abs(limit) + 1e-7L;
    if (!(value <= limit + slack)) {
      broken_ = true;
    } else if (value > limit - slack) {
      near_ = true;
    }
  }
  void require(bool condition) { broken_ = broken_ || !condition; }
  void doubt() { near_ = true; }
  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] Verdict verdict() const {
    if (broken_) return Verdict::kInadmissible;
    return near_ ? Verdict::kOnTheLimit : Verdict::kAdmissible;
  }

 private:
  bool broken_ = false;
  bool near_ = false;
};

struct Vector {
  Real x = 0, y = 0, z = 0;
  [[nodiscard]] Real length() const { return std::sqrt(x * x + y * y + z * z); }
  [[nodiscard]] Vector minus(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
  [[nodiscard]] Vector times(Real k) const { return {x * k, y * k, z * k}; }
};

struct Matrix {
  Real m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

inline Matrix multiply(const Matrix& a, const Matrix& b, bool second_transposed = false) {
  Matrix out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      out.m[r][c] = 0;
      for (int k = 0; k < 3; ++k) {
        out.m[r][c] += a.m[r][k] * (second_transposed ? b.m[c][k] : b.m[k][c]);
      }
    }
  }
  return out;
}

// Of a unit quaternion, by its definition v' = q v q*.
inline Matrix matrix_of(Real x, Real y, Real z, Real w) {
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

// Rodrigues: I + sin a K + (1 - cos a) K^2.
inline Matrix matrix_of(const Vector& turn) {
  const Real angle = turn.length();
  if (angle == 0) return {};
  const Vector u = turn.times(1 / angle);
  const Matrix k = {{{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}}};
  const Matrix kk = multiply(k, k);
  Matrix out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      out.m[r][c] += std::sin(angle) * k.m[r][c] + (1 - std::cos(angle)) * kk.m[r][c];
    }
  }
  return out;
}

// The turn that leads from one to the other. Its direction is lost near half a turn.
inline Vector turn_from_to(const Matrix& from, const Matrix& to) {
  const Matrix d = multiply(to, from, true);
  const Vector twice_sine = {d.m[2][1] - d.m[1][2], d.m[0][2] - d.m[2][0], d.m[1][0] - d.m[0][1]};
  const Real sine = twice_sine.length() / 2;
  const Real angle = std::atan2(sine, (d.m[0][0] + d.m[1][1] + d.m[2][2] - 1) / 2);
  if (sine < 1e-15L) return {angle, 0, 0};
  return twice_sine.times(angle / (2 * sine));
}

// Of a chunk of a Cartesian mode that has the right shape; steps are added up from `start`, seven
// values.
class CartesianChecker {
 public:
  CartesianChecker(const Configuration& configuration, const Chunk& chunk,
                   const std::array<double, 7>& start)
      : configuration_(configuration), chunk_(chunk), start_(start) {}

  [[nodiscard]] Verdict check() {
    const std::size_t width = chunk_.control_mode == 4 ? 7 : 6;
    rows_ = static_cast<std::size_t>(chunk_.horizon);
    for (std::size_t i = 0; i < rows_ * width; ++i) {
      if (!std::isfinite(chunk_.values[i])) return Verdict::kInadmissible;
    }
    if (width == 7) {
      read_poses();
    } else {
      read_steps();
    }
    // What comes after is of no use where the rows have no meaning, nor where one is too fast.
    if (judgement_.broken()) return judgement_.verdict();
    places();
    if (judgement_.broken()) return judgement_.verdict();
    for (std::size_t row = 0; row < rows_; ++row) twists_.push_back(twist_into(row));
    rates();
    if (judgement_.broken()) return judgement_.verdict();
    stops();
    return judgement_.verdict();
  }

 private:
  struct Twist {
    Vector linear, angular;
  };

  void read_poses() {
    for (std::size_t row = 0; row < rows_; ++row) {
      const double* v = &chunk_.values[row * 7];
      const Real size =
          std::sqrt(Real(v[3]) * v[3] + Real(v[4]) * v[4] + Real(v[5]) * v[5] + Real(v[6]) * v[6]);
      judgement_.bound(std::abs(size - 1), 1e-3L);
      if (!(size > 0.5L)) return judgement_.require(false);
      points_.push_back({v[0], v[1], v[2]});
      turns_.push_back(matrix_of(v[3] / size, v[4] / size, v[5] / size, v[6] / size));
    }
  }
  void read_steps() {
    // A delta is its row's whole way, a twist its speed.
    const Real time = chunk_.control_mode == 5 ? 1 : Real(chunk_.dt);
    Vector point = {start_[0], start_[1], start_[2]};
    Matrix turn = matrix_of(start_[3], start_[4], start_[5], start_[6]);
    for (std::size_t row = 0; row < rows_; ++row) {
      const double* v = &chunk_.values[row * 6];
      const Vector way = Vector{v[0], v[1], v[2]}.times(time);
      const Vector by = Vector{v[3], v[4], v[5]}.times(time);
      judgement_.bound(way.length() / chunk_.dt, configuration_.arm.tool_speed_max);
      judgement_.bound(by.length() / chunk_.dt, configuration_.arm.rotation_speed_max);
      if (chunk_.last && row + 1 == rows_) {
        judgement_.require(way.length() == 0 && by.length() == 0);
      }
      points_.push_back(point);
      turns_.push_back(turn);
      point = {point.x + way.x, point.y + way.y, point.z + way.z};
      if (!judgement_.broken()) turn = multiply(matrix_of(by), turn);
    }
  }
  void in_box(const Vector& point) {
    const Real values[] = {point.x, point.y, point.z};
    for (int i = 0; i < 3; ++i) {
      judgement_.bound(values[i], configuration_.arm.workspace_max[i]);
      judgement_.bound(-values[i], -configuration_.arm.workspace_min[i]);
    }
  }
  void places() {
    for (const Vector& point : points_) in_box(point);
  }
  [[nodiscard]] Twist twist_into(std::size_t row) const {
    if (row == 0) return {};
    return {points_[row].minus(points_[row - 1]).times(1 / Real(chunk_.dt)),
            turn_from_to(turns_[row - 1], turns_[row]).times(1 / Real(chunk_.dt))};
  }
  [[nodiscard]] const Twist& twist(std::size_t row) const { return twists_[row]; }
  [[nodiscard]] Twist change(const Twist& a, const Twist& b) const {
    return {b.linear.minus(a.linear).times(1 / Real(chunk_.dt)),
            b.angular.minus(a.angular).times(1 / Real(chunk_.dt))};
  }
  void bound(const Twist& twist, Real linear, Real angular) {
    judgement_.bound(twist.linear.length(), linear);
    judgement_.bound(twist.angular.length(), angular);
  }
  void rates() {
    const CartesianLimits& limits = configuration_.cartesian;
    for (std::size_t row = 1; row < rows_; ++row) {
      bound(twist(row), configuration_.arm.tool_speed_max, configuration_.arm.rotation_speed_max);
    }
    for (std::size_t row = 2; row < rows_; ++row) {
      bound(change(twist(row - 1), twist(row)), limits.acceleration_max,
            limits.rotation_acceleration_max);
    }
    for (std::size_t row = 3; row < rows_; ++row) {
      bound(change(change(twist(row - 2), twist(row - 1)), change(twist(row - 1), twist(row))),
            limits.jerk_max, limits.rotation_jerk_max);
    }
    if (!chunk_.last || rows_ < 2) return;
    const Twist end = change(twist(rows_ - 1), {});
    bound(end, limits.acceleration_max, limits.rotation_acceleration_max);
    if (rows_ < 3) return;
    bound(change(change(twist(rows_ - 2), twist(rows_ - 1)), end), limits.jerk_max,
          limits.rotation_jerk_max);
  }
  // Counts a stop's ticks by trying one after the other.
  void stops() {
    const CartesianLimits& limits = configuration_.cartesian;
    const Real tick = configuration_.tick_seconds();
    for (std::size_t row = 1; row < rows_; ++row) {
      const Twist now = twist(row);
      std::size_t n = 0;
      while (n < 100000 && (now.linear.length() > limits.acceleration_max * tick * n ||
                            now.angular.length() > limits.rotation_acceleration_max * tick * n)) {
        ++n;
      }
      // One tick more or less where the count itself is a matter of rounding.
      for (const std::size_t count : {n, n + 1}) {
        const Real able = limits.acceleration_max * tick * count;
        const Real turning = limits.rotation_acceleration_max * tick * count;
        if (count > 0 && (std::abs(now.linear.length() - able) <= 1e-6L * able ||
                          std::abs(now.angular.length() - turning) <= 1e-6L * turning)) {
          judgement_.doubt();
        }
      }
      const Vector way = now.linear.times(n * tick / 2 + configuration_.brake_delay);
      const Vector& at = points_[row];
      in_box({at.x + way.x, at.y + way.y, at.z + way.z});
    }
  }

  const Configuration& configuration_;
  const Chunk& chunk_;
  const std::array<double, 7> start_;
  std::size_t rows_ = 0;
  std::vector<Vector> points_;
  std::vector<Matrix> turns_;
  std::vector<Twist> twists_;
  Judgement judgement_;
};

// Of a torque chunk that has the right shape.
[[nodiscard]] inline Verdict judge_torques(const Configuration& configuration, const Chunk& chunk) {
  const std::size_t width = configuration.joint_count;
  Judgement judgement;
  for (std::size_t joint = 0; joint < width; ++joint) {
    const JointTorqueLimits& limits = configuration.torque.joints[joint];
    for (std::size_t row = 0; row < chunk.horizon; ++row) {
      const double value = chunk.values[row * width + joint];
      if (!std::isfinite(value)) return Verdict::kInadmissible;
      judgement.require(value <= limits.effort_max && value >= -limits.effort_max);
      if (row == 0) continue;
      const Real before = chunk.values[(row - 1) * width + joint];
      judgement.bound(std::abs(value - before) / chunk.dt, limits.rate_max);
    }
    const Real end = chunk.values[(chunk.horizon - 1) * width + joint];
    if (chunk.last) judgement.bound(std::abs(end) / chunk.dt, limits.rate_max);
  }
  return judgement.verdict();
}

// Of joint velocities from `start` on: the positions that they add up to, and their own bounds.
[[nodiscard]] inline Verdict judge_velocities(const Configuration& configuration,
                                              const Chunk& chunk, const JointArray& start) {
  const std::size_t width = configuration.joint_count;
  Judgement judgement;
  Chunk positions;
  positions.copy_from(chunk);
  for (std::size_t joint = 0; joint < width; ++joint) {
    Real position = start[joint];
    for (std::size_t row = 0; row < chunk.horizon; ++row) {
      const double velocity = chunk.values[row * width + joint];
      if (!std::isfinite(velocity)) return Verdict::kInadmissible;
      judgement.bound(std::abs(velocity), configuration.limits[joint].velocity_max);
      if (chunk.last && row + 1 == chunk.horizon) judgement.require(velocity == 0);
      positions.values[row * width + joint] = static_cast<double>(position);
      position += Real(velocity) * chunk.dt;
    }
  }
  // Sums may miss a limit of positions by their rounding, which the checker takes exactly.
  for (std::size_t i = 0; i < chunk.horizon * width; ++i) {
    const JointLimits& limits = configuration.limits[i % width];
    judgement.bound(positions.values[i], limits.position_max);
    judgement.bound(-positions.values[i], -limits.position_min);
  }
  if (judgement.verdict() != Verdict::kAdmissible) return judgement.verdict();
  return Checker(configuration, positions).check();
}

// Of gripper positions: those of a whole arm that stands at `stand` otherwise.
[[nodiscard]] inline Verdict judge_gripper(const Configuration& configuration, const Chunk& chunk,
                                           const JointArray& stand) {
  const std::size_t width = configuration.joint_count;
  const std::size_t grippers = configuration.gripper_count;
  Chunk positions;
  positions.copy_from(chunk);
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    double* const values = &positions.values[row * width];
    std::copy_n(stand.begin(), width, values);
    for (std::size_t g = 0; g < grippers; ++g) {
      values[configuration.gripper_joints[g]] = chunk.values[row * grippers + g];
    }
  }
  positions.value_count = chunk.horizon * width;
  return Checker(configuration, positions).check();
}

// Of body twists from rest on.
[[nodiscard]] inline Verdict judge_twists(const Configuration& configuration, const Chunk& chunk) {
  constexpr std::size_t kAxes = 3;
  const Real tick = configuration.tick_seconds();
  Judgement judgement;
  Real before[kAxes] = {};
  for (std::size_t row = 0; row < chunk.horizon; ++row) {
    Real twist[kAxes];
    for (std::size_t i = 0; i < kAxes; ++i) {
      const BaseAxis& axis = configuration.base.axes[i];
      const double value = chunk.values[row * kAxes + i];
      if (!std::isfinite(value)) return Verdict::kInadmissible;
      if (axis.speed_max == 0) {  // there is no such axis
        judgement.require(value == 0);
        twist[i] = 0;
        continue;
      }
      if (chunk.last && row + 1 == chunk.horizon) judgement.require(value == 0);
      judgement.bound(std::abs(value), axis.speed_max);
      judgement.bound(std::abs(value - before[i]) / chunk.dt, axis.acceleration_max);
      twist[i] = before[i] = value;
    }
    if (judgement.broken()) return judgement.verdict();
    // A stop takes the fewest ticks in which every axis can come to rest; counted one by one.
    std::size_t ticks = 0;
    const auto rests = [&](std::size_t i) {
      const Real able = configuration.base.axes[i].acceleration_max * tick * ticks;
      if (ticks > 0 && std::abs(std::abs(twist[i]) - able) <= 1e-6L * able) judgement.doubt();
      return std::abs(twist[i]) <= able;
    };
    while (!(rests(0) && rests(1) && rests(2))) ++ticks;
    const Real time = ticks * tick / 2 + configuration.brake_delay;
    judgement.bound(std::hypot(twist[0], twist[1]) * time,
                    configuration.base.stopping_distance_max);
  }
  return judgement.verdict();
}

}  // namespace openral::safety::reference
