// Random motions for laws, made of draws: a failing case is named by its draws.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "duo.hpp"

namespace openral::safety::duo {

// Cases per law: what is given, else 10^4.
inline int law_cases(const char* given = std::getenv("OPENRAL_LAW_CASES")) {
  constexpr long kMost = 1'000'000'000;
  if (given == nullptr) return 10'000;
  char* end = nullptr;
  const long cases = std::strtol(given, &end, 10);
  if (*end != '\0' || cases < 1 || cases > kMost) {
    throw std::invalid_argument("OPENRAL_LAW_CASES = '" + std::string(given) +
                                "', valid: a whole number from 1 to 1000000000");
  }
  return static_cast<int>(cases);
}

// The draws of a case, each in [0, 1). Fewer and smaller ones make a smaller case: a draw of 0 is
// the lowest number, and no chance comes true.
using Draws = std::vector<double>;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // Replays draws; zeros when they are used up.
  explicit Random(const Draws& draws) : replay_(&draws) {}

  [[nodiscard]] double real(double low, double high) { return low + (high - low) * draw(); }
  [[nodiscard]] int whole(int low, int high) {
    return low + static_cast<int>(draw() * (static_cast<double>(high) - low + 1));
  }
  [[nodiscard]] bool chance(double probability) { return draw() >= 1 - probability; }

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
  double draw() {
    if (replay_ != nullptr) return next_ < replay_->size() ? (*replay_)[next_++] : 0;
    return static_cast<double>(engine_() >> 11) / 9007199254740992.0;  // 2^53
  }

  std::mt19937_64 engine_;
  const Draws* replay_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace openral::safety::duo
