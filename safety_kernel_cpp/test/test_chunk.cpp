#include "chunk.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace openral::safety {
namespace {

TEST(Chunk, ACopyHoldsEveryFieldAndTheValuesInUse) {
  auto chunk = std::make_unique<Chunk>();
  chunk->received = 1;
  chunk->observation_stamp = 2;
  chunk->skill_id.assign("reach");
  chunk->robot.assign("duo");
  chunk->trace_id.assign("attempt-1");
  chunk->configuration_hash = 3;
  chunk->epoch = 4;
  chunk->sequence = 5;
  chunk->timeline = 6;
  chunk->first_row = 7;
  chunk->control_mode = 8;
  chunk->last = true;
  chunk->dt = 0.02;
  chunk->horizon = 9;
  chunk->name_count = 1;
  chunk->joint_names[0].assign("shoulder");
  chunk->value_count = 2;
  chunk->values[0] = 0.25;
  chunk->values[1] = -0.5;
  auto copy = std::make_unique<Chunk>();
  copy->copy_from(*chunk);
  EXPECT_EQ(1, copy->received);
  EXPECT_EQ(2, copy->observation_stamp);
  EXPECT_EQ("reach", copy->skill_id.view());
  EXPECT_EQ("duo", copy->robot.view());
  EXPECT_EQ("attempt-1", copy->trace_id.view());
  EXPECT_EQ(3u, copy->configuration_hash);
  EXPECT_EQ(4u, copy->epoch);
  EXPECT_EQ(5u, copy->sequence);
  EXPECT_EQ(6u, copy->timeline);
  EXPECT_EQ(7u, copy->first_row);
  EXPECT_EQ(8, copy->control_mode);
  EXPECT_TRUE(copy->last);
  EXPECT_EQ(0.02, copy->dt);
  EXPECT_EQ(9u, copy->horizon);
  EXPECT_EQ(1u, copy->name_count);
  EXPECT_EQ("shoulder", copy->joint_names[0].view());
  EXPECT_EQ(2u, copy->value_count);
  EXPECT_EQ(0.25, copy->values[0]);
  EXPECT_EQ(-0.5, copy->values[1]);
}

// A message may claim more values than there is room for.
TEST(Chunk, ACopyStopsAtItsCapacity) {
  auto chunk = std::make_unique<Chunk>();
  chunk->values.fill(1);
  chunk->value_count = 1ULL << 40;
  auto copy = std::make_unique<Chunk>();
  copy->copy_from(*chunk);
  EXPECT_EQ(1ULL << 40, copy->value_count);
  EXPECT_EQ(1, copy->values[kMaxValues - 1]);
}

TEST(Chunk, ANewOneIsEmpty) {
  const auto chunk = std::make_unique<Chunk>();
  EXPECT_EQ(0u, chunk->horizon);
  EXPECT_EQ(0u, chunk->value_count);
  EXPECT_EQ(0u, chunk->name_count);
  EXPECT_EQ(0, chunk->control_mode);
  EXPECT_FALSE(chunk->last);
}

}  // namespace
}  // namespace openral::safety
