// The switch of the mutants, and a note of what each test reaches: with REACHED naming a file, one
// line a test: its name, its milliseconds, the numbers; the last of them names
// the places that have no mutant.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mutants.hpp"

namespace mut {

namespace {

int from_environment() {
  const char* given = std::getenv("MUTANT");
  return given == nullptr ? 0 : std::atoi(given);
}

class Reach : public testing::EmptyTestEventListener {
 public:
  explicit Reach(const char* path) : file_(std::fopen(path, "w")) {}

 private:
  void OnTestStart(const testing::TestInfo&) override { std::memset(reached, 0, sizeof reached); }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (file_ == nullptr) return;
    std::fprintf(file_, "%s.%s %lld", test.test_suite_name(), test.name(),
                 static_cast<long long>(test.result()->elapsed_time()));
    for (int i = 1; i < kMost; ++i) {
      if (reached[i] != 0) std::fprintf(file_, " %d", i);
    }
    std::fprintf(file_, "\n");
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    if (file_ == nullptr) return;
    std::fprintf(file_, "absent 0");
    for (int i = 1; i < kMost; ++i) {
      if (absent[i] != 0) std::fprintf(file_, " %d", i);
    }
    std::fprintf(file_, "\n");
    std::fclose(file_);
  }

  std::FILE* file_;
};

}  // namespace

const int active = from_environment();
unsigned char reached[kMost];
unsigned char absent[kMost];

}  // namespace mut

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* path = std::getenv("REACHED")) {
    testing::UnitTest::GetInstance()->listeners().Append(new mut::Reach(path));
  }
  return RUN_ALL_TESTS();
}
