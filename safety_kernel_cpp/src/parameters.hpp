// The node's parameters, read once at start.
#pragma once

#include <stdexcept>

#include "../core/configuration.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {

// What the loop asks of the operating system.
struct LoopOptions {
  bool realtime = true;
  int priority = 80;            // SCHED_FIFO
  bool others_realtime = true;  // what the middleware's threads were granted
};

// A parameter that is missing or out of its range; the text names field, value and valid range.
class ParameterError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Declares every parameter and checks it. Throws ParameterError.
void read_parameters(rclcpp::Node& node, Configuration& configuration, LoopOptions& options);

}  // namespace openral::safety
