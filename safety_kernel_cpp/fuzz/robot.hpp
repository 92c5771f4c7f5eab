// The robot that the fuzz targets run on.
#pragma once

#include <cstdlib>

#include "../test/duo_every_mode_robot.hpp"
#include "../test/duo_with_base.hpp"

namespace openral::safety::fuzz {

[[nodiscard]] inline RawConfiguration raw() { return duo::raw(); }

[[nodiscard]] inline Configuration configuration() {
  Configuration configuration;
  if (configure(raw(), configuration)) std::abort();
  return configuration;
}

// On a base, with every mode of joints.
[[nodiscard]] inline Configuration with_base() {
  RawConfiguration raw = duo::raw_with_base();
  raw.lists["robot.modes"].push_back("joint_velocity");
  Configuration configuration;
  if (configure(raw, configuration)) std::abort();
  return configuration;
}

// In space, with every mode of an arm.
[[nodiscard]] inline Configuration every_mode() {
  Configuration configuration;
  if (configure(duo::raw_in_every_mode(), configuration)) std::abort();
  return configuration;
}

}  // namespace openral::safety::fuzz
