#include "configuration_hash.hpp"

#include <string>

namespace openral::safety {
namespace {

// FNV-1a, 64 bit (Fowler, Noll, Vo): names a configuration, protects against no attacker.
class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) {
      value_ = (value_ ^ bytes[i]) * 1099511628211ULL;
    }
  }
  void add(const std::string& text) {
    add(text.data(), text.size());
    add("", 1);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace

std::uint64_t hash_of(const RawConfiguration& raw) {
  Hash hash;
  for (const auto& [name, value] : raw.numbers) {
    hash.add(name);
    hash.add(&value, sizeof value);
  }
  for (const auto& [name, value] : raw.flags) {
    hash.add(name);
    hash.add(value ? "1" : "0");
  }
  for (const auto& [name, value] : raw.texts) {
    hash.add(name);
    hash.add(value);
  }
  for (const auto& [name, values] : raw.lists) {
    hash.add(name);
    for (const auto& value : values) hash.add(value);
  }
  for (const auto& [name, values] : raw.vectors) {
    hash.add(name);
    for (const double value : values) hash.add(&value, sizeof value);
  }
  return hash.value();
}

}  // namespace openral::safety
