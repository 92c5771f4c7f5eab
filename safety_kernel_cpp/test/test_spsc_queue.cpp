#include "spsc_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>

namespace openral::safety {
namespace {

TEST(SpscQueue, FirstInFirstOutUntilFull) {
  SpscQueue<int, 2> queue;
  EXPECT_EQ(nullptr, queue.front());
  *queue.back() = 1;
  queue.push();
  *queue.back() = 2;
  queue.push();
  EXPECT_EQ(nullptr, queue.back());
  EXPECT_EQ(1, *queue.front());
  queue.pop();
  EXPECT_EQ(2, *queue.front());
  *queue.back() = 3;
  queue.push();
  queue.pop();
  EXPECT_EQ(3, *queue.front());
  queue.pop();
  EXPECT_EQ(nullptr, queue.front());
}

// After two elements have passed, as many as it holds.
TEST(SpscQueue, IsFullByWhatItHoldsNotByWhatHasPassed) {
  SpscQueue<int, 4> queue;
  for (int i = 0; i < 9; ++i) {
    ASSERT_NE(nullptr, queue.back()) << i;
    *queue.back() = i;
    queue.push();
    EXPECT_EQ(i, *queue.front());
    queue.pop();
  }
}

// A torn or reordered element would show as a row whose halves differ or that comes out of turn.
TEST(SpscQueue, TwoThreadsPassEveryElementWhole) {
  struct Row {
    std::uint64_t values[16];
  };
  constexpr std::uint64_t kCount = 200'000;
  auto queue = std::make_unique<SpscQueue<Row, 8>>();
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kCount;) {
      Row* row = queue->back();
      if (row == nullptr) {
        std::this_thread::yield();
        continue;
      }
      for (auto& value : row->values) value = i;
      queue->push();
      ++i;
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kCount;) {
    const Row* row = queue->front();
    if (row == nullptr) {
      std::this_thread::yield();
      continue;
    }
    for (const auto value : row->values) wrong += value != i ? 1 : 0;
    queue->pop();
    ++i;
  }
  producer.join();
  EXPECT_EQ(0u, wrong);
}

}  // namespace
}  // namespace openral::safety
