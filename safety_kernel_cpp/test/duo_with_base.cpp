#include "duo_with_base.hpp"

#include <string>
#include <utility>

namespace openral::safety::duo {

RawConfiguration raw_with_base() {
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
