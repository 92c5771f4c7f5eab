// Decides again on a record of the safety kernel and compares every decision bit for bit.
//
//   kernel_replay RECORD    0: identical, 1: the first difference, 2: no record or a damaged one
//   kernel_replay --live    a record's header on stdin, answered by "ready"; then lines `tick NOW
//                           <what came in>`, each answered by what the kernel decides
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "replay.hpp"

namespace openral::safety {
namespace {

constexpr int kSame = 0;
constexpr int kDifferent = 1;
constexpr int kBad = 2;
// The longest line that a kernel writes holds 16384 values of 25 characters.
constexpr std::size_t kLongestLine = 1U << 20U;

enum class Read { kLine, kTorn, kEnd, kTooLong };

// One line without its end; kTorn if the file ends within it.
Read read_line(std::FILE* file, std::string& line) {
  line.clear();
  for (int c = std::getc(file); c != EOF; c = std::getc(file)) {
    if (c == '\n') return Read::kLine;
    if (line.size() == kLongestLine) return Read::kTooLong;
    line += static_cast<char>(c);
  }
  return line.empty() ? Read::kEnd : Read::kTorn;
}

int complain(const char* path, const std::string& what) {
  std::fprintf(stderr, "kernel_replay: %s: %s\n", path, what.c_str());
  return kBad;
}

int replay(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return complain(path, std::strerror(errno));
  Replay replay;
  std::string line;
  Read read = read_line(file, line);
  for (; read == Read::kLine; read = read_line(file, line)) {
    const Replay::Verdict verdict = replay.take(line);
    if (verdict == Replay::Verdict::kSame) continue;
    std::fclose(file);
    if (verdict == Replay::Verdict::kBad) return complain(path, replay.text());
    std::printf("different: %s\n", replay.text().c_str());
    return kDifferent;
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return complain(path, "cannot be read");
  if (read == Read::kTooLong) return complain(path, "a line of more than 1 MiB: no record");
  if (!replay.ready()) return complain(path, "it ends within its header");
  if (replay.ticks() == 0) return complain(path, "it holds no tick");
  if (read == Read::kTorn) {
    std::printf("the last line is torn (%zu bytes) and was left out\n", line.size());
  }
  if (!replay.ended()) std::printf("the record has no end: its kernel was killed, or still runs\n");
  std::printf("identical: %llu ticks, %llu reports\n",
              static_cast<unsigned long long>(replay.ticks()),
              static_cast<unsigned long long>(replay.reports()));
  return kSame;
}

int live() {
  Replay replay;
  std::string line;
  while (read_line(stdin, line) == Read::kLine) {
    const bool begins = !replay.ready();
    std::string_view decision;
    if (replay.decide(line, decision) == Replay::Verdict::kBad) {
      return complain("stdin", replay.text());
    }
    if (begins && !replay.ready()) continue;
    if (begins) decision = "ready";
    std::fwrite(decision.data(), 1, decision.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  return kSame;
}

}  // namespace
}  // namespace openral::safety

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: kernel_replay RECORD | --live\n");
    return 2;
  }
  if (std::strcmp(argv[1], "--live") == 0) return openral::safety::live();
  return openral::safety::replay(argv[1]);
}
