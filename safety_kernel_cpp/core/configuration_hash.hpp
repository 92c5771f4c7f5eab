// Names a configuration by one number.
#pragma once

#include <cstdint>

#include "configuration.hpp"

namespace openral::safety {

// Of every field that was read.
[[nodiscard]] std::uint64_t hash_of(const RawConfiguration& raw);

}  // namespace openral::safety
