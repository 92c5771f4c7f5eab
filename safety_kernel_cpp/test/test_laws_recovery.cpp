// Laws of behaviour 23, the way back from outside the limits.
#include <algorithm>
#include <cmath>
#include <memory>

#include "bench.hpp"
#include "law.hpp"

namespace openral::safety {
namespace {

// Law: whatever is sent, a recovery never goes further out, never faster than creep, and is over
// once the robot is inside.
TEST(LawsRecovery, NeverOutwardNeverFast) {
  int moved = 0;
  int over = 0;
  duo::for_all("recovery_inward_at_creep", [&](const duo::Case& c) {
    duo::Random random = c.random();
    duo::Bench bench;
    bench.measured.position = {random.real(1.99, 2.05), random.real(-1.03, -0.99), 0.04};
    bench.ticks(2);
    bench.inputs.arm_recovery = true;
    if (!bench.tick().arm_recovery.success) return;
    std::unique_ptr<Chunk> chunk;
    for (int i = 0; i < 200 && bench.status().recovery; ++i) {
      if (i % 40 == 0 || bench.state() == State::kHolding) {
        duo::Rows rows;
        JointArray q = bench.status().commanded;
        const double speed[] = {random.real(-0.11, 0.02), random.real(-0.01, 0.055), 0};
        for (int r = 0; r < 30; ++r) {
          rows.push_back({q[0], q[1], q[2]});
          for (std::size_t j = 0; j < 3; ++j) q[j] += speed[j] * duo::kDt;
        }
        chunk = duo::chunk(rows);
        chunk->timeline = bench.status().timeline + 1;
      }
      const JointArray before = bench.status().commanded;
      if (i % 4 == 0) {
        bench.stamp(*chunk);
        bench.inputs.chunk = chunk.get();
      }
      if (!bench.tick().emit) continue;
      const JointArray& after = bench.last.position;
      const double out_before[] = {std::max(0.0, before[0] - 2), std::max(0.0, -1 - before[1])};
      const double out_after[] = {std::max(0.0, after[0] - 2), std::max(0.0, -1 - after[1])};
      for (int j = 0; j < 2; ++j) ASSERT_LE(out_after[j], out_before[j]);
      ASSERT_LE(std::abs(after[0] - before[0]), 0.1 * 0.005 * (1 + 1e-6));
      ASSERT_LE(std::abs(after[1] - before[1]), 0.05 * 0.005 * (1 + 1e-6));
      moved += after != before ? 1 : 0;
    }
    if (!bench.status().recovery && bench.state() == State::kDisarmed) {
      ++over;
      ASSERT_LE(bench.last.position[0], 2);
      ASSERT_GE(bench.last.position[1], -1);
    }
  });
  EXPECT_GT(moved, duo::law_cases());
  EXPECT_GT(over, duo::law_cases() / 10);
}

}  // namespace
}  // namespace openral::safety
