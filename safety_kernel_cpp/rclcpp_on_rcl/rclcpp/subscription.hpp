// A typed subscription that is polled with take().
#pragma once

#include <rcl/error_handling.h>
#include <rcl/subscription.h>
#include <rosidl_typesupport_cpp/message_type_support.hpp>

#include <memory>
#include <string>

#include "rclcpp/context.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

struct SubscriptionOptions {
  bool use_default_callbacks = true;  // of events: here there are none
  bool ignore_local_publications = false;
};

class MessageInfo {
 public:
  [[nodiscard]] const rmw_message_info_t& get_rmw_message_info() const { return info_; }
  [[nodiscard]] rmw_message_info_t& get_rmw_message_info() { return info_; }

 private:
  rmw_message_info_t info_ = rmw_get_zero_initialized_message_info();
};

class SubscriptionBase {
 public:
  using SharedPtr = std::shared_ptr<SubscriptionBase>;
  SubscriptionBase(std::shared_ptr<rcl_node_t> node, const rosidl_message_type_support_t* type,
                   const std::string& topic, const QoS& qos, const SubscriptionOptions& wanted)
      : node_(std::move(node)) {
    rcl_subscription_options_t options = rcl_subscription_get_default_options();
    options.qos = qos.get_rmw_qos_profile();
    options.rmw_subscription_options.ignore_local_publications = wanted.ignore_local_publications;
    on_rcl::require(
        rcl_subscription_init(&subscription_, node_.get(), type, topic.c_str(), &options),
        "subscription to " + topic);
    on_rcl::release(rcl_subscription_options_fini(&options));
  }
  ~SubscriptionBase() { on_rcl::release(rcl_subscription_fini(&subscription_, node_.get())); }
  SubscriptionBase(const SubscriptionBase&) = delete;
  SubscriptionBase& operator=(const SubscriptionBase&) = delete;

  [[nodiscard]] const rcl_subscription_t& handle() const { return subscription_; }
  [[nodiscard]] const char* get_topic_name() const {
    return rcl_subscription_get_topic_name(&subscription_);
  }

 private:
  std::shared_ptr<rcl_node_t> node_;
  rcl_subscription_t subscription_ = rcl_get_zero_initialized_subscription();
};

template <typename MessageT>
class Subscription : public SubscriptionBase {
 public:
  using SharedPtr = std::shared_ptr<Subscription>;
  Subscription(std::shared_ptr<rcl_node_t> node, const std::string& topic, const QoS& qos,
               const SubscriptionOptions& options)
      : SubscriptionBase(std::move(node),
                         rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>(), topic,
                         qos, options) {}

  // False if nothing waits. Throws std::runtime_error on a failure of the middleware.
  bool take(MessageT& message, MessageInfo& info) {
    const rcl_ret_t code = rcl_take(&handle(), &message, &info.get_rmw_message_info(), nullptr);
    if (code == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
      rcl_reset_error();
      return false;
    }
    on_rcl::require(code, "take");
    return true;
  }
};

}  // namespace rclcpp
