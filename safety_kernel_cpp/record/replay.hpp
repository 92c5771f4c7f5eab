// Lets a fresh kernel decide again on what a record holds.
//
//   Replay replay;
//   while (next line) if (replay.take(line) != Replay::Verdict::kSame) break;
//   std::puts(replay.text().c_str());
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "header.hpp"
#include "line.hpp"
#include "tick_line.hpp"

namespace openral::safety {

class Replay {
 public:
  enum class Verdict {
    kSame,       // so far
    kDifferent,  // the first decision that differs; text() says where
    kBad,        // no record, or a damaged one; text() says why
  };

  // One line with its checksum and without its end.
  [[nodiscard]] Verdict take(std::string_view line);

  // What the kernel decides on `tick NOW <what came in>`, the decisions left out. kBad as above.
  [[nodiscard]] Verdict decide(std::string_view line, std::string_view& decision);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool ready() const { return header_.complete(); }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
  [[nodiscard]] std::uint64_t reports() const { return reports_; }
  [[nodiscard]] const Configuration& configuration() const { return header_.configuration(); }

 private:
  Verdict bad(const std::string& why);
  Verdict different(std::string_view expected);
  Verdict take_header(std::string_view line);
  Verdict run(LineReader& line);

  HeaderReader header_;
  std::unique_ptr<Kernel> kernel_;
  Inputs inputs_;
  std::unique_ptr<Chunk> chunk_ = std::make_unique<Chunk>();
  VelocityCommand velocity_command_;
  std::unique_ptr<CollisionWorld> world_ = std::make_unique<CollisionWorld>();
  LineWriter decision_;
  std::string text_;
  std::uint64_t lines_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t reports_ = 0;
  Nanoseconds now_ = 0;
  bool ended_ = false;
};

}  // namespace openral::safety
