// The loop never waits for whoever records it: what finds no room is counted.
#include <gtest/gtest.h>

#include <memory>

#include "../src/record_queue.hpp"

namespace openral::safety {
namespace {

struct Loop {
  std::unique_ptr<RecordQueue> queue = std::make_unique<RecordQueue>();
  Nanoseconds now = 0;
  Output output;
  Status status;

  void tick(const Inputs& inputs) { queue->note(++now, inputs, output, status); }
};

TEST(RecordQueue, GivesTicksInOrderWithCopiesOfTheirChunks) {
  Loop loop;
  auto chunk = std::make_unique<Chunk>();
  VelocityCommand twist;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Inputs inputs;
    chunk->sequence = i;
    chunk->value_count = 1;
    chunk->values[0] = static_cast<double>(i);
    twist.stamp = static_cast<Nanoseconds>(i);
    if (i % 2 == 0) inputs.chunk = chunk.get();
    if (i % 5 == 0) inputs.velocity_command = &twist;
    loop.tick(inputs);
  }
  chunk->values[0] = -1;
  twist.stamp = -1;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const RecordedTick* tick = loop.queue->front();
    ASSERT_NE(nullptr, tick);
    EXPECT_EQ(static_cast<Nanoseconds>(i + 1), tick->now);
    ASSERT_EQ(i % 2 == 0, tick->inputs.chunk != nullptr);
    if (i % 2 == 0) {
      EXPECT_EQ(i, tick->inputs.chunk->sequence);
      EXPECT_EQ(static_cast<double>(i), tick->inputs.chunk->values[0]);
    }
    ASSERT_EQ(i % 5 == 0, tick->inputs.velocity_command != nullptr);
    if (i % 5 == 0) {
      EXPECT_EQ(static_cast<Nanoseconds>(i), tick->inputs.velocity_command->stamp);
    }
    EXPECT_EQ(0u, tick->lost_before);
    loop.queue->pop();
  }
  EXPECT_EQ(nullptr, loop.queue->front());
}

TEST(RecordQueue, GivesTicksWithCopiesOfTheirWorlds) {
  Loop loop;
  auto world = std::make_unique<CollisionWorld>();
  for (std::uint64_t i = 0; i < 20; ++i) {
    Inputs inputs;
    world->body_count = 1;
    world->bodies[0].size[0] = static_cast<double>(i);
    if (i % 3 == 0) inputs.world = world.get();
    loop.tick(inputs);
  }
  for (std::uint64_t i = 0; i < 20; ++i) {
    const RecordedTick* tick = loop.queue->front();
    ASSERT_NE(nullptr, tick);
    ASSERT_EQ(i % 3 == 0, tick->inputs.world != nullptr);
    if (i % 3 == 0) {
      EXPECT_EQ(static_cast<double>(i), tick->inputs.world->bodies[0].size[0]);
    }
    loop.queue->pop();
  }
}

TEST(RecordQueue, CountsWhatFindsNoRoomInFrontOfTheNextThatDoes) {
  Loop loop;
  for (int i = 0; i < 256 + 5; ++i) loop.tick(Inputs());
  EXPECT_EQ(5u, loop.queue->lost());
  loop.queue->pop();
  loop.tick(Inputs());
  EXPECT_EQ(0u, loop.queue->lost());
  for (int i = 0; i < 255; ++i) loop.queue->pop();
  ASSERT_NE(nullptr, loop.queue->front());
  EXPECT_EQ(262, loop.queue->front()->now);
  EXPECT_EQ(5u, loop.queue->front()->lost_before);
}

TEST(RecordQueue, ChunksThatFindNoRoomLoseTheirTick) {
  Loop loop;
  auto chunk = std::make_unique<Chunk>();
  Inputs inputs;
  inputs.chunk = chunk.get();
  for (int i = 0; i < 64 + 3; ++i) loop.tick(inputs);
  EXPECT_EQ(3u, loop.queue->lost());
}

TEST(RecordQueue, TakesNothingOnceClosed) {
  Loop loop;
  loop.queue->close();
  loop.tick(Inputs());
  EXPECT_EQ(nullptr, loop.queue->front());
  EXPECT_EQ(0u, loop.queue->lost());
}

}  // namespace
}  // namespace openral::safety
