// Laws over seeded random cases. A case that breaks its law is shrunk: the law is tried again on
// fewer and smaller draws, as long as it is still broken, and the smallest is reported.
//
//   for_all("mirrored_motion", [](const Case& c) {
//     Random random = c.random();   // the same draws each time that the case is asked
//     EXPECT_EQ(...);
//   });
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "generator.hpp"

namespace openral::safety::duo {

class Case {
 public:
  explicit Case(std::uint64_t seed) : seed_(seed) {}
  Case(std::uint64_t seed, Draws draws) : seed_(seed), draws_(std::move(draws)), replays_(true) {}

  [[nodiscard]] Random random() const { return replays_ ? Random(draws_) : Random(seed_); }
  // More than any law draws.
  [[nodiscard]] Draws first_draws() const {
    Random random(seed_);
    Draws draws(20'000);
    for (double& draw : draws) draw = random.real(0, 1);
    return draws;
  }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  Draws draws_;
  bool replays_ = false;
};

template <typename Law>
class Shrinker {
 public:
  Shrinker(Law& law, std::uint64_t seed) : law_(law), seed_(seed) {}

  // The smallest draws that still break the law.
  [[nodiscard]] Draws shrink(Draws draws) {
    best_ = std::move(draws);
    bool better = true;
    while (better && tries_ < kTries) {
      better = shorten();
      better = drop_blocks() || better;
      better = lower() || better;
    }
    return best_;
  }
  [[nodiscard]] int tries() const { return tries_; }

  [[nodiscard]] static bool breaks(Law& law, const Case& c) {
    testing::TestPartResultArray results;
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    law(c);
    return results.size() > 0;
  }

 private:
  static constexpr int kTries = 3000;

  bool accept(const Draws& draws) {
    if (tries_ >= kTries) return false;
    ++tries_;
    if (!breaks(law_, Case(seed_, draws))) return false;
    best_ = draws;
    return true;
  }
  bool shorten() {
    bool better = false;
    while (!best_.empty()) {
      if (!accept(Draws(best_.begin(), best_.begin() + static_cast<long>(best_.size() / 2)))) break;
      better = true;
    }
    while (!best_.empty() && accept(Draws(best_.begin(), best_.end() - 1))) better = true;
    return better;
  }
  bool drop_blocks() {
    bool better = false;
    for (std::size_t size : {64, 16, 4, 1}) {
      for (std::size_t at = 0; at + size <= best_.size() && tries_ < kTries;) {
        Draws draws = best_;
        const auto begin = draws.begin() + static_cast<long>(at);
        draws.erase(begin, begin + static_cast<long>(size));
        if (accept(draws)) {
          better = true;
        } else {
          at += size;
        }
      }
    }
    return better;
  }
  bool lower() {
    bool better = false;
    for (std::size_t i = 0; i < best_.size() && tries_ < kTries; ++i) {
      for (const double factor : {0.0, 0.5}) {
        if (best_[i] == 0) break;
        Draws draws = best_;
        draws[i] = draws[i] < 1e-6 ? 0 : draws[i] * factor;
        if (accept(draws)) {
          better = true;
          break;
        }
      }
    }
    return better;
  }

  Law& law_;
  std::uint64_t seed_;
  Draws best_;
  int tries_ = 0;
};

[[nodiscard]] inline std::string text_of(const Draws& draws) {
  std::string text;
  for (const double draw : draws) text += (text.empty() ? "" : " ") + std::to_string(draw);
  return text;
}

// Runs a law over its cases and prints how many there were.
template <typename Law>
void for_all(const char* name, Law&& law, int cases = law_cases()) {
  using Plain = std::remove_reference_t<Law>;
  for (int seed = 0; seed < cases; ++seed) {
    const Case c(static_cast<std::uint64_t>(seed));
    if (!Shrinker<Plain>::breaks(law, c)) continue;
    Shrinker<Plain> shrinker(law, c.seed());
    const Draws draws = shrinker.shrink(c.first_draws());
    SCOPED_TRACE("law " + std::string(name) + ", seed " + std::to_string(seed) + ", shrunk in " +
                 std::to_string(shrinker.tries()) + " tries to " + std::to_string(draws.size()) +
                 " draws: " + text_of(draws));
    law(Case(c.seed(), draws));
    if (!testing::Test::HasFailure()) {
      ADD_FAILURE() << "the seed breaks the law, its replay does not";
    }
    return;
  }
  std::printf("law %s: %d cases\n", name, cases);
}

}  // namespace openral::safety::duo
