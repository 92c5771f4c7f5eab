// One line of a record: values as words that give every bit back.
//
//   LineWriter line;
//   line.word("tick"); line.integer(now); line.real(0.1);
//   line.finish();                      // "tick 17 0.1 *5e0f1c2a": the checksum comes last
//
//   LineReader words(line.text());      // false from any method: words.error() says what was wrong
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "../core/fixed.hpp"

namespace openral::safety {

// CRC-32 of IEEE 802.3, as zlib's crc32.
[[nodiscard]] std::uint32_t checksum(std::string_view bytes);

// Cuts the checksum off a line. False if it is missing or not that of the line.
[[nodiscard]] bool take_checksum(std::string_view& line);

class LineWriter {
 public:
  static constexpr bool kReads = false;

  void clear() { text_.clear(); }
  [[nodiscard]] const std::string& text() const { return text_; }
  // Adds the checksum of what was written.
  void finish();

  void word(std::string_view word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
  }
  template <typename Integer>
  void integer(Integer value) {
    std::array<char, 24> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    word({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
  }
  void flag(bool value) { word(value ? "1" : "0"); }
  void real(double value);
  // Bytes outside of printable ASCII, and '%', as %hh; an empty name is still a word.
  void name(std::string_view name, bool cut = false);
  template <std::size_t N>
  void name(const FixedString<N>& name) {
    this->name(name.view(), name.cut());
  }

 private:
  std::string text_;
};

class LineReader {
 public:
  static constexpr bool kReads = true;

  explicit LineReader(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  // The next word, whatever it is; empty at the end.
  [[nodiscard]] std::string_view next();
  void word(std::string_view expected);
  template <typename Integer>
  void integer(Integer& value) {
    const std::string_view word = next();
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) fail("a whole number", word);
  }
  void flag(bool& value);
  void real(double& value);
  void name(std::string& name);
  template <std::size_t N>
  void name(FixedString<N>& name) {
    std::string bytes;
    const bool cut = read_name(bytes);
    if (bytes.size() > N || (cut && bytes.size() != N)) {
      fail("a name of at most " + std::to_string(N) + " bytes", bytes);
    }
    // One byte more than there is room for marks it as cut again.
    name.assign(cut ? bytes + '?' : bytes);
  }

  // Keeps the first failure.
  void fail(std::string_view expected, std::string_view got);

 private:
  bool read_name(std::string& bytes);

  std::string_view rest_;
  std::string error_;
};

}  // namespace openral::safety
