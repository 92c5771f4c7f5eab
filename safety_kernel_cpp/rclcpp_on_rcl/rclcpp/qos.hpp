// Quality of service profiles.
#pragma once

#include <rmw/qos_profiles.h>
#include <rmw/types.h>

#include <cstddef>

namespace rclcpp {

class QoS {
 public:
  QoS(std::size_t depth) {  // NOLINT: implicit, as in rclcpp
    profile_.depth = depth;
  }
  QoS& reliable() {
    profile_.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
    return *this;
  }
  QoS& best_effort() {
    profile_.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
    return *this;
  }
  QoS& transient_local() {
    profile_.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
    return *this;
  }
  [[nodiscard]] const rmw_qos_profile_t& get_rmw_qos_profile() const { return profile_; }

 private:
  rmw_qos_profile_t profile_ = rmw_qos_profile_default;
};

class ServicesQoS : public QoS {
 public:
  ServicesQoS() : QoS(10) {}
};

}  // namespace rclcpp
