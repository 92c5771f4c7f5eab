// A typed service that is polled with take_request().
#pragma once

#include <rcl/error_handling.h>
#include <rcl/service.h>
#include <rosidl_typesupport_cpp/service_type_support.hpp>

#include <memory>
#include <string>

#include "rclcpp/context.hpp"

namespace rclcpp {

class ServiceBase {
 public:
  using SharedPtr = std::shared_ptr<ServiceBase>;
  ServiceBase(std::shared_ptr<rcl_node_t> node, const rosidl_service_type_support_t* type,
              const std::string& name)
      : node_(std::move(node)) {
    const rcl_service_options_t options = rcl_service_get_default_options();
    on_rcl::require(rcl_service_init(&service_, node_.get(), type, name.c_str(), &options),
                    "service " + name);
  }
  ~ServiceBase() { on_rcl::release(rcl_service_fini(&service_, node_.get())); }
  ServiceBase(const ServiceBase&) = delete;
  ServiceBase& operator=(const ServiceBase&) = delete;

  [[nodiscard]] const rcl_service_t& handle() const { return service_; }

 protected:
  rcl_service_t service_ = rcl_get_zero_initialized_service();

 private:
  std::shared_ptr<rcl_node_t> node_;
};

template <typename ServiceT>
class Service : public ServiceBase {
 public:
  using SharedPtr = std::shared_ptr<Service>;
  Service(std::shared_ptr<rcl_node_t> node, const std::string& name)
      : ServiceBase(std::move(node),
                    rosidl_typesupport_cpp::get_service_type_support_handle<ServiceT>(), name) {}

  // False if no request waits.
  bool take_request(typename ServiceT::Request& request, rmw_request_id_t& id) {
    const rcl_ret_t code = rcl_take_request(&service_, &id, &request);
    if (code == RCL_RET_SERVICE_TAKE_FAILED) {
      rcl_reset_error();
      return false;
    }
    on_rcl::require(code, "take request");
    return true;
  }
  void send_response(rmw_request_id_t& id, typename ServiceT::Response& response) {
    const rcl_ret_t code = rcl_send_response(&service_, &id, &response);
    // A client that has gone is no failure of the service.
    if (code == RCL_RET_TIMEOUT) {
      rcl_reset_error();
      return;
    }
    on_rcl::require(code, "send response");
  }
};

}  // namespace rclcpp
