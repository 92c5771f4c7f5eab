// Drives a fuzz target where the compiler has no libFuzzer: the inputs of the corpus as they are,
// then a seeded mutation of them.
//
//   fuzz_chunk EXECUTIONS [CORPUS_FOLDER [SEED]]     prints how many were run
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::vector<Input> read_corpus(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry);
  std::sort(paths.begin(), paths.end());  // the same run on every machine
  std::vector<Input> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// An exact copy on the heap: a read beyond its end is seen by the address sanitizer.
void execute(const Input& input) {
  const Input exact(input);
  (void)LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void mutate(Input& input, std::mt19937_64& random) {
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

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t executions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const std::vector<Input> seeds = argc > 2 ? read_corpus(argv[2]) : std::vector<Input>();
  for (const Input& seed : seeds) execute(seed);
  std::vector<Input> corpus(64);
  for (Input& input : corpus) {
    input.resize(random() % 200);
    // Half of the inputs are made of small numbers: those take the common branches.
    const bool small = random() % 2 == 0;
    for (auto& byte : input) byte = static_cast<std::uint8_t>(small ? random() % 16 : random());
  }
  for (std::uint64_t i = seeds.size(); i < executions; ++i) {
    // Walks from random inputs are quick and shallow; one in a hundred executions stays near an
    // input that reached something.
    Input near;
    const bool deep = !seeds.empty() && random() % 100 == 0;
    if (deep) near = seeds[random() % seeds.size()];
    Input& input = deep ? near : corpus[random() % corpus.size()];
    const auto mutations = 1 + random() % 4;
    for (std::uint64_t m = 0; m < mutations; ++m) mutate(input, random);
    execute(input);
  }
  std::printf("%s: %llu executions (%zu of them the corpus), 0 findings\n", argv[0],
              static_cast<unsigned long long>(executions), seeds.size());
  return 0;
}
