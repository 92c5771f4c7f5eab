// Named loggers over rcutils.
#pragma once

#include <rcutils/logging_macros.h>

#include <string>
#include <utility>

namespace rclcpp {

class Logger {
 public:
  explicit Logger(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] const char* get_name() const { return name_.c_str(); }

 private:
  std::string name_;
};

[[nodiscard]] inline Logger get_logger(const std::string& name) { return Logger(name); }

}  // namespace rclcpp

#define RCLCPP_INFO(logger, ...) RCUTILS_LOG_INFO_NAMED((logger).get_name(), __VA_ARGS__)
#define RCLCPP_WARN(logger, ...) RCUTILS_LOG_WARN_NAMED((logger).get_name(), __VA_ARGS__)
#define RCLCPP_ERROR(logger, ...) RCUTILS_LOG_ERROR_NAMED((logger).get_name(), __VA_ARGS__)
