// What the threads of the node hand to each other.
#pragma once

#include <semaphore.h>
#include <atomic>

#include "../core/kernel.hpp"
#include "../core/spsc_queue.hpp"
#include "conversion.hpp"

namespace openral::safety {

// Middleware thread to loop.
struct Inbox {
  SpscQueue<Chunk, 4> chunks;
  SpscQueue<VelocityCommand, 4> velocity_commands;
  SpscQueue<JointState, 8> joint_states;
  SpscQueue<EStopLevel, 64> estops;
  SpscQueue<SeparationReading, 8> separations;
  SpscQueue<CollisionWorld, 4> worlds;
  std::atomic<bool> estop_lost{false};
  std::atomic<bool> arm{false};
  std::atomic<bool> arm_recovery{false};
  std::atomic<bool> reset{false};
  std::atomic<bool> second_publisher{false};
  std::atomic<std::uint64_t> chunks_dropped{0};
  std::atomic<bool> publisher_not_realtime{false};
};

// One tick's results, for the publishing thread.
struct Letter {
  Nanoseconds tick = 0;   // monotonic
  Nanoseconds stamp = 0;  // system time
  Output output;
  bool with_status = false;
  Status status;
  LoopHealth health;
};

// Loop to publishing thread. The semaphore wakes that thread without a lock or a call into the
// middleware.
class Outbox {
 public:
  Outbox() { sem_init(&filled_, 0, 0); }
  ~Outbox() { sem_destroy(&filled_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  SpscQueue<Letter, 64> letters;
  void notify() { sem_post(&filled_); }
  void wait() {
    while (sem_wait(&filled_) != 0) {
    }
  }

 private:
  sem_t filled_{};
};

}  // namespace openral::safety
