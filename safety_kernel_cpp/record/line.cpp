#include "line.hpp"

namespace openral::safety {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kChecksumWord = 10;  // " *" and eight digits

constexpr std::array<std::uint32_t, 256> table() {
  std::array<std::uint32_t, 256> entries{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1U) != 0 ? 0xedb88320U ^ (value >> 1U) : value >> 1U;
    }
    entries[i] = value;
  }
  return entries;
}

template <typename Integer>
std::string hexadecimal(Integer value) {
  std::string digits(2 * sizeof value, '0');
  for (std::size_t i = digits.size(); i-- > 0; value >>= 4U) digits[i] = kDigits[value & 15U];
  return digits;
}

template <typename Integer>
bool read_hexadecimal(std::string_view word, Integer& value) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return word.size() == 2 * sizeof value && code == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::uint32_t checksum(std::string_view bytes) {
  static constexpr auto kTable = table();
  std::uint32_t value = 0xffffffffU;
  for (const char c : bytes) {
    value = kTable[(value ^ static_cast<unsigned char>(c)) & 255U] ^ (value >> 8U);
  }
  return value ^ 0xffffffffU;
}

bool take_checksum(std::string_view& line) {
  if (line.size() < kChecksumWord) return false;
  const std::string_view word = line.substr(line.size() - kChecksumWord);
  std::uint32_t given = 0;
  if (word.substr(0, 2) != " *" || !read_hexadecimal(word.substr(2), given)) return false;
  line.remove_suffix(kChecksumWord);
  return checksum(line) == given;
}

void LineWriter::finish() { word("*" + hexadecimal(checksum(text_))); }

void LineWriter::real(double value) {
  if (std::isnan(value)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    word("nan:" + hexadecimal(bits));
    return;
  }
  // The shortest text that gives the same number back.
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  word({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

void LineWriter::name(std::string_view name, bool cut) {
  std::string escaped = cut ? "~" : "=";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      escaped += c;
    } else {
      escaped += '%';
      escaped += hexadecimal(byte);
    }
  }
  word(escaped);
}

std::string_view LineReader::next() {
  const std::size_t end = rest_.find(' ');
  const std::string_view word = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  return word;
}

void LineReader::word(std::string_view expected) {
  const std::string_view word = next();
  if (word != expected) fail("'" + std::string(expected) + "'", word);
}

void LineReader::flag(bool& value) {
  const std::string_view word = next();
  if (word != "0" && word != "1") fail("0 or 1", word);
  value = word == "1";
}

void LineReader::real(double& value) {
  const std::string_view word = next();
  std::uint64_t bits = 0;
  if (word.size() == 20 && word.substr(0, 4) == "nan:" && read_hexadecimal(word.substr(4), bits)) {
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) return;
  }
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) fail("a number", word);
}

void LineReader::name(std::string& name) {
  if (read_name(name)) fail("a whole name", name);
}

bool LineReader::read_name(std::string& bytes) {
  const std::string_view word = next();
  bytes.clear();
  if (word.empty() || (word[0] != '=' && word[0] != '~')) {
    fail("a name after '=' or '~'", word);
    return false;
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] != '%') {
      bytes += word[i];
      continue;
    }
    std::uint8_t byte = 0;
    if (!read_hexadecimal(word.substr(i + 1, 2), byte)) fail("two digits after '%'", word);
    bytes += static_cast<char>(byte);
    i += 2;
  }
  return word[0] == '~';
}

void LineReader::fail(std::string_view expected, std::string_view got) {
  if (!error_.empty()) return;
  constexpr std::size_t kShown = 40;
  const std::string shown =
      got.empty() ? "nothing" : "'" + std::string(got.substr(0, kShown)) + "'";
  error_ = "expected " + std::string(expected) + ", got " + shown;
}

}  // namespace openral::safety
