// The first lines of a record: everything that a kernel is made of.
//
//   openral_kernel_record 2
//   epoch 1767225600000000
//   number lease_s 0.015
//   ...                       one line a field of the configuration
//   hash 0123456789abcdef     of the configuration; ticks follow
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/configuration.hpp"

namespace openral::safety {

inline constexpr int kRecordVersion = 2;

struct RecordHeader {
  std::uint64_t first_epoch = 0;
  RawConfiguration raw;
};

// The lines, each with its checksum and without its end.
[[nodiscard]] std::vector<std::string> header_lines(const RecordHeader& header, std::uint64_t hash);

class HeaderReader {
 public:
  // One line without its checksum. False if it is none of a header; error() says why.
  [[nodiscard]] bool take(std::string_view line);
  // The hash line was taken, and the configuration is the one that was recorded.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const RecordHeader& header() const { return header_; }
  [[nodiscard]] const Configuration& configuration() const { return configuration_; }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  RecordHeader header_;
  Configuration configuration_;
  std::string error_;
  bool begun_ = false;
  bool complete_ = false;
};

}  // namespace openral::safety
