#include "rclcpp/node.hpp"

#include <rcl/graph.h>

#include <algorithm>

#include "rclcpp/context.hpp"

namespace rclcpp {
namespace {

std::shared_ptr<rcl_node_t> make_node(const std::string& name) {
  const auto finish = [](rcl_node_t* node) {
    on_rcl::release(rcl_node_fini(node));
    delete node;
  };
  std::shared_ptr<rcl_node_t> node(new rcl_node_t(rcl_get_zero_initialized_node()), finish);
  rcl_node_options_t options = rcl_node_get_default_options();
  on_rcl::require(rcl_node_init(node.get(), name.c_str(), "", &on_rcl::context(), &options),
                  "node " + name);
  on_rcl::release(rcl_node_options_fini(&options));
  return node;
}

}  // namespace

Node::Node(const std::string& name, const NodeOptions&)
    : node_(make_node(name)),
      parameters_(std::make_shared<ParametersInterface>(on_rcl::overrides_of(
          on_rcl::context().global_arguments, rcl_node_get_fully_qualified_name(node_.get())))) {}

const ParameterValue& Node::declare_parameter(const std::string& name,
                                              const ParameterValue& default_value,
                                              const rcl_interfaces::msg::ParameterDescriptor&) {
  const auto& overrides = parameters_->get_parameter_overrides();
  const auto found = overrides.find(name);
  ParameterValue& value = declared_[name];
  value = found != overrides.end() ? found->second : default_value;
  return value;
}

std::vector<TopicEndpointInfo> Node::get_publishers_info_by_topic(const std::string& topic) const {
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_topic_endpoint_info_array_t found = rcl_get_zero_initialized_topic_endpoint_info_array();
  on_rcl::require(
      rcl_get_publishers_info_by_topic(node_.get(), &allocator, topic.c_str(), false, &found),
      "publishers of " + topic);
  std::vector<TopicEndpointInfo> publishers;
  for (std::size_t i = 0; i < found.size; ++i) {
    const rmw_topic_endpoint_info_t& info = found.info_array[i];
    TopicEndpointInfo::Gid gid{};
    std::copy_n(info.endpoint_gid, gid.size(), gid.begin());
    publishers.emplace_back(info.node_name, info.node_namespace, gid);
  }
  on_rcl::release(rcl_topic_endpoint_info_array_fini(&found, &allocator));
  return publishers;
}

}  // namespace rclcpp
