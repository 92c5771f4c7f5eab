// A middleware that fails on demand, to be preloaded: rcl_take() fails as long as the file that
// OPENRAL_FAILING_RCL names exists.
#include <dlfcn.h>
#include <rcl/subscription.h>
#include <rcutils/error_handling.h>
#include <unistd.h>

#include <cstdlib>

extern "C" rcl_ret_t rcl_take(const rcl_subscription_t* subscription, void* message,
                              rmw_message_info_t* info, rmw_subscription_allocation_t* allocation) {
  using Take = rcl_ret_t (*)(const rcl_subscription_t*, void*, rmw_message_info_t*,
                             rmw_subscription_allocation_t*);
  static const auto take = reinterpret_cast<Take>(dlsym(RTLD_NEXT, "rcl_take"));
  static const char* const file = std::getenv("OPENRAL_FAILING_RCL");
  if (file != nullptr && access(file, F_OK) == 0) {
    RCUTILS_SET_ERROR_MSG("asked to fail");
    return RCL_RET_ERROR;
  }
  return take(subscription, message, info, allocation);
}
