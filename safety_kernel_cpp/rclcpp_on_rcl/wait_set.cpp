#include "rclcpp/wait_set.hpp"

#include <rcl/error_handling.h>

#include <utility>

#include "rclcpp/context.hpp"

namespace rclcpp {

WaitSet::~WaitSet() { on_rcl::release(rcl_wait_set_fini(&wait_set_)); }

void WaitSet::add_subscription(SubscriptionBase::SharedPtr subscription) {
  subscriptions_.push_back(std::move(subscription));
}

void WaitSet::add_service(ServiceBase::SharedPtr service) {
  services_.push_back(std::move(service));
}

WaitResult WaitSet::wait(std::chrono::nanoseconds timeout) {
  if (!rcl_wait_set_is_valid(&wait_set_)) {
    on_rcl::require(rcl_wait_set_init(&wait_set_, subscriptions_.size(), 0, 0, 0, services_.size(),
                                      0, &on_rcl::context(), rcl_get_default_allocator()),
                    "wait set");
  }
  on_rcl::require(rcl_wait_set_clear(&wait_set_), "wait set");
  for (const auto& subscription : subscriptions_) {
    on_rcl::require(rcl_wait_set_add_subscription(&wait_set_, &subscription->handle(), nullptr),
                    "wait set");
  }
  for (const auto& service : services_) {
    on_rcl::require(rcl_wait_set_add_service(&wait_set_, &service->handle(), nullptr), "wait set");
  }
  const rcl_ret_t code = rcl_wait(&wait_set_, timeout.count());
  if (code == RCL_RET_TIMEOUT) {
    rcl_reset_error();
    return WaitResult(Timeout);
  }
  on_rcl::require(code, "wait");
  return WaitResult(Ready);
}

}  // namespace rclcpp
