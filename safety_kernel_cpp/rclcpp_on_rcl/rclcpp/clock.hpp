// Points of system time.
#pragma once

#include <builtin_interfaces/msg/time.hpp>
#include <chrono>
#include <cstdint>

namespace rclcpp {

class Time {
 public:
  explicit Time(std::int64_t nanoseconds = 0) : nanoseconds_(nanoseconds) {}
  [[nodiscard]] std::int64_t nanoseconds() const { return nanoseconds_; }
  operator builtin_interfaces::msg::Time() const {  // NOLINT: implicit, as in rclcpp
    constexpr std::int64_t kSecond = 1'000'000'000;
    builtin_interfaces::msg::Time message;
    message.sec = static_cast<std::int32_t>(nanoseconds_ / kSecond);
    message.nanosec = static_cast<std::uint32_t>(nanoseconds_ % kSecond);
    return message;
  }

  [[nodiscard]] static Time system_now() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return Time(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
  }

 private:
  std::int64_t nanoseconds_;
};

}  // namespace rclcpp
