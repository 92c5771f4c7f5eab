// Hands every tick from the loop to the thread that records it; a loss is counted, never waited
// for.
#pragma once

#include <semaphore.h>
#include <atomic>

#include "../core/kernel.hpp"
#include "../core/spsc_queue.hpp"

namespace openral::safety {

// What came into a tick and what was decided. The pointers of `inputs` lead to copies that live as
// long as this entry is in the queue.
struct RecordedTick {
  std::uint64_t lost_before = 0;
  Nanoseconds now = 0;
  Inputs inputs;
  VelocityCommand velocity_command;
  Output output;
  Status status;
};

class RecordQueue {
 public:
  RecordQueue() { sem_init(&filled_, 0, 0); }
  ~RecordQueue() { sem_destroy(&filled_); }
  RecordQueue(const RecordQueue&) = delete;
  RecordQueue& operator=(const RecordQueue&) = delete;

  // Loop: copies a tick, or counts it as lost.
  void note(Nanoseconds now, const Inputs& inputs, const Output& output, const Status& status) {
    if (closed_.load(std::memory_order_relaxed)) return;
    RecordedTick* tick = ticks_.back();
    Chunk* chunk = chunks_.back();
    CollisionWorld* world = worlds_.back();
    if (tick == nullptr || chunk == nullptr || world == nullptr) {
      ++lost_;
      return;
    }
    tick->lost_before = lost_;
    lost_ = 0;
    tick->now = now;
    tick->inputs = inputs;
    if (inputs.velocity_command != nullptr) {
      tick->velocity_command = *inputs.velocity_command;
      tick->inputs.velocity_command = &tick->velocity_command;
    }
    tick->output = output;
    tick->status = status;
    if (inputs.chunk != nullptr) {
      chunk->copy_from(*inputs.chunk);
      tick->inputs.chunk = chunk;
      chunks_.push();
    }
    if (inputs.world != nullptr) {
      *world = *inputs.world;
      tick->inputs.world = world;
      worlds_.push();
    }
    ticks_.push();
    sem_post(&filled_);
  }

  // Recorder: the oldest tick, or null.
  [[nodiscard]] const RecordedTick* front() const { return ticks_.front(); }
  void pop() {
    if (ticks_.front()->inputs.chunk != nullptr) chunks_.pop();
    if (ticks_.front()->inputs.world != nullptr) worlds_.pop();
    ticks_.pop();
  }
  void wait() {
    while (sem_wait(&filled_) != 0) {
    }
  }
  // Wakes the recorder without a tick.
  void notify() { sem_post(&filled_); }
  // Nothing is recorded any more.
  void close() { closed_.store(true); }
  // Lost since the last tick that went in; to be read once the loop has ended.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  // More than a second of ticks, and of chunks at 50 Hz: a disk may take that long.
  SpscQueue<RecordedTick, 256> ticks_;
  SpscQueue<Chunk, 64> chunks_;
  SpscQueue<CollisionWorld, 64> worlds_;
  std::atomic<bool> closed_{false};
  std::uint64_t lost_ = 0;
  sem_t filled_{};
};

}  // namespace openral::safety
