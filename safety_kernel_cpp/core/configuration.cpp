#include "configuration.hpp"

#include "arm_configuration.hpp"
#include "collision_configuration.hpp"
#include "configuration_hash.hpp"
#include "configuration_parts.hpp"
#include "field_reader.hpp"

namespace openral::safety {
namespace {

using Error = std::optional<ConfigurationError>;

Error read_scalars(const RawConfiguration& raw, Configuration& out) {
  double rate = 0, late_tolerance = 0, late_ticks = 0, lease = 0, chunk_age = 0, horizon = 0;
  double observation_age = 0, observation_future = 0, frozen_ticks = 0, joint_state_age = 0;
  double tracking_ticks = 0, heartbeat = 0, cooldown = 0;
  // In the order of number_fields().
  if (auto error = read_numbers(raw, "", number_fields(),
                                {&rate,
                                 &late_tolerance,
                                 &late_ticks,
                                 &lease,
                                 &chunk_age,
                                 &out.dt_min,
                                 &out.dt_max,
                                 &horizon,
                                 &observation_age,
                                 &observation_future,
                                 &frozen_ticks,
                                 &joint_state_age,
                                 &tracking_ticks,
                                 &out.brake_delay,
                                 &out.brake_time_max,
                                 &out.rest_velocity,
                                 &out.state_position_margin,
                                 &out.state_velocity_factor,
                                 &out.recovery_speed_factor,
                                 &heartbeat,
                                 &cooldown})) {
    return error;
  }
  Times& times = out.times;
  times.tick = to_nanoseconds(1.0 / rate);
  times.late_tolerance = to_nanoseconds(late_tolerance);
  times.lease = to_nanoseconds(lease);
  times.chunk_age_max = to_nanoseconds(chunk_age);
  times.observation_age_max = to_nanoseconds(observation_age);
  times.observation_future_max = to_nanoseconds(observation_future);
  times.joint_state_age_max = to_nanoseconds(joint_state_age);
  times.estop_heartbeat = to_nanoseconds(heartbeat);
  times.estop_cooldown = to_nanoseconds(cooldown);
  out.late_ticks_max = static_cast<std::size_t>(late_ticks);
  out.horizon_max = static_cast<std::size_t>(horizon);
  out.frozen_ticks_max = static_cast<std::size_t>(frozen_ticks);
  out.tracking_ticks_max = static_cast<std::size_t>(tracking_ticks);

  // A longer lease would let a robot obey a kernel that is three ticks dead.
  // One of a single tick has lapsed whenever the next tick is a microsecond late.
  if (times.lease > 3 * times.tick || times.lease < 2 * times.tick) {
    const double tick = 1.0 / rate;
    return ConfigurationError{"lease_s", text_of(lease),
                              "[" + text_of(2 * tick) + ", " + text_of(3 * tick) +
                                  "] s, two to three ticks of loop.rate_hz"};
  }
  // What comes once a tick is a tick old when it is used, or two where it rests on the tick before.
  const std::pair<const char*, double> ages[] = {{"chunk.age_max_s", chunk_age},
                                                 {"observation.age_max_s", observation_age},
                                                 {"joint_state.age_max_s", joint_state_age}};
  for (const auto& [field, age] : ages) {
    if (age >= 2 * out.tick_seconds()) continue;
    return ConfigurationError{
        field, text_of(age),
        "at least " + text_of(2 * out.tick_seconds()) + " s, two ticks of loop.rate_hz"};
  }
  // Rows closer than a tick would be skipped over without being played.
  if (out.dt_min < out.tick_seconds() || out.dt_min > out.dt_max) {
    return ConfigurationError{"chunk.dt_min_s", text_of(out.dt_min),
                              "[" + text_of(out.tick_seconds()) + ", " + text_of(out.dt_max) +
                                  "] s, from one tick to chunk.dt_max_s"};
  }
  return std::nullopt;
}

}  // namespace

const std::vector<NumberField>& number_fields() {
  static const std::vector<NumberField> fields = {
      {"loop.rate_hz", "Hz", 50, 1000, "rate of the control loop"},
      {"loop.late_tolerance_s", "s", 0.0001, 0.05, "a wake-up later than this is a late tick"},
      {"loop.late_ticks_max", "ticks", 1, 3, "consecutive late ticks that latch the kernel"},
      {"lease_s", "s", 0.001, 0.06, "validity of a motor command, two to three ticks"},
      {"chunk.age_max_s", "s", 0.01, 0.12,
       "a playing timeline without a new chunk stops after this"},
      {"chunk.dt_min_s", "s", 0.001, 0.1, "shortest time between rows"},
      {"chunk.dt_max_s", "s", 0.001, 0.2, "longest time between rows"},
      {"chunk.horizon_max", "rows", 1, 1024, "most rows of a chunk"},
      {"observation.age_max_s", "s", 0.01, 1, "oldest observation that a chunk may rest on"},
      {"observation.future_max_s", "s", 0, 0.02, "an observation stamp this far ahead is refused"},
      {"observation.frozen_ticks_max", "ticks", 2, 10,
       "chunks that repeat an observation stamp this long stop the arm"},
      {"joint_state.age_max_s", "s", 0.01, 0.05, "oldest joint state that motion may rest on"},
      {"tracking.ticks_max", "ticks", 1, 3,
       "consecutive ticks beyond tracking_error_max that stop the arm"},
      {"brake.delay_s", "s", 0, 0.1, "reaction time assumed in the stopping distance"},
      {"brake.time_max_s", "s", 0.01, 2, "longest stop from full speed of a joint or of the tool"},
      {"state.rest_velocity", "rad/s or m/s", 0.0001, 0.1, "a slower joint counts as at rest"},
      {"state.position_margin", "rad or m", 0, 0.02,
       "a measured joint may lie outside its limit, and a link point outside the workspace, by "
       "this much"},
      {"state.velocity_factor", "1", 1, 5, "a measured velocity may be this many times its limit"},
      {"recovery.speed_factor", "1", 0.01, 0.25,
       "creep: part of every speed limit on the way back inside the limits"},
      {"estop.heartbeat_s", "s", 0.02, 2, "silence of an e-stop source that counts as asserted"},
      {"estop.cooldown_s", "s", 0, 60, "time between the last assertion and a reset"},
  };
  return fields;
}

std::optional<ConfigurationError> configure(const RawConfiguration& raw, Configuration& out) {
  out = Configuration{};
  if (auto error = read_scalars(raw, out)) return error;

  const auto robot = raw.texts.find("robot.name");
  if (robot == raw.texts.end() || robot->second.empty() || robot->second.size() > kMaxName) {
    return ConfigurationError{"robot.name", robot == raw.texts.end() ? "missing" : robot->second,
                              "a name of 1 to 64 bytes"};
  }
  out.robot.assign(robot->second);

  if (auto error = read_joints(raw, out)) return error;
  if (auto error = read_modes(raw, out)) return error;
  if (auto error = read_gripper(raw, out)) return error;
  if (auto error = read_base(raw, out)) return error;
  const auto skills = raw.lists.find("skills.allowed");
  if (skills != raw.lists.end()) {
    for (const auto& skill : skills->second) {
      if (skill.empty() || skill.size() > kMaxName ||
          !out.skills.push(FixedString<kMaxName>(skill))) {
        return ConfigurationError{"skills.allowed", "'" + skill + "'",
                                  "at most 32 names of 1 to 64 bytes"};
      }
    }
  }
  if (auto error = read_flag(raw, "estop.required", out.estop_required)) return error;
  if (auto error = read_flag(raw, "provenance.hash_required", out.hash_required)) return error;
  if (auto error = read_arm(raw, out)) return error;
  if (auto error = check_stop_turns(out)) return error;
  if (auto error = read_cartesian(raw, out)) return error;
  if (auto error = read_torque(raw, out)) return error;
  if (auto error = read_separation(raw, out)) return error;
  if (auto error = read_collision(raw, out)) return error;
  out.hash = hash_of(raw);
  return std::nullopt;
}

}  // namespace openral::safety
