// A typed publisher.
#pragma once

#include <rcl/publisher.h>
#include <rosidl_typesupport_cpp/message_type_support.hpp>

#include <memory>
#include <string>

#include "rclcpp/context.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

template <typename MessageT>
class Publisher {
 public:
  using SharedPtr = std::shared_ptr<Publisher>;

  Publisher(std::shared_ptr<rcl_node_t> node, const std::string& topic, const QoS& qos)
      : node_(std::move(node)) {
    rcl_publisher_options_t options = rcl_publisher_get_default_options();
    options.qos = qos.get_rmw_qos_profile();
    on_rcl::require(
        rcl_publisher_init(&publisher_, node_.get(),
                           rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>(),
                           topic.c_str(), &options),
        "publisher of " + topic);
  }
  ~Publisher() { on_rcl::release(rcl_publisher_fini(&publisher_, node_.get())); }
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  void publish(const MessageT& message) {
    on_rcl::require(rcl_publish(&publisher_, &message, nullptr), "publish");
  }
  [[nodiscard]] const char* get_topic_name() const {
    return rcl_publisher_get_topic_name(&publisher_);
  }

 private:
  std::shared_ptr<rcl_node_t> node_;
  rcl_publisher_t publisher_ = rcl_get_zero_initialized_publisher();
};

}  // namespace rclcpp
