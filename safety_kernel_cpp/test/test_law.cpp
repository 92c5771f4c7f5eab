#include "law.hpp"

namespace openral::safety {
namespace {

using duo::Case;
using duo::Draws;
using duo::Random;

// Broken by any list of numbers whose sum is 10 or more.
void sum_is_below_ten(const Case& c) {
  Random random = c.random();
  int sum = 0;
  const int count = random.whole(0, 50);
  for (int i = 0; i < count; ++i) sum += random.whole(0, 9);
  EXPECT_LT(sum, 10);
}

TEST(Law, ABrokenCaseIsShrunkToASmallOneThatIsStillBroken) {
  std::uint64_t seed = 0;
  while (!duo::Shrinker<decltype(sum_is_below_ten)>::breaks(sum_is_below_ten, Case(seed))) ++seed;
  duo::Shrinker<decltype(sum_is_below_ten)> shrinker(sum_is_below_ten, seed);
  const Draws draws = shrinker.shrink(Case(seed).first_draws());
  const Case smallest(seed, draws);
  EXPECT_TRUE(duo::Shrinker<decltype(sum_is_below_ten)>::breaks(sum_is_below_ten, smallest));
  // Two numbers of at most nine can make ten; a third is never needed.
  EXPECT_LE(draws.size(), 4u);
  Random random = smallest.random();
  const int count = random.whole(0, 50);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += random.whole(0, 9);
  EXPECT_GE(sum, 10);
  EXPECT_LE(sum, 18);
}

TEST(Law, ADrawOfZeroIsTheLowestNumberAndNoChance) {
  const Draws none;
  Random random(none);
  EXPECT_EQ(-3, random.real(-3, 4));
  EXPECT_EQ(-3, random.whole(-3, 4));
  EXPECT_FALSE(random.chance(0.999));
  const Draws half = {0.5, 0.5};
  Random again(half);
  EXPECT_EQ(1, again.real(0, 2));
  EXPECT_EQ(1, again.whole(0, 1));
}

TEST(Law, ASeedGivesTheSameDrawsEachTime) {
  const Case c(7);
  Random one = c.random();
  Random two = c.random();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one.real(0, 1), two.real(0, 1));
  Random first = c.random();
  EXPECT_EQ(first.real(0, 1), c.first_draws()[0]);
}

}  // namespace
}  // namespace openral::safety
