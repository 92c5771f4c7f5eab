// Random motions for laws: seeded, so that a failing case is named by its number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "duo.hpp"

namespace openral::safety::duo {

// Cases per law: OPENRAL_LAW_CASES, else 10^4.
inline int law_cases() {
  const char* given = std::getenv("OPENRAL_LAW_CASES");
  return given == nullptr ? 10'000 : std::max(1, std::atoi(given));
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  [[nodiscard]] double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  [[nodiscard]] int whole(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(engine_);
  }
  [[nodiscard]] bool chance(double probability) { return real(0, 1) < probability; }

  // Speeds of one joint that change by at most `rough` times what a row may change, up to `fast`
  // times the limit.
  [[nodiscard]] Rows rows(int count, const JointArray& start, double fast, double rough) {
    const double top[] = {1, 0.5, 0.1};
    const double change[] = {0.2, 0.1, 0.04};
    double position[] = {start[0], start[1], start[2]};
    double speed[] = {0, 0, 0};
    Rows rows = {{position[0], position[1], position[2]}};
    for (int r = 1; r < count; ++r) {
      for (int j = 0; j < 3; ++j) {
        speed[j] += real(-1, 1) * change[j] * rough;
        speed[j] = std::min(std::max(speed[j], -top[j] * fast), top[j] * fast);
        // Comes to rest at the end, as fast as it may.
        const double left = change[j] * (count - 1 - r + 0.5);
        speed[j] = std::min(std::max(speed[j], -left), left);
        position[j] += speed[j] * kDt;
      }
      rows.push_back({position[0], position[1], position[2]});
    }
    return rows;
  }

  // Some are clearly good, some touch a limit, some break one.
  [[nodiscard]] std::unique_ptr<Chunk> any_chunk() {
    const bool near_limits = chance(0.3);
    JointArray start = {real(-1.5, 1.5), real(-0.6, 0.6), real(0.01, 0.03)};
    if (near_limits) start = {real(1.6, 2), real(-1, -0.7), real(0, 0.005)};
    auto chunk = duo::chunk(rows(whole(1, 24), start, real(0.2, 1.2), real(0.1, 1.2)));
    chunk->last = chance(0.5);
    if (chance(0.2)) {
      chunk->values[static_cast<std::size_t>(whole(0, static_cast<int>(chunk->value_count) - 1))] +=
          real(-0.05, 0.05);
    }
    if (chance(0.2)) chunk->dt = real(0.005, 0.1);
    return chunk;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace openral::safety::duo
