// Containers of fixed capacity: the control loop never allocates.
//
// What is beyond the size is neither initialised nor copied: it is never read, and most of it would
// be most of a tick's work.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace openral::safety {

// Text of at most N bytes. A longer text is marked as cut, so that it compares equal to nothing.
template <std::size_t N>
class FixedString {
 public:
  FixedString() {}
  FixedString(std::string_view text) { assign(text); }
  FixedString(const FixedString& other) { *this = other; }
  FixedString& operator=(const FixedString& other) {
    size_ = other.size_;
    cut_ = other.cut_;
    std::copy_n(other.data_.begin(), size_, data_.begin());
    return *this;
  }

  void assign(std::string_view text) {
    cut_ = text.size() > N;
    size_ = cut_ ? N : text.size();
    std::copy_n(text.begin(), size_, data_.begin());
  }
  [[nodiscard]] std::string_view view() const { return {data_.data(), size_}; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] bool operator==(std::string_view other) const { return !cut_ && view() == other; }
  [[nodiscard]] bool operator==(const FixedString& other) const {
    return !cut_ && !other.cut_ && view() == other.view();
  }
  [[nodiscard]] bool operator!=(const FixedString& other) const { return !(*this == other); }

 private:
  std::array<char, N> data_;
  std::size_t size_ = 0;
  bool cut_ = false;
};

// Sequence of at most N elements. `push` reports whether there was room.
template <typename T, std::size_t N>
class FixedVector {
 public:
  FixedVector() {}
  FixedVector(const FixedVector& other) { *this = other; }
  FixedVector& operator=(const FixedVector& other) {
    size_ = other.size_;
    std::copy_n(other.data_.begin(), size_, data_.begin());
    return *this;
  }

  [[nodiscard]] bool push(const T& value) {
    if (size_ == N) return false;
    data_[size_++] = value;
    return true;
  }
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == N; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] const T* begin() const { return data_.data(); }
  [[nodiscard]] const T* end() const { return data_.data() + size_; }

 private:
  std::array<T, N> data_;
  std::size_t size_ = 0;
};

}  // namespace openral::safety
