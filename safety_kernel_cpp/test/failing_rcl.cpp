// A middleware that fails on demand, to be preloaded: rcl_take() fails as long as the file that
// OPENRAL_FAILING_RCL names exists, rcl_publish() blocks as long as that of OPENRAL_BLOCKING_RCL
// does.
#include <dlfcn.h>
#include <rcl/publisher.h>
#include <rcl/subscription.h>
#include <rcutils/error_handling.h>
#include <unistd.h>

#include <cstdlib>

namespace {

// Whether there is a file of the name that a variable of the environment gives.
bool asked_for(const char* variable) {
  const char* const file = std::getenv(variable);
  return file != nullptr && access(file, F_OK) == 0;
}

}  // namespace

extern "C" rcl_ret_t rcl_take(const rcl_subscription_t* subscription, void* message,
                              rmw_message_info_t* info, rmw_subscription_allocation_t* allocation) {
  using Take = rcl_ret_t (*)(const rcl_subscription_t*, void*, rmw_message_info_t*,
                             rmw_subscription_allocation_t*);
  static const auto take = reinterpret_cast<Take>(dlsym(RTLD_NEXT, "rcl_take"));
  if (asked_for("OPENRAL_FAILING_RCL")) {
    RCUTILS_SET_ERROR_MSG("asked to fail");
    return RCL_RET_ERROR;
  }
  return take(subscription, message, info, allocation);
}

extern "C" rcl_ret_t rcl_publish(const rcl_publisher_t* publisher, const void* message,
                                 rmw_publisher_allocation_t* allocation) {
  using Publish = rcl_ret_t (*)(const rcl_publisher_t*, const void*, rmw_publisher_allocation_t*);
  static const auto publish = reinterpret_cast<Publish>(dlsym(RTLD_NEXT, "rcl_publish"));
  while (asked_for("OPENRAL_BLOCKING_RCL")) usleep(1000);
  return publish(publisher, message, allocation);
}
