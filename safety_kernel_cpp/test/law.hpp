// Laws over random cases, run and shrunk by RapidCheck, with the assertions of GoogleTest.
//
//   for_all("mirrored_motion", [](const Case& c) {
//     Random random = c.random();   // the same draws each time that the case is asked
//     EXPECT_EQ(...);
//   });
//
// A law that is broken names its smallest case and the RC_PARAMS that run that case alone. They set
// RapidCheck's other parameters, too: RC_PARAMS="seed=7 verbose_progress=1". RapidCheck offers the
// result of a run and the way to repeat it in rc::detail alone: this is written for its commit
// 08b5058, and rc::detail may change with another.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "case.hpp"

namespace openral::safety::duo {

constexpr std::uint64_t kLawSeed = 1;  // a run is the same on every machine
constexpr int kShrinkTries = 10'000;

// What the assertions of a law say of a case; nothing where it holds.
template <typename Law>
[[nodiscard]] std::string broken(Law& law, const Case& c) {
  testing::TestPartResultArray results;
  testing::ScopedFakeTestPartResultReporter reporter(
      testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
  law(c);
  std::ostringstream text;
  for (int i = 0; i < results.size(); ++i) text << results.GetTestPartResult(i);
  return text.str();
}

class CountedShrinks : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override { ++tried; }
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}

  int tried = 0;
};

[[nodiscard]] inline rc::detail::Configuration parameters(int cases) {
  rc::detail::Configuration configuration;
  configuration.testParams.seed = kLawSeed;
  configuration.testParams.maxSuccess = cases;
  const char* given = std::getenv("RC_PARAMS");
  return given == nullptr ? configuration : rc::detail::configFromString(given, configuration);
}

[[nodiscard]] inline std::string text_of(const std::string& name,
                                         const rc::detail::TestParams& params,
                                         const rc::detail::FailureResult& failure, int tried) {
  std::ostringstream text;
  text << "law " << name << " is broken after " << failure.numSuccess << " cases of seed "
       << params.seed << ", shrunk in " << tried << " tries\n"
       << failure.description;
  for (const auto& value : failure.counterExample) text << value.second << '\n';
  rc::detail::Configuration again;
  again.reproduce.emplace(name, failure.reproduce);
  text << "this case alone: RC_PARAMS=\"" << rc::detail::configToMinimalString(again) << '"';
  return text.str();
}

// Runs a law over its cases and prints how many there were.
template <typename Law>
void for_all(const std::string& name, Law&& law, int cases = law_cases()) {
  using rc::detail::CaseDescription;
  using rc::detail::CaseResult;
  const rc::detail::Property property =
      rc::gen::map(any_case(Tries(kShrinkTries)), [&law](const Case& c) {
        CaseDescription tried;
        const std::string text = broken(law, c);
        tried.result = {text.empty() ? CaseResult::Type::Success : CaseResult::Type::Failure, text};
        tried.example = [c] { return rc::detail::Example{{"case", rc::toString(c)}}; };
        return tried;
      });
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  const rc::detail::Configuration configuration = parameters(cases);
  CountedShrinks shrinks;
  const rc::detail::TestResult result = rc::detail::checkProperty(
      property, metadata, configuration.testParams, shrinks, configuration.reproduce);
  rc::detail::SuccessResult success;
  rc::detail::FailureResult failure;
  if (result.match(success)) {
    std::printf("law %s: %d cases\n", name.c_str(), success.numSuccess);
  } else if (result.match(failure)) {
    ADD_FAILURE() << text_of(name, configuration.testParams, failure, shrinks.tried);
  } else {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    ADD_FAILURE() << "law " << name << ": " << text.str();
  }
}

}  // namespace openral::safety::duo
