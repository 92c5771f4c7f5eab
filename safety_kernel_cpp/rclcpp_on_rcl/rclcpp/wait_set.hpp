// Waits for any of a fixed set of subscriptions and services.
#pragma once

#include <rcl/wait.h>

#include <chrono>
#include <vector>

#include "rclcpp/service.hpp"
#include "rclcpp/subscription.hpp"

namespace rclcpp {

enum WaitResultKind { Ready, Timeout, Empty };

class WaitResult {
 public:
  explicit WaitResult(WaitResultKind kind) : kind_(kind) {}
  [[nodiscard]] WaitResultKind kind() const { return kind_; }

 private:
  WaitResultKind kind_;
};

class WaitSet {
 public:
  WaitSet() = default;
  ~WaitSet();
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;

  void add_subscription(SubscriptionBase::SharedPtr subscription);
  void add_service(ServiceBase::SharedPtr service);
  // As rclcpp's: a cast to void does not silence it.
  [[gnu::warn_unused_result]] WaitResult wait(std::chrono::nanoseconds timeout);

 private:
  rcl_wait_set_t wait_set_ = rcl_get_zero_initialized_wait_set();
  std::vector<SubscriptionBase::SharedPtr> subscriptions_;
  std::vector<ServiceBase::SharedPtr> services_;
};

}  // namespace rclcpp
