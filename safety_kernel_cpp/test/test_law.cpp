#include "law.hpp"

#include <set>
#include <vector>

namespace openral::safety {
namespace {

using duo::Case;
using duo::Draws;
using duo::Random;

// What for_all says of a law; nothing where it holds.
template <typename Law>
std::string said(Law&& law, int cases) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    duo::for_all("of_a_test", law, cases);
  }
  return results.size() == 0 ? "" : results.GetTestPartResult(0).message();
}

// RapidCheck's parameters, for a test that sets its own.
class Parameters {
 public:
  Parameters() : had_(std::getenv("RC_PARAMS") != nullptr) {
    if (had_) before_ = std::getenv("RC_PARAMS");
    unsetenv("RC_PARAMS");
  }
  ~Parameters() {
    if (had_) setenv("RC_PARAMS", before_.c_str(), 1);
    if (!had_) unsetenv("RC_PARAMS");
  }
  static void set(const std::string& value) { setenv("RC_PARAMS", value.c_str(), 1); }

 private:
  bool had_;
  std::string before_;
};

int sum(const Case& c) {
  Random random = c.random();
  int sum = 0;
  const int count = random.whole(0, 50);
  for (int i = 0; i < count; ++i) sum += random.whole(0, 9);
  return sum;
}

// Broken by any list of numbers whose sum is 10 or more.
void sum_is_below_ten(const Case& c) { EXPECT_LT(sum(c), 10) << "too much"; }

TEST(Law, ALawThatHoldsIsTriedOnAsManyDifferentCasesAsAreAsked) {
  const Parameters parameters;
  std::set<double> first;
  EXPECT_EQ("", said([&](const Case& c) { first.insert(c.random().real(0, 1)); }, 1000));
  EXPECT_EQ(1000u, first.size());
  // From the first case on all over the range.
  EXPECT_LT(*first.begin(), 0.02);
  EXPECT_GT(*first.rbegin(), 0.98);
}

TEST(Law, ABrokenLawSaysWhatItsAssertionSaidAndItsSmallestCase) {
  const Parameters parameters;
  const std::string text = said(sum_is_below_ten, 1000);
  EXPECT_NE(std::string::npos, text.find("law of_a_test is broken after "));
  EXPECT_NE(std::string::npos, text.find("test_law.cpp"));
  EXPECT_NE(std::string::npos, text.find("too much"));
  // How many numbers, and two of at most nine, which can make ten.
  EXPECT_NE(std::string::npos, text.find("\n3 draws: ")) << text;
}

TEST(Law, TheParametersThatABrokenLawNamesRunItsSmallestCaseAlone) {
  const Parameters parameters;
  const std::string text = said(sum_is_below_ten, 1000);
  const std::string name = "RC_PARAMS=\"";
  const std::size_t begin = text.find(name) + name.size();
  Parameters::set(text.substr(begin, text.find('"', begin) - begin));
  std::vector<int> sums;
  const auto law = [&](const Case& c) {
    sums.push_back(sum(c));
    sum_is_below_ten(c);
  };
  EXPECT_NE("", said(law, 1000));
  ASSERT_EQ(1u, sums.size());
  EXPECT_GE(sums[0], 10);
  EXPECT_LE(sums[0], 18);
}

TEST(Law, ARunIsTheSameEachTimeAndAnotherForAnotherSeed) {
  const Parameters parameters;
  const auto draws = [] {
    Draws draws;
    EXPECT_EQ("", said([&](const Case& c) { draws.push_back(c.random().real(0, 1)); }, 100));
    return draws;
  };
  const Draws once = draws();
  EXPECT_EQ(once, draws());
  Parameters::set("seed=2");
  EXPECT_NE(once, draws());
}

TEST(Law, ShrinkingEndsWhereEveryCaseIsBroken) {
  const Parameters parameters;
  const std::string text = said([](const Case&) { ADD_FAILURE() << "always"; }, 10);
  EXPECT_NE(std::string::npos, text.find("broken after 0 cases"));
  EXPECT_NE(std::string::npos, text.find("\n0 draws:")) << text;
}

TEST(Law, ANumberOfCasesThatIsNoneIsRefused) {
  EXPECT_EQ(10'000, duo::law_cases(nullptr));
  EXPECT_EQ(100'000, duo::law_cases("100000"));
  for (const char* given : {"", "many", "1e5", "0", "-3", "99999999999"}) {
    EXPECT_THROW((void)duo::law_cases(given), std::invalid_argument) << given;
  }
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
  EXPECT_EQ(first.real(0, 1), duo::first_draws(7)[0]);
}

}  // namespace
}  // namespace openral::safety
