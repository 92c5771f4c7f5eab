// Any set of fields: refused with a field's name, or a configuration that keeps its own promises.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bytes.hpp"
#include "robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  fuzz::Bytes bytes(data, size);
  RawConfiguration raw = fuzz::raw();
  while (!bytes.empty()) {
    auto number = raw.numbers.begin();
    std::advance(number, bytes.take<std::uint8_t>() % raw.numbers.size());
    switch (bytes.take<std::uint8_t>() % 6) {
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
    }
  }
  if (!good) {
    std::fprintf(stderr, "fuzz_configuration: %s\n", error ? error->text().c_str() : "accepted");
    std::abort();
  }
  return 0;
}
