// `cmd_vel` as chunks of one body-twist row.
#pragma once

#include <array>
#include <cmath>

#include "chunk.hpp"
#include "configuration.hpp"
#include "control_mode.hpp"
#include "reason.hpp"

namespace openral::safety {

// A geometry_msgs/TwistStamped as it was received.
struct VelocityCommand {
  Nanoseconds received = 0;       // monotonic
  Nanoseconds stamp = 0;          // the robot's clock
  std::array<double, 6> twist{};  // vx vy vz [m/s], wx wy wz [rad/s]
  bool in_base_frame = true;      // the message names no other frame

  [[nodiscard]] bool zero() const {
    for (const double value : twist) {
      if (value != 0) return false;
    }
    return true;
  }
};

// The message carries no epoch: what was sent before a stop looks like what is sent after it. So a
// stream is bound to an epoch by a twist of zero. After a stop, a stick that is still pushed moves
// nothing until it was let go once.
class VelocityStream {
 public:
  void bind(std::uint64_t epoch) { epoch_ = epoch; }

  // A base moves in its own plane; another frame would be taken for it, and another axis left out
  // silently.
  [[nodiscard]] static Finding check_plane(const VelocityCommand& command) {
    if (!command.in_base_frame) return finding_of(Reason::kBaseFrame);
    for (const std::size_t axis : {2, 3, 4}) {
      if (command.twist[axis] != 0) {
        return {Reason::kBaseAxis, 0, -1, command.twist[axis], 0};
      }
    }
    return {};
  }

  // Fills `chunk`: a new timeline of one row that is reached after `dt`.
  void fill(const VelocityCommand& command, const Configuration& configuration,
            std::uint64_t timeline, Chunk& chunk) const {
    chunk.received = command.received;
    chunk.observation_stamp = command.stamp;
    chunk.skill_id.assign("cmd_vel");
    chunk.robot = configuration.robot;
    chunk.trace_id.assign("");
    chunk.configuration_hash = configuration.hash;  // it is planned here
    chunk.epoch = epoch_;
    chunk.sequence = 1;
    chunk.timeline = timeline;
    chunk.first_row = 0;
    chunk.control_mode = static_cast<std::uint8_t>(ControlMode::kBodyTwist);
    chunk.last = false;
    chunk.dt = configuration.base.command_period;
    chunk.horizon = 1;
    chunk.name_count = 0;
    chunk.value_count = kBaseAxes;
    chunk.values[0] = command.twist[0];
    chunk.values[1] = command.twist[1];
    chunk.values[2] = command.twist[5];
  }

 private:
  std::uint64_t epoch_ = 0;
};

}  // namespace openral::safety
