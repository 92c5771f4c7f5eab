#include "conversion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace openral::safety {
namespace {

constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;
constexpr std::string_view kBaseFrame = "base_link";  // REP 105

Nanoseconds to_nanoseconds(const builtin_interfaces::msg::Time& time) {
  return static_cast<Nanoseconds>(time.sec) * kNanosecondsPerSecond + time.nanosec;
}

builtin_interfaces::msg::Time to_message(Nanoseconds time) {
  builtin_interfaces::msg::Time message;
  message.sec = static_cast<std::int32_t>(time / kNanosecondsPerSecond);
  message.nanosec = static_cast<std::uint32_t>(time % kNanosecondsPerSecond);
  return message;
}

std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

// JSON knows neither NaN nor infinity.
std::string json_of(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

std::string json_of(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (byte < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", byte);
      json += buffer;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

void read_body(const openral_msgs::msg::CollisionBody& message, WorldBody& body) {
  body.name.assign(message.name);
  body.shape = message.shape;
  const auto& position = message.pose.position;
  const auto& orientation = message.pose.orientation;
  body.position = {position.x, position.y, position.z};
  body.orientation = {orientation.x, orientation.y, orientation.z, orientation.w};
  body.size = message.size;
}

std::string joint_name(const Finding& finding, const Configuration& configuration) {
  if (finding.joint < 0) return "";
  return std::string(configuration.joints[static_cast<std::size_t>(finding.joint)].view());
}

}  // namespace

void read_chunk(const openral_msgs::msg::ActionChunk& message, Nanoseconds received, Chunk& chunk) {
  chunk.received = received;
  chunk.observation_stamp = to_nanoseconds(message.observation_stamp);
  chunk.skill_id.assign(message.skill_id);
  chunk.robot.assign(message.robot);
  chunk.trace_id.assign(message.trace_id);
  chunk.configuration_hash = message.configuration_hash;
  chunk.epoch = message.epoch;
  chunk.sequence = message.sequence;
  chunk.timeline = message.timeline;
  chunk.first_row = message.first_row;
  chunk.control_mode = message.control_mode;
  chunk.last = message.last;
  chunk.dt = message.dt;
  chunk.horizon = message.horizon;
  chunk.name_count = message.joint_names.size();
  const std::size_t names = std::min(message.joint_names.size(), kMaxJoints);
  for (std::size_t i = 0; i < names; ++i) chunk.joint_names[i].assign(message.joint_names[i]);
  chunk.value_count = message.rows.size();
  std::copy_n(message.rows.begin(), std::min(message.rows.size(), kMaxValues),
              chunk.values.begin());
}

void read_joint_state(const sensor_msgs::msg::JointState& message, Nanoseconds received,
                      const Configuration& configuration, JointState& state) {
  state = JointState{};
  state.received = received;
  state.stamp = to_nanoseconds(message.header.stamp);
  const std::size_t count = message.name.size();
  if (count > kMaxNames) return;
  if (message.position.size() != count || message.velocity.size() != count) return;
  // A driver without force measurement leaves it out, or gives NaN.
  const bool with_effort = message.effort.size() == count;
  if (!with_effort && !message.effort.empty()) return;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    std::size_t times = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(configuration.joints[j] == std::string_view(message.name[i]))) continue;
      ++times;
      state.position[j] = message.position[i];
      state.velocity[j] = message.velocity[i];
      if (with_effort) state.effort[j] = message.effort[i];
    }
    if (times != 1) return;
  }
  state.complete = true;
}

void read_velocity_command(const geometry_msgs::msg::TwistStamped& message, Nanoseconds received,
                           VelocityCommand& command) {
  command.received = received;
  command.stamp = to_nanoseconds(message.header.stamp);
  const auto& linear = message.twist.linear;
  const auto& angular = message.twist.angular;
  command.twist = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  const std::string& frame = message.header.frame_id;
  command.in_base_frame = frame.empty() || frame == kBaseFrame;
}

void read_separation(const sensor_msgs::msg::Range& message, Nanoseconds received,
                     SeparationReading& reading) {
  reading.received = received;
  reading.stamp = to_nanoseconds(message.header.stamp);
  const bool nothing = std::isinf(message.range) && message.range > 0;
  const bool valid = message.range >= message.min_range && message.range <= message.max_range;
  reading.distance = nothing ? message.max_range : valid ? message.range : 0;
}

void read_world(const openral_msgs::msg::CollisionWorld& message, Nanoseconds received,
                CollisionWorld& world) {
  world.received = received;
  world.stamp = to_nanoseconds(message.header.stamp);
  world.frame.assign(message.header.frame_id);
  world.body_count = message.bodies.size();
  const std::size_t bodies = std::min(message.bodies.size(), kMaxWorldBodies);
  for (std::size_t i = 0; i < bodies; ++i) read_body(message.bodies[i], world.bodies[i]);
  world.payload_count = message.payload.size();
  const std::size_t payload = std::min(message.payload.size(), kMaxPayloadBodies);
  for (std::size_t i = 0; i < payload; ++i) read_body(message.payload[i], world.payload[i]);
  world.touchable_count = message.payload_may_touch.size();
  const std::size_t touchable = std::min(message.payload_may_touch.size(), kMaxTouchable);
  for (std::size_t i = 0; i < touchable; ++i) {
    world.touchable[i].assign(message.payload_may_touch[i]);
  }
}

void read_estop(const openral_msgs::msg::EStop& message, Nanoseconds received, EStopLevel& level) {
  level.received = received;
  level.source.assign(message.source);
  level.asserted = message.asserted;
}

