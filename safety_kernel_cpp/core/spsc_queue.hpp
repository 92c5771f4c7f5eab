// Hands elements from one thread to another without a lock.
//
//   SpscQueue<Chunk, 4> queue;
//   if (Chunk* slot = queue.back()) { fill(*slot); queue.push(); }   // producer
//   if (const Chunk* chunk = queue.front()) { use(*chunk); queue.pop(); }   // consumer
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace openral::safety {

// Ring of N slots that are filled and read in place, so that a large element is never copied.
template <typename T, std::size_t N>
class SpscQueue {
 public:
  static_assert(N >= 1 && (N & (N - 1)) == 0, "a power of two, so that the counters may wrap");
  static_assert(std::atomic<std::size_t>::is_always_lock_free, "the loop must not lock");

  SpscQueue() = default;
  SpscQueue(const SpscQueue&) = delete;
  SpscQueue& operator=(const SpscQueue&) = delete;

  // Producer: the slot to fill, or null when the queue is full.
  [[nodiscard]] T* back() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == N) return nullptr;
    return &slots_[head % N];
  }
  // Producer: hands over the slot that back() gave.
  void push() { head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  // Consumer: the oldest element, or null when the queue is empty.
  [[nodiscard]] const T* front() const {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (head_.load(std::memory_order_acquire) == tail) return nullptr;
    return &slots_[tail % N];
  }
  // Consumer: frees the slot that front() gave.
  void pop() { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  // On separate cache lines, so that the two threads do not slow each other.
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::array<T, N> slots_{};
};

}  // namespace openral::safety
