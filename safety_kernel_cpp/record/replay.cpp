#include "replay.hpp"

namespace openral::safety {

Replay::Verdict Replay::take(std::string_view line) {
  ++lines_;
  if (!take_checksum(line)) return bad("expected a line with its checksum");
  if (!ready()) return take_header(line);
  if (ended_) return bad("expected nothing after the end");
  LineReader words(line);
  const std::string_view kind = line.substr(0, line.find(' '));
  if (kind == "end") {
    ended_ = true;
    return Verdict::kSame;
  }
  if (kind == "lost") {
    std::uint64_t count = 0;
    words.word("lost");
    words.integer(count);
    if (!words.ok()) return bad(words.error());
    return bad("the recorder lost " + std::to_string(count) + " ticks here; the " +
               std::to_string(ticks_) + " before are identical");
  }
  const std::size_t middle = line.find(kDecided);
  if (middle == std::string_view::npos) return bad("expected decisions after '|'");
  LineReader arrived(line.substr(0, middle));
  if (const Verdict verdict = run(arrived); verdict != Verdict::kSame) return verdict;
  const std::string_view expected = line.substr(middle + kDecided.size());
  return expected == decision_.text() ? Verdict::kSame : different(expected);
}

Replay::Verdict Replay::decide(std::string_view line, std::string_view& decision) {
  ++lines_;
  if (!take_checksum(line)) return bad("expected a line with its checksum");
  decision = {};
  if (!ready()) return take_header(line);
  LineReader arrived(line);
  const Verdict verdict = run(arrived);
  decision = decision_.text();
  return verdict;
}

Replay::Verdict Replay::take_header(std::string_view line) {
  if (!header_.take(line)) return bad(header_.error());
  if (header_.complete()) {
    kernel_ = std::make_unique<Kernel>(header_.configuration(), header_.header().first_epoch);
  }
  return Verdict::kSame;
}

Replay::Verdict Replay::run(LineReader& line) {
  read_tick(line, now_, inputs_, *chunk_, velocity_command_, *world_);
  if (line.ok() && !line.at_end()) line.fail("the end of what came in", line.next());
  if (!line.ok()) return bad(line.error());
  const Output& output = kernel_->tick(now_, inputs_);
  ++ticks_;
  reports_ += output.reports.size();
  decision_.clear();
  write_decision(decision_, output, kernel_->status());
  return Verdict::kSame;
}

Replay::Verdict Replay::bad(const std::string& why) {
  text_ = "line " + std::to_string(lines_) + ": " + why;
  return Verdict::kBad;
}

// Names the first word that differs by the last word before it that is a name.
Replay::Verdict Replay::different(std::string_view expected) {
  LineReader recorded(expected);
  LineReader decided(decision_.text());
  std::string_view field;
  while (!recorded.at_end() || !decided.at_end()) {
    const std::string_view a = recorded.next();
    const std::string_view b = decided.next();
    if (a != b) {
      text_ = "tick " + std::to_string(ticks_) + " at " + std::to_string(now_) + " ns, '" +
              std::string(field) + "': expected " + std::string(a) + ", got " + std::string(b) +
              "\n  expected: " + std::string(expected) + "\n  got:      " + decision_.text();
      break;
    }
    if (!a.empty() && a[0] >= 'a' && a[0] <= 'z') field = a;
  }
  return Verdict::kDifferent;
}

}  // namespace openral::safety