void write_lease(Nanoseconds left, openral_msgs::msg::MotorCommand& message) {
  message.lease.sec = static_cast<std::int32_t>(left / kNanosecondsPerSecond);
  message.lease.nanosec = static_cast<std::uint32_t>(left % kNanosecondsPerSecond);
}

void write_command(const Command& command, const Configuration& configuration, Nanoseconds stamp,
                   openral_msgs::msg::MotorCommand& message) {
  message.header.stamp = to_message(stamp);
  message.valid_until = to_message(stamp + configuration.times.lease);
  write_lease(configuration.times.lease, message);
  message.epoch = command.epoch;
  message.sequence = command.sequence;
  message.braking = command.braking;
  message.control_mode = static_cast<std::uint8_t>(command.mode);
  message.gripper_effort_max = configuration.gripper.force_max;
  if (command.mode == ControlMode::kCartesianPose) {
    message.joint_names.clear();
    message.values.assign(command.position.begin(), command.position.begin() + kPoseWidth);
    message.velocities.assign(command.velocity.begin(), command.velocity.begin() + kTwistWidth);
    return;
  }
  if (command.mode == ControlMode::kBodyTwist) {
    message.joint_names.clear();
    message.velocities.clear();
    message.values.assign(command.position.begin(), command.position.begin() + kBaseAxes);
    return;
  }
  // A row always commands all joints, whatever part of them the chunk moves.
  message.joint_names.resize(configuration.joint_count);
  message.values.resize(configuration.joint_count);
  message.velocities.resize(configuration.joint_count);
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    message.joint_names[j] = configuration.joints[j].view();
    message.values[j] = command.position[j];
    message.velocities[j] = command.velocity[j];
  }
  if (command.mode == ControlMode::kJointTorque) message.velocities.clear();
}

void write_status(const Status& status, const Configuration& configuration,
                  const LoopHealth& health, Nanoseconds stamp, Nanoseconds finding_stamp,
                  openral_msgs::msg::KernelStatus& message) {
  message.header.stamp = to_message(stamp);
  message.state = static_cast<std::uint8_t>(status.state);
  message.epoch = status.epoch;
  message.reason = reason_name(status.finding.reason);
  message.message = explain(status.finding, status.bodies, configuration);
  message.row = status.finding.row;
  message.joint = joint_name(status.finding, configuration);
  message.value = status.finding.value;
  message.limit = status.finding.limit;
  message.reason_stamp = to_message(status.finding.ok() ? 0 : finding_stamp);
  message.unmet.clear();
  for (const Reason reason : status.unmet) message.unmet.emplace_back(reason_name(reason));
  message.timeline = status.timeline;
  message.consumed_row = status.consumed_row;
  message.commanded.assign(
      status.commanded.begin(),
      status.commanded.begin() + static_cast<std::ptrdiff_t>(configuration.joint_count));
  message.chunks_admitted = status.chunks_admitted;
  message.chunks_refused = status.chunks_refused;
  message.stops = status.stops;
  message.commands = status.commands;
  message.late_ticks = status.late_ticks;
  message.reports_lost = health.reports_lost;
  message.tick_rate = health.rate;
  message.realtime = health.realtime;
  message.configuration_hash = configuration.hash;
  message.recovery = status.recovery;
}

void write_failure(const Report& report, const Configuration& configuration,
                   const std::string& node, Nanoseconds stamp,
                   openral_msgs::msg::FailureTrigger& message) {
  message.header.stamp = to_message(stamp);
  message.severity = static_cast<std::uint8_t>(report.severity);
  message.kind = reason_name(report.finding.reason);
  message.source = node;
  message.skill_id = report.skill_id.view();
  message.trace_id = report.trace_id.view();
  message.message = explain(report.finding, report.bodies, configuration);
  const bool estop = report.finding.reason == Reason::kEstop ||
                     report.finding.reason == Reason::kEstopSilent ||
                     report.finding.reason == Reason::kEstopOverflow;
  const bool collision = report.finding.reason == Reason::kCollision;
  if (estop) {
    const std::string source(report.source.view());
    message.message += source.empty() ? " by a source without a name, or in a message that was lost"
                                      : " by '" + source + "'";
  }
  message.evidence_json =
      "{\"reason\": " + json_of(reason_name(report.finding.reason)) +
      ", \"row\": " + std::to_string(report.finding.row) +
      ", \"joint\": " + json_of(joint_name(report.finding, configuration)) +
      ", \"value\": " + json_of(report.finding.value) +
      ", \"limit\": " + json_of(report.finding.limit) +
      ", \"epoch\": " + std::to_string(report.epoch) +
      ", \"sequence\": " + std::to_string(report.sequence) +
      ", \"timeline\": " + std::to_string(report.timeline) +
      (collision ? ", \"bodies\": [" + json_of(report.bodies.body.view()) + ", " +
                       json_of(report.bodies.other.view()) + "]"
                 : std::string()) +
      (estop ? ", \"estop_source\": " + json_of(report.source.view()) : std::string()) + "}";
}

std::string explain(const Finding& finding, const BodyNames& bodies,
                    const Configuration& configuration) {
  if (finding.ok()) return "";
  std::string text(reason_name(finding.reason));
  if (finding.row >= 0) text += ", row " + std::to_string(finding.row);
  if (finding.joint >= 0) text += ", " + joint_name(finding, configuration);
  if (finding.body >= 0) {
    text += ", '" + std::string(bodies.body.view()) + "' and '" + std::string(bodies.other.view()) +
            "'";
  }
  if (!std::isnan(finding.value)) text += ": got " + text_of(finding.value);
  if (!std::isnan(finding.limit)) text += ", allowed " + text_of(finding.limit);
  return text;
}

}  // namespace openral::safety
