// Messages to the core's fixed types and back.
#pragma once

#include <geometry_msgs/msg/twist_stamped.hpp>
#include <openral_msgs/msg/action_chunk.hpp>
#include <openral_msgs/msg/collision_world.hpp>
#include <openral_msgs/msg/e_stop.hpp>
#include <openral_msgs/msg/failure_trigger.hpp>
#include <openral_msgs/msg/kernel_status.hpp>
#include <openral_msgs/msg/motor_command.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sensor_msgs/msg/range.hpp>

#include <cstdint>
#include <string>

#include "../core/kernel.hpp"

namespace openral::safety {

// Keeps the counts that the message has, and as much of its content as fits.
void read_chunk(const openral_msgs::msg::ActionChunk& message, Nanoseconds received, Chunk& chunk);

// A joint state of more joints is not read: the thread that reads them hears the e-stop too.
inline constexpr std::size_t kMaxNames = 64;
// Puts the joints in the configured order by name; `complete` is false if one is missing or named
// twice.
void read_joint_state(const sensor_msgs::msg::JointState& message, Nanoseconds received,
                      const Configuration& configuration, JointState& state);

void read_velocity_command(const geometry_msgs::msg::TwistStamped& message, Nanoseconds received,
                           VelocityCommand& command);

// REP 117: +inf means that nothing is nearer than max_range; what lies outside the sensor's range
// otherwise counts as touch.
void read_separation(const sensor_msgs::msg::Range& message, Nanoseconds received,
                     SeparationReading& reading);

// Keeps the counts that the message has, and as much of its content as fits.
void read_world(const openral_msgs::msg::CollisionWorld& message, Nanoseconds received,
                CollisionWorld& world);

void read_estop(const openral_msgs::msg::EStop& message, Nanoseconds received, EStopLevel& level);

// `stamp`: system time of the tick. The lease is whole.
void write_command(const Command& command, const Configuration& configuration, Nanoseconds stamp,
                   openral_msgs::msg::MotorCommand& message);
// What is left of the lease.
void write_lease(Nanoseconds left, openral_msgs::msg::MotorCommand& message);

// What the loop knows of itself.
struct LoopHealth {
  double rate = 0;  // [Hz] over the last second
  bool realtime = false;
  std::uint64_t reports_lost = 0;
};
void write_status(const Status& status, const Configuration& configuration,
                  const LoopHealth& health, Nanoseconds stamp, Nanoseconds finding_stamp,
                  openral_msgs::msg::KernelStatus& message);

void write_failure(const Report& report, const Configuration& configuration,
                   const std::string& node, Nanoseconds stamp,
                   openral_msgs::msg::FailureTrigger& message);

// One line for a person: reason, row, joint or bodies, value, limit.
[[nodiscard]] std::string explain(const Finding& finding, const BodyNames& bodies,
                                  const Configuration& configuration);

}  // namespace openral::safety
