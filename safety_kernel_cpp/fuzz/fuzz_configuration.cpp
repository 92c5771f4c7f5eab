// Any set of fields: refused with a field's name, or a configuration that keeps its own promises.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../test/duo_in_a_cell.hpp"
#include "bytes.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

void change_vector(Bytes& bytes, RawConfiguration& raw) {
  if (raw.vectors.empty()) return;
  auto vector = raw.vectors.begin();
  std::advance(vector, bytes.take<std::uint8_t>() % raw.vectors.size());
  const auto what = bytes.take<std::uint8_t>();
  if (what % 4 == 0) {
    raw.vectors.erase(vector);
  } else if (what % 4 == 1 || vector->second.empty()) {
    vector->second.push_back(bytes.number(10));
  } else {
    vector->second[what % vector->second.size()] = bytes.number(10);
  }
}

// A body more, under a name of the others, an allowed pair, or another link.
void change_bodies(Bytes& bytes, RawConfiguration& raw) {
  const char* const names[] = {"upper", "fore", "post", "pedestal", "", "a.b", "base"};
  const auto what = bytes.take<std::uint8_t>();
  const std::string name = names[bytes.take<std::uint8_t>() % std::size(names)];
  if (what % 4 == 0) raw.lists["robot.collision.bodies"].push_back(name);
  if (what % 4 == 1) raw.lists["world.bodies"].push_back(name);
  if (what % 4 == 2) {
    raw.lists["robot.collision.allowed"].push_back(name + ":" + names[what % std::size(names)]);
  }
  if (what % 4 == 3) raw.texts["robot.collision.body." + name + ".link"] = names[what % 7];
}

bool stop_is_short(const Configuration& configuration, const JointLimits& limits) {
  const double time = limits.velocity_max / limits.acceleration_max;
  return time <= configuration.brake_time_max * (1 + 1e-6) && configuration.brake_time_max <= 2;
}

bool collision_is_good(const Configuration& configuration) {
  const CollisionLimits& limits = configuration.collision;
  if (!limits.enabled) return true;
  bool good = limits.margin >= limits.stop_margin && limits.stop_margin >= 0;
  for (std::size_t c = 0; c < configuration.arm.chain.joints.size(); ++c) {
    bool has_body = false;
    for (const CollisionBody& body : limits.links) {
      has_body = has_body || body.link == static_cast<std::int32_t>(c);
    }
    good = good && has_body;
  }
  const auto whole = [](const Solid& solid) {
    bool whole = solid.box ? solid.radius == 0 : solid.radius > 0;
    for (std::size_t i = 0; i < 3; ++i) {
      whole = whole && std::isfinite(solid.centre[i]) && std::isfinite(solid.axis[i]) &&
              (!solid.box || solid.half[i] > 0);
    }
    return whole;
  };
  for (const CollisionBody& body : limits.links) good = good && whole(body.solid);
  for (const CollisionBody& body : limits.statics) {
    good = good && whole(body.solid) && body.link == kStanding;
  }
  return good;
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  fuzz::Bytes bytes(data, size);
  static const RawConfiguration good_one = duo::raw_in_a_world();
  RawConfiguration raw = good_one;
  while (!bytes.empty()) {
    auto number = raw.numbers.begin();
    std::advance(number, bytes.take<std::uint8_t>() % raw.numbers.size());
    switch (bytes.take<std::uint8_t>() % 8) {
      case 0:
        raw.numbers.erase(number);
        break;
      case 1:
        number->second = bytes.take<double>();
        break;
      case 2:
        number->second = bytes.number(10);
        break;
      case 3:
        raw.lists["robot.joints"].push_back(std::string(1, static_cast<char>(bytes.take<char>())));
        break;
      case 4:
        fuzz::change_vector(bytes, raw);
        break;
      case 5:
        fuzz::change_bodies(bytes, raw);
        break;
      case 6:
        raw.numbers["robot.limits." + std::string(1, bytes.take<char>()) + ".velocity_max"] = 1;
        break;
      default:
        raw.lists["robot.modes"] = {std::string(1, bytes.take<char>())};
    }
    if (raw.numbers.empty()) break;
  }
  Configuration configuration;
  const auto error = configure(raw, configuration);
  bool good = true;
  if (error) {
    good = !error->field.empty() && !error->valid.empty();
  } else {
    good =
        configuration.times.tick > 0 && configuration.times.lease <= 3 * configuration.times.tick;
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      const JointLimits& limits = configuration.limits[j];
      good = good && limits.position_min < limits.position_max && limits.velocity_max > 0 &&
             std::isfinite(limits.velocity_max) && limits.acceleration_max > 0;
      good = good && fuzz::stop_is_short(configuration, limits);
      good = good && 2 * configuration.rest_velocity <= limits.velocity_max &&
             2 * configuration.state_position_margin <= limits.position_max - limits.position_min;
    }
    good = good && configuration.late_ticks_max >= 1 && configuration.late_ticks_max <= 3;
    good = good && fuzz::collision_is_good(configuration);
  }
  if (!good) {
    std::fprintf(stderr, "fuzz_configuration: %s\n", error ? error->text().c_str() : "accepted");
    std::abort();
  }
  return 0;
}
