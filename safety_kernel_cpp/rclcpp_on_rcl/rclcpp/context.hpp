// The process' one context: arguments, signals, shutdown.
#pragma once

#include <rcl/rcl.h>

#include <string>

namespace rclcpp {

struct InitOptions {};

enum class SignalHandlerOptions { All, None };

// Reads the ROS arguments. With `All` SIGINT and SIGTERM end ok() from now on.
void init(int argc, char const* const* argv, const InitOptions& options = InitOptions(),
          SignalHandlerOptions signals = SignalHandlerOptions::All);
[[nodiscard]] bool ok();
bool shutdown();

namespace on_rcl {

[[nodiscard]] rcl_context_t& context();

// Throws std::runtime_error with rcl's message if `code` is not RCL_RET_OK.
void require(rcl_ret_t code, const std::string& what);

// For the end of an object's life, where a failure leaves nothing to be done.
void release(rcl_ret_t code);

}  // namespace on_rcl
}  // namespace rclcpp
