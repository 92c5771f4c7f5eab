// One chunk of any content: no read out of bounds, and the same verdict as the reference checker.
#include <cstdio>
#include <cstdlib>

#include "../test/reference_checker.hpp"
#include "admission.hpp"
#include "bytes.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_chunk: %s\n", what);
  std::abort();
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration configuration = fuzz::configuration();
  static Chunk chunk;
  fuzz::Bytes bytes(data, size);
  chunk.robot.assign(bytes.take<std::uint8_t>() < 250 ? "duo" : "other");
  chunk.control_mode = bytes.flag() ? 1 : bytes.take<std::uint8_t>();
  chunk.last = bytes.flag();
  chunk.dt = bytes.flag() ? 0.02 : bytes.number(0.2);
  chunk.horizon = bytes.flag() ? bytes.take<std::uint8_t>() % 32 : bytes.take<std::uint64_t>();
  chunk.first_row = bytes.flag() ? 0 : bytes.take<std::uint64_t>();
  chunk.name_count = bytes.flag() ? 3 : bytes.take<std::uint8_t>();
  const char* const names[] = {"shoulder", "elbow", "finger"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto byte = bytes.take<std::uint8_t>();
    chunk.joint_names[i].assign(names[byte < 250 ? i : byte % 3]);
  }
  chunk.value_count = bytes.flag() ? chunk.horizon * 3 : bytes.take<std::uint64_t>();
  const std::size_t held =
      static_cast<std::size_t>(chunk.value_count < kMaxValues ? chunk.value_count : kMaxValues);
  // Steps from the row before, so that some motions are good.
  const double steps[] = {0.02, 0.01, 0.002};
  for (std::size_t i = 0; i < held; ++i) {
    const double before = i >= 3 ? chunk.values[i - 3] : 0;
    chunk.values[i] = before + bytes.number(steps[i % 3]);
    if (bytes.empty() && i > 256) break;
  }

  const Finding shape = check_shape(configuration, chunk);
  if (!shape.ok()) return 0;
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  fuzz::require(columns.width * chunk.horizon <= kMaxValues, "an admitted shape fits");
  const Finding rows = check_rows(configuration, chunk, columns, {0, 0, 0.04});
  fuzz::require(rows.ok() || rows.joint >= 0, "a refusal names its joint");
  if (chunk.control_mode != 1) return 0;
  const auto verdict = reference::Checker(configuration, chunk).check();
  if (verdict != reference::Verdict::kOnTheLimit) {
    fuzz::require(rows.ok() == (verdict == reference::Verdict::kAdmissible),
                  "verdict of the reference checker");
  }
  return 0;
}
