// The small robot on a base that drives forward and turns, and has no sideways axis.
#pragma once

#include <string>
#include <utility>

#include "duo_robot.hpp"

namespace openral::safety::duo {

// axis     speed  acceleration  change in a row of 0.02 s  stop from full speed
// forward  0.5    1             0.02                       100 ticks
// lateral  none
// turn     1      2             0.04                       100 ticks
// Its corners are 0.4 m away from the axis that it turns about.
inline RawConfiguration raw_with_base() {
  RawConfiguration raw = duo::raw();
  raw.lists["robot.modes"] = {"joint_position", "gripper_position", "body_twist"};
  const std::pair<const char*, double> values[] = {
      {"linear_speed_max", 0.5},
      {"lateral_speed_max", 0},
      {"angular_speed_max", 1},
      {"linear_acceleration_max", 1},
      {"lateral_acceleration_max", 1},
      {"angular_acceleration_max", 2},
      {"stopping_distance_max", 0.1},
      {"stopping_time_max_s", 0.5},
      {"radius", 0.4},
      {"command_period_s", 0.05},
  };
  for (const auto& [name, value] : values) {
    raw.numbers[std::string("robot.base.") + name] = value;
  }
  return raw;
}

}  // namespace openral::safety::duo
