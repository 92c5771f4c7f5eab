// Behaviour 18, collision: what the guard remembers from one chunk to the next.
#include "collision_guard.hpp"

#include "duo.hpp"
#include "duo_in_a_cell.hpp"

namespace openral::safety {
namespace {

// How far the work that is granted goes must not depend on a chunk that was refused before: one
// that ends where the next begins would leave its distances behind. The stretched arm swings to and
// fro beside thirty posts, and what it takes to decide that is more than a chunk is granted.
TEST(CollisionGuard, AChunkInFrontChangesNoVerdict) {
  const Configuration configuration = duo::configuration(duo::raw_in_a_world());
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  auto world = duo::world();
  for (int i = 0; i < 30; ++i) {
    world->bodies[world->body_count++] =
        duo::world_capsule("post", {0.4 + 0.05 * i, -0.127, 0.1}, 0.05, 0.4);
  }
  duo::Rows rows;
  for (int i = 0; i < 1024; ++i) rows.push_back({1e-5 * i + (i % 2 == 0 ? 0.016 : 0), 0, 0.04});
  const auto chunk = duo::chunk(rows);
  chunk->dt = 0.1;
  const JointArray base = {0.016, 0, 0.04};
  const auto before = duo::chunk({{0.016, 0, 0.04}});

  const auto alone = std::make_unique<CollisionGuard>(configuration);
  const auto after = std::make_unique<CollisionGuard>(configuration);
  alone->hear(*world);
  after->hear(*world);
  (void)after->check_chunk(*before, columns, 0, base);
  (void)after->judge_way(base, base);
  const Finding expected = alone->check_chunk(*chunk, columns, 0, base);
  const Finding found = after->check_chunk(*chunk, columns, 0, base);
  EXPECT_EQ(Reason::kCollisionEffort, expected.reason);
  EXPECT_EQ(expected.reason, found.reason);
  EXPECT_EQ(expected.row, found.row);
}

}  // namespace
}  // namespace openral::safety
