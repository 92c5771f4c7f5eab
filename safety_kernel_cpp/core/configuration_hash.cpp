#include "configuration_hash.hpp"

#include <cstring>
#include <string>

namespace openral::safety {
namespace {

class Hash {
 public:
  void byte(std::uint8_t value) { value_ = (value_ ^ value) * 1099511628211ULL; }
  void whole(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void number(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    whole(bits);
  }
  void text(const std::string& value) {
    for (const char c : value) byte(static_cast<std::uint8_t>(c));
    byte(0);
  }
  void field(const std::string& name, char kind) {
    text(name);
    byte(static_cast<std::uint8_t>(kind));
  }
  [[nodiscard]] std::uint64_t value() const { return value_ == 0 ? 1 : value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace

std::uint64_t hash_of(const RawConfiguration& raw) {
  Hash hash;
  for (const auto& [name, value] : raw.numbers) {
    hash.field(name, 'n');
    hash.number(value);
  }
  for (const auto& [name, value] : raw.flags) {
    hash.field(name, 'f');
    hash.byte(value ? 1 : 0);
  }
  for (const auto& [name, value] : raw.texts) {
    hash.field(name, 't');
    hash.text(value);
  }
  for (const auto& [name, values] : raw.lists) {
    hash.field(name, 'l');
    hash.whole(values.size());
    for (const auto& value : values) hash.text(value);
  }
  for (const auto& [name, values] : raw.vectors) {
    hash.field(name, 'v');
    hash.whole(values.size());
    for (const double value : values) hash.number(value);
  }
  return hash.value();
}

}  // namespace openral::safety
