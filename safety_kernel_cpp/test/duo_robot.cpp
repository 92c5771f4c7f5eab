#include "duo_robot.hpp"

#include <initializer_list>
#include <string>

namespace openral::safety::duo {

RawConfiguration raw() {
  RawConfiguration raw;
  raw.numbers = {
      {"loop.rate_hz", 200},
      {"loop.late_tolerance_s", 0.005},
      {"loop.late_ticks_max", 3},
      {"lease_s", 0.015},
      {"chunk.age_max_s", 0.08},
      {"chunk.dt_min_s", 0.005},
      {"chunk.dt_max_s", 0.1},
      {"chunk.horizon_max", 1024},
      {"observation.age_max_s", 0.1},
      {"observation.future_max_s", 0.02},
      {"observation.frozen_ticks_max", 10},
      {"joint_state.age_max_s", 0.05},
      {"tracking.ticks_max", 3},
      {"brake.delay_s", 0.005},
      {"brake.time_max_s", 0.5},
      {"state.rest_velocity", 0.02},
      {"state.position_margin", 0.01},
      {"state.velocity_factor", 3},
      {"recovery.speed_factor", 0.1},
      {"estop.heartbeat_s", 0.5},
      {"estop.cooldown_s", 1},
  };
  raw.numbers["robot.gripper.force_max_N"] = 40;
  raw.numbers["robot.gripper.power_max_W"] = 5;
  raw.numbers["robot.gripper.ticks_max"] = 3;
  const auto joint = [&](const std::string& name, std::initializer_list<double> values) {
    auto value = values.begin();
    for (const auto& field : joint_fields()) {
      raw.numbers["robot.limits." + name + "." + field.name] = *value++;
    }
  };
  joint("shoulder", {-2, 2, 1, 10, 2000, 0.1, 0.1});
  joint("elbow", {-1, 1, 0.5, 5, 1000, 0.1, 0.1});
  joint("finger", {0, 0.04, 0.1, 2, 1000, 0.01, 0.08});
  raw.texts["robot.name"] = "duo";
  raw.lists["robot.joints"] = {"shoulder", "elbow", "finger"};
  raw.lists["robot.gripper_joints"] = {"finger"};
  raw.lists["robot.modes"] = {"joint_position", "gripper_position"};
  raw.flags["estop.required"] = false;
  raw.flags["provenance.hash_required"] = false;
  raw.flags["robot.arm.forward_kinematics"] = false;
  raw.flags["robot.collision.enabled"] = false;
  raw.flags["separation.enabled"] = false;
  return raw;
}

void keep_from_people(RawConfiguration& raw) {
  raw.flags["separation.enabled"] = true;
  raw.numbers["separation.deceleration"] = 2;
  raw.numbers["separation.reaction_s"] = 0.1;
  raw.numbers["separation.margin"] = 0.3;
  raw.numbers["separation.human_speed"] = 1.6;
  raw.numbers["separation.age_max_s"] = 0.095;
}

}  // namespace openral::safety::duo
