#include "configuration_hash.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

// Expected values from another program (Python) over the bytes that configuration_hash.hpp lists.
TEST(ConfigurationHash, IsFnv1aOverTheDocumentedBytes) {
  // Nothing: the offset basis of the algorithm.
  EXPECT_EQ(0xcbf29ce484222325ULL, hash_of({}));
  RawConfiguration raw;
  raw.numbers["speed"] = 0.25;
  raw.flags["on"] = true;
  raw.texts["robot"] = "duo";
  raw.lists["joints"] = {"a", "b"};
  raw.vectors["xyz"] = {1, -2, 0.5};
  EXPECT_EQ(0xf627bbb01bf1dc49ULL, hash_of(raw));
}

// Behaviour 7: whatever is changed, the name changes.
TEST(ConfigurationHash, ChangesWithEveryField) {
  const RawConfiguration good = duo::raw();
  const std::uint64_t hash = hash_of(good);
  EXPECT_EQ(hash, duo::configuration().hash);
  for (const auto& [name, value] : good.numbers) {
    RawConfiguration raw = good;
    raw.numbers[name] = std::nextafter(value, 1e9);
    EXPECT_NE(hash, hash_of(raw)) << name;
  }
  for (const auto& [name, value] : good.flags) {
    RawConfiguration raw = good;
    raw.flags[name] = !value;
    EXPECT_NE(hash, hash_of(raw)) << name;
  }
  for (const auto& [name, values] : good.lists) {
    RawConfiguration raw = good;
    raw.lists[name].push_back("x");
    EXPECT_NE(hash, hash_of(raw)) << name;
  }
  RawConfiguration raw = good;
  raw.texts["robot.name"] = "duo2";
  EXPECT_NE(hash, hash_of(raw));
}

// Two names are not one name that reads the same.
TEST(ConfigurationHash, KeepsNeighboursApart) {
  RawConfiguration two;
  two.lists["joints"] = {"a", "b"};
  RawConfiguration one;
  one.lists["joints"] = {"ab"};
  EXPECT_NE(hash_of(two), hash_of(one));
  RawConfiguration moved;
  moved.lists["joints"] = {"a"};
  moved.texts["b"] = "";
  EXPECT_NE(hash_of(two), hash_of(moved));
}

}  // namespace
}  // namespace openral::safety
