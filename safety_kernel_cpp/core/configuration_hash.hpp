// Names a configuration by one number, so that a chunk can say under which limits it was planned.
#pragma once

#include <cstdint>

#include "configuration.hpp"

namespace openral::safety {

// FNV-1a, 64 bit (Fowler, Noll, Vo), over every field that was read: numbers, flags, texts, lists
// of texts, lists of numbers, in this order, and within each by name. A field adds its name, a zero
// byte, a letter for its kind (n f t l v) and its value:
//
//   n  IEEE 754 double, 8 bytes, lowest first    f  one byte, 0 or 1    t  its bytes, a zero byte
//   l  count as 8 bytes, then each as t          v  count as 8 bytes, then each as n
//
// It tells configurations apart; it protects from no attacker. 0 stands for "not known" and is
// never given.
[[nodiscard]] std::uint64_t hash_of(const RawConfiguration& raw);

}  // namespace openral::safety
