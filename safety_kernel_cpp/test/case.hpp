// What a law is tried on: random numbers. A case is a seed, whose numbers are made when they are
// drawn; RapidCheck shrinks it to a list of fewer and smaller draws.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "generator.hpp"

namespace openral::safety::duo {

class Case {
 public:
  explicit Case(std::uint64_t seed) : seed_(seed) {}
  explicit Case(Draws draws) : draws_(std::make_shared<const Draws>(std::move(draws))) {}

  // The same draws each time that the case is asked; of a list, the case must outlive them.
  [[nodiscard]] Random random() const { return draws_ ? Random(*draws_) : Random(seed_); }

  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    if (!c.draws_) return out << "the draws of seed " << c.seed_;
    out << c.draws_->size() << " draws:";
    for (const double draw : *c.draws_) out << ' ' << draw;
    return out;
  }

 private:
  std::uint64_t seed_ = 0;
  std::shared_ptr<const Draws> draws_;
};

// The first draws of a seed: more than any law makes.
[[nodiscard]] inline Draws first_draws(std::uint64_t seed) {
  Random random(seed);
  Draws draws(20'000);
  for (double& draw : draws) draw = random.real(0, 1);
  return draws;
}

// A draw cut to ever more binary digits, from none on.
[[nodiscard]] inline rc::Seq<double> cut(double draw) {
  std::vector<double> shorter;
  for (const int digits : {0, 1, 2, 4, 8, 16}) {
    const double scale = std::ldexp(1.0, digits);
    const double value = std::floor(draw * scale) / scale;
    if (value < draw && (shorter.empty() || value > shorter.back())) shorter.push_back(value);
  }
  return rc::seq::fromContainer(std::move(shorter));
}

// Fewer draws, or one of them smaller; the boldest first.
[[nodiscard]] inline rc::Seq<Draws> smaller(const Draws& draws) {
  const auto prefix = [draws](std::size_t count) {
    return Draws(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(count));
  };
  // rc::shrink::removeChunks tries each length, which is too many of a law that takes a
  // millisecond: these are half of the draws, a quarter, and so on.
  const auto halves = rc::seq::takeWhile(
      rc::seq::iterate(draws.size() / 2, [](std::size_t size) { return size / 2; }),
      [](std::size_t size) { return size > 0; });
  const auto without = [draws](std::size_t size) {
    return rc::seq::map(
        rc::seq::range<std::size_t>(0, draws.size() / size), [draws, size](std::size_t block) {
          Draws fewer = draws;
          const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(block * size);
          fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(size));
          return fewer;
        });
  };
  return rc::seq::concat(rc::seq::map(rc::shrink::towards<std::size_t>(draws.size(), 0), prefix),
                         rc::seq::mapcat(halves, without), rc::shrink::eachElement(draws, cut));
}

// How many smaller cases are tried of one that breaks its law.
class Tries {
 public:
  explicit Tries(int most) : left_(std::make_shared<int>(most)) {}
  [[nodiscard]] bool take() const { return (*left_)-- > 0; }

 private:
  std::shared_ptr<int> left_;
};

// A list of draws, and how it is shrunk: from where the list before was, since what could not be
// left out there can seldom be left out here.
[[nodiscard]] inline rc::Shrinkable<Case> shrinkable(const Draws& draws, std::size_t from,
                                                     const Tries& tries) {
  return rc::shrinkable::lambda(
      [draws] { return Case(draws); },
      [draws, from, tries] {
        const auto all = smaller(draws);
        const auto in_turn = rc::seq::zipWith(
            [tries](Draws&& fewer, std::size_t at) { return shrinkable(fewer, at, tries); },
            rc::seq::concat(rc::seq::drop(from, all), rc::seq::take(from, all)),
            rc::seq::iterate(from, [](std::size_t at) { return at + 1; }));
        return rc::seq::takeWhile(in_turn,
                                  [tries](const rc::Shrinkable<Case>&) { return tries.take(); });
      });
}

// Each as good as the others: RapidCheck's size, which grows from case to case, bounds none.
[[nodiscard]] inline rc::Gen<Case> any_case(const Tries& tries) {
  return [tries](const rc::Random& random, int) {
    const std::uint64_t seed = rc::Random(random).next();
    return rc::shrinkable::lambda(
        [seed] { return Case(seed); },
        [seed, tries] { return shrinkable(first_draws(seed), 0, tries).shrinks(); });
  };
}

}  // namespace openral::safety::duo
