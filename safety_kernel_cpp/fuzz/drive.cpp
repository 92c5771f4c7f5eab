// Drives a fuzz target where the compiler has no libFuzzer: the inputs of the corpus as they are,
// then a seeded mutation of them.
//
//   fuzz_chunk [-runs=EXECUTIONS] [-seed=SEED] [CORPUS_FOLDER...]     prints how many were run
//
// as libFuzzer is told, so that whoever runs a target need not know which of the two it is.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

void read_corpus(const std::string& folder, std::vector<Input>& corpus) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry);
  std::sort(paths.begin(), paths.end());  // the same run on every machine
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
}

// Whether `argument` is `name`NUMBER.
bool read_option(const std::string& argument, const std::string& name, std::uint64_t& number) {
  if (argument.compare(0, name.size(), name) != 0) return false;
  number = std::strtoull(argument.c_str() + name.size(), nullptr, 10);
  return true;
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
  std::uint64_t executions = 100'000;
  std::uint64_t seed_number = 1;
  std::vector<Input> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (read_option(argument, "-runs=", executions)) continue;
    if (read_option(argument, "-seed=", seed_number)) continue;
    if (argument[0] == '-') continue;  // what libFuzzer alone understands
    read_corpus(argument, seeds);
  }
  std::mt19937_64 random(seed_number);
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
  std::printf(
      "%s: %llu executions (%zu of them the corpus), 0 findings; mutated without coverage, since "
      "the build found no clang with libFuzzer\n",
      argv[0], static_cast<unsigned long long>(std::max<std::uint64_t>(executions, seeds.size())),
      seeds.size());
  return 0;
}
