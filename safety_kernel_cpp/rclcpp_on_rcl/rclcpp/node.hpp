// A node: names, parameters, publishers, subscriptions, services, the graph.
#pragma once

#include <rcl/node.h>

#include <array>
#include <map>
#include <memory>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <string>
#include <vector>

#include "rclcpp/clock.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription.hpp"

namespace rclcpp {

// One publisher in the graph, as discovery knows it.
class TopicEndpointInfo {
 public:
  using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  TopicEndpointInfo(std::string node, std::string node_namespace, const Gid& gid)
      : node_(std::move(node)), namespace_(std::move(node_namespace)), gid_(gid) {}
  [[nodiscard]] const std::string& node_name() const { return node_; }
  [[nodiscard]] const std::string& node_namespace() const { return namespace_; }
  [[nodiscard]] const Gid& endpoint_gid() const { return gid_; }

 private:
  std::string node_;
  std::string namespace_;
  Gid gid_;
};

class ParametersInterface {
 public:
  explicit ParametersInterface(std::map<std::string, ParameterValue> overrides)
      : overrides_(std::move(overrides)) {}
  [[nodiscard]] const std::map<std::string, ParameterValue>& get_parameter_overrides() const {
    return overrides_;
  }

 private:
  std::map<std::string, ParameterValue> overrides_;
};

// What rclcpp's node starts by itself; here there is none of it.
class NodeOptions {
 public:
  NodeOptions& start_parameter_services(bool) { return *this; }
  NodeOptions& start_parameter_event_publisher(bool) { return *this; }
};

class Node {
 public:
  using SharedPtr = std::shared_ptr<Node>;
  explicit Node(const std::string& name, const NodeOptions& options = NodeOptions());

  [[nodiscard]] const char* get_name() const { return rcl_node_get_name(node_.get()); }
  [[nodiscard]] const char* get_namespace() const { return rcl_node_get_namespace(node_.get()); }
  [[nodiscard]] Logger get_logger() const { return Logger(rcl_node_get_logger_name(node_.get())); }
  [[nodiscard]] Time now() const { return Time::system_now(); }

  template <typename MessageT>
  [[nodiscard]] typename Publisher<MessageT>::SharedPtr create_publisher(const std::string& topic,
                                                                         const QoS& qos) {
    return std::make_shared<Publisher<MessageT>>(node_, topic, qos);
  }
  // The callback is never called: without an executor, messages are taken.
  template <typename MessageT, typename CallbackT>
  [[nodiscard]] typename Subscription<MessageT>::SharedPtr create_subscription(
      const std::string& topic, const QoS& qos, CallbackT&&,
      const SubscriptionOptions& options = SubscriptionOptions()) {
    return std::make_shared<Subscription<MessageT>>(node_, topic, qos, options);
  }
  template <typename ServiceT, typename CallbackT>
  [[nodiscard]] typename Service<ServiceT>::SharedPtr create_service(const std::string& name,
                                                                     CallbackT&&) {
    return std::make_shared<Service<ServiceT>>(node_, name);
  }

  // The override if there is one, else the default.
  const ParameterValue& declare_parameter(
      const std::string& name, const ParameterValue& default_value,
      const rcl_interfaces::msg::ParameterDescriptor& descriptor);
  [[nodiscard]] bool has_parameter(const std::string& name) const {
    return declared_.count(name) != 0;
  }
  [[nodiscard]] std::shared_ptr<ParametersInterface> get_node_parameters_interface() const {
    return parameters_;
  }

  [[nodiscard]] std::vector<TopicEndpointInfo> get_publishers_info_by_topic(
      const std::string& topic) const;

 private:
  std::shared_ptr<rcl_node_t> node_;
  std::shared_ptr<ParametersInterface> parameters_;
  std::map<std::string, ParameterValue> declared_;
};

}  // namespace rclcpp
