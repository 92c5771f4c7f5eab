// Any set of fields: refused with a field's name, or a configuration that keeps its own promises.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "../test/duo_in_a_cell.hpp"
#include "bytes.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

constexpr int kChanges = 16;  // more of them hide each other

// A good configuration and the fields of it that are changed, which are mended afterwards: to copy
// it whole each time takes longer than to read it.
class Changed {
 public:
  explicit Changed(const RawConfiguration& good) : good_(good), raw_(good) {}

  // Whatever is done to the field under this key is undone by mend().
  std::map<std::string, double>& numbers(const std::string& key) {
    numbers_.push_back(key);
    return raw_.numbers;
  }
  std::map<std::string, std::vector<double>>& vectors(const std::string& key) {
    vectors_.push_back(key);
    return raw_.vectors;
  }
  std::map<std::string, std::vector<std::string>>& lists(const std::string& key) {
    lists_.push_back(key);
    return raw_.lists;
  }
  std::map<std::string, std::string>& texts(const std::string& key) {
    texts_.push_back(key);
    return raw_.texts;
  }
  [[nodiscard]] const RawConfiguration& raw() const { return raw_; }
  // Why this must be refused, by what was done to it and not by what the kernel reads: a number
  // that is missing or is none, or one of a joint that the robot does not have.
  [[nodiscard]] std::string must_be_refused() const {
    for (const std::string& key : numbers_) {
      const auto here = raw_.numbers.find(key);
      const bool known = good_.numbers.count(key) > 0;
      if (known && here == raw_.numbers.end()) return "without " + key;
      if (here != raw_.numbers.end() && !std::isfinite(here->second)) return key + " is no number";
      if (!known && here != raw_.numbers.end() && !of_a_joint(key)) return key + " of no joint";
    }
    return "";
  }
  void mend() {
    mend(numbers_, good_.numbers, raw_.numbers);
    mend(vectors_, good_.vectors, raw_.vectors);
    mend(lists_, good_.lists, raw_.lists);
    mend(texts_, good_.texts, raw_.texts);
  }

 private:
  // Of robot.limits.JOINT.FIELD, in the list as it is by now.
  [[nodiscard]] bool of_a_joint(const std::string& key) const {
    const auto joints = raw_.lists.find("robot.joints");
    if (joints == raw_.lists.end()) return false;
    for (const std::string& joint : joints->second) {
      if (key.rfind("robot.limits." + joint + ".", 0) == 0) return true;
    }
    return false;
  }
  template <typename Map>
  static void mend(std::vector<std::string>& keys, const Map& good, Map& raw) {
    for (const std::string& key : keys) {
      const auto found = good.find(key);
      if (found == good.end()) {
        raw.erase(key);
      } else {
        raw[key] = found->second;
      }
    }
    keys.clear();
  }

  const RawConfiguration& good_;
  RawConfiguration raw_;
  std::vector<std::string> numbers_, vectors_, lists_, texts_;  // keys that were changed
};

// One of the fields that are left.
template <typename Map>
std::string any_key(Bytes& bytes, const Map& map) {
  auto field = map.begin();
  std::advance(field, bytes.take<std::uint8_t>() % map.size());
  return field->first;
}

void change_vector(Bytes& bytes, Changed& changed) {
  if (changed.raw().vectors.empty()) return;
  const std::string key = any_key(bytes, changed.raw().vectors);
  std::vector<double>& vector = changed.vectors(key)[key];
  const auto what = bytes.take<std::uint8_t>();
  if (what % 4 == 0) {
    changed.vectors(key).erase(key);
  } else if (what % 4 == 1 || vector.empty()) {
    vector.push_back(bytes.number(10));
  } else {
    vector[what % vector.size()] = bytes.number(10);
  }
}

// A body more, under a name of the others, an allowed pair, or another link.
void change_bodies(Bytes& bytes, Changed& changed) {
  const char* const names[] = {"upper", "fore", "post", "pedestal", "", "a.b", "base"};
  const auto what = bytes.take<std::uint8_t>();
  const std::string name = names[bytes.take<std::uint8_t>() % std::size(names)];
  const auto list = [&](const std::string& key) -> std::vector<std::string>& {
    return changed.lists(key)[key];
  };
  if (what % 4 == 0) list("robot.collision.bodies").push_back(name);
  if (what % 4 == 1) list("world.bodies").push_back(name);
  if (what % 4 == 2) {
    list("robot.collision.allowed").push_back(name + ":" + names[what % std::size(names)]);
  }
  const std::string link = "robot.collision.body." + name + ".link";
  if (what % 4 == 3) changed.texts(link)[link] = names[what % 7];
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
  static fuzz::Changed changed(good_one);
  for (int i = 0; i < fuzz::kChanges && !bytes.empty() && !changed.raw().numbers.empty(); ++i) {
    const std::string key = fuzz::any_key(bytes, changed.raw().numbers);
    const std::string joints = "robot.joints", modes = "robot.modes";
    switch (bytes.take<std::uint8_t>() % 8) {
      case 0:
        changed.numbers(key).erase(key);
        break;
      case 1:
        changed.numbers(key)[key] = bytes.take<double>();
        break;
      case 2:
        changed.numbers(key)[key] = bytes.number(10);
        break;
      case 3:
        changed.lists(joints)[joints].push_back(std::string(1, bytes.take<char>()));
        break;
      case 4:
        fuzz::change_vector(bytes, changed);
        break;
      case 5:
        fuzz::change_bodies(bytes, changed);
        break;
      case 6: {
        const std::string limit =
            "robot.limits." + std::string(1, bytes.take<char>()) + ".velocity_max";
        changed.numbers(limit)[limit] = 1;
        break;
      }
      default:
        changed.lists(modes)[modes] = {std::string(1, bytes.take<char>())};
    }
  }
  // Of the input before it, nothing may be left.
  static Configuration configuration;
  const auto error = configure(changed.raw(), configuration);
  const std::string refused = error ? "" : changed.must_be_refused();
  bool good = error || refused.empty();
  if (error) {
    good = !error->field.empty() && !error->valid.empty();
  } else {
    good = good && configuration.times.tick > 0 &&
           configuration.times.lease >= 2 * configuration.times.tick &&
           configuration.times.lease <= 3 * configuration.times.tick;
    const SeparationLimits& people = configuration.separation;
    good = good &&
           (!people.enabled || people.reaction * kSecond >= static_cast<double>(people.age_max));
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
  changed.mend();
  if (!good) {
    std::fprintf(stderr, "fuzz_configuration: %s %s\n", error ? error->text().c_str() : "accepted",
                 refused.c_str());
    std::abort();
  }
  return 0;
}
