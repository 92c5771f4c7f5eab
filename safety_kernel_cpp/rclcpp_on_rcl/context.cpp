#include "rclcpp/context.hpp"

#include <rcl/error_handling.h>
#include <rcl/logging.h>

#include <atomic>
#include <csignal>
#include <stdexcept>

namespace rclcpp {
namespace {

rcl_context_t g_context = rcl_get_zero_initialized_context();
std::atomic<bool> g_stop{true};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int) { g_stop.store(true); }

}  // namespace

void init(int argc, char const* const* argv, const InitOptions&, SignalHandlerOptions signals) {
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  on_rcl::require(rcl_init_options_init(&options, rcl_get_default_allocator()), "init options");
  on_rcl::require(rcl_init(argc, argv, &options, &g_context), "init");
  on_rcl::require(rcl_init_options_fini(&options), "init options");
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  on_rcl::require(rcl_logging_configure(&g_context.global_arguments, &allocator), "logging");
  // Before the handlers: a signal from now on stands.
  g_stop.store(false);
  if (signals == SignalHandlerOptions::None) return;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool ok() { return !g_stop.load(); }

bool shutdown() {
  g_stop.store(true);
  if (!rcl_context_is_valid(&g_context)) return false;
  const bool done =
      rcl_shutdown(&g_context) == RCL_RET_OK && rcl_context_fini(&g_context) == RCL_RET_OK;
  on_rcl::release(rcl_logging_fini());
  return done;
}

namespace on_rcl {

rcl_context_t& context() { return g_context; }

void require(rcl_ret_t code, const std::string& what) {
  if (code == RCL_RET_OK) return;
  const std::string message = what + ": " + rcl_get_error_string().str;
  rcl_reset_error();
  throw std::runtime_error(message);
}

void release(rcl_ret_t code) {
  if (code != RCL_RET_OK) rcl_reset_error();
}

}  // namespace on_rcl
}  // namespace rclcpp
