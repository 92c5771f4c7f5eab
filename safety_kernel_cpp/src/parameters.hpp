// The node's parameters, read once at start.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "../core/configuration.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {

// What the loop asks of the operating system.
struct LoopOptions {
  bool realtime = true;
  int priority = 80;            // SCHED_FIFO
  bool others_realtime = true;  // what the middleware's threads were granted
};

// Where the record goes; an empty path records nothing.
struct RecordOptions {
  std::string path;
  std::uint64_t bytes_max = 0;
};

// A parameter that is missing or out of its range; the text names field, value and valid range.
class ParameterError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Declares every parameter and checks it. Throws ParameterError.
// `given`: what the configuration was made of.
void read_parameters(rclcpp::Node& node, Configuration& configuration, LoopOptions& options,
                     RawConfiguration* given = nullptr);
[[nodiscard]] RecordOptions read_record_options(rclcpp::Node& node);
// To be called last: a misspelt name would leave its limit out.
// Throws ParameterError.
void refuse_unread_parameters(rclcpp::Node& node);

}  // namespace openral::safety
