// The robot that the fuzz targets run on.
#pragma once

#include <cstdlib>

#include "../test/duo_robot.hpp"

namespace openral::safety::fuzz {

[[nodiscard]] inline RawConfiguration raw() { return duo::raw(); }

[[nodiscard]] inline Configuration configuration() {
  Configuration configuration;
  if (configure(raw(), configuration)) std::abort();
  return configuration;
}

}  // namespace openral::safety::fuzz
