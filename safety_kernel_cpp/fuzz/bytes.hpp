// Reads typed values from a fuzzer's bytes; zeros when they are used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace openral::safety::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <typename T>
  [[nodiscard]] T take() {
    T value{};
    const std::size_t size = left_ < sizeof value ? left_ : sizeof value;
    if (size > 0) std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }
  [[nodiscard]] bool flag() { return (take<std::uint8_t>() & 1) != 0; }
  // A number of about -range .. range, in 2^16 steps; now and then any bit pattern, NaN and
  // infinity among them.
  [[nodiscard]] double number(double range) {
    const auto kind = take<std::uint8_t>();
    if (kind == 255) return take<double>();
    return range * take<std::int16_t>() / 32767.0;
  }
  [[nodiscard]] bool empty() const { return left_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace openral::safety::fuzz
