// Drives a fuzz target where the compiler has no libFuzzer: a seeded mutation of its own corpus.
//
//   fuzz_chunk EXECUTIONS [SEED]     prints how many were run
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const std::uint64_t executions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::mt19937_64 random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  std::vector<std::vector<std::uint8_t>> corpus(64);
  for (auto& input : corpus) {
    input.resize(random() % 200);
    // Half of the inputs are made of small numbers: those take the common branches.
    const bool small = random() % 2 == 0;
    for (auto& byte : input) byte = static_cast<std::uint8_t>(small ? random() % 16 : random());
  }
  for (std::uint64_t i = 0; i < executions; ++i) {
    auto& input = corpus[random() % corpus.size()];
    const auto mutations = 1 + random() % 4;
    for (std::uint64_t m = 0; m < mutations; ++m) {
      const auto kind = random() % 8;
      if (kind == 0 && input.size() < 400) {
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(random() % (input.size() + 1)),
                     static_cast<std::uint8_t>(random()));
      } else if (kind == 1 && input.size() > 1) {
        input.erase(input.begin() + static_cast<std::ptrdiff_t>(random() % input.size()));
      } else if (!input.empty()) {
        auto& byte = input[random() % input.size()];
        byte = static_cast<std::uint8_t>(kind < 5 ? random() % 16 : random());
      }
    }
    // An exact copy on the heap: a read beyond its end is seen by the address sanitizer.
    const std::vector<std::uint8_t> exact(input);
    (void)LLVMFuzzerTestOneInput(exact.data(), exact.size());
  }
  std::printf("%s: %llu executions, 0 findings\n", argv[0],
              static_cast<unsigned long long>(executions));
  return 0;
}
