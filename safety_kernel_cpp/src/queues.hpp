// What the threads of the node hand to each other.
#pragma once

#include <semaphore.h>
#include <atomic>

#include "../core/kernel.hpp"
#include "../core/spsc_queue.hpp"
#include "conversion.hpp"

namespace openral::safety {

// One operator's request on its way to the loop, and the loop's answer. Whoever asks waits for the
// answer before it asks again, so that there is always room for it.
struct Request {
  std::atomic<bool> asked{false};
  SpscQueue<Reply, 1> answer;
};

// Middleware thread to loop.
struct Inbox {
  SpscQueue<Chunk, 4> chunks;
  SpscQueue<VelocityCommand, 4> velocity_commands;
  SpscQueue<JointState, 8> joint_states;
  SpscQueue<EStopLevel, 64> estops;
  SpscQueue<SeparationReading, 8> separations;
  SpscQueue<CollisionWorld, 4> worlds;
  std::atomic<bool> estop_lost{false};
  std::atomic<std::uint64_t> chunks_lost{0};
  Request arm;
  Request arm_recovery;
  Request reset;
  std::atomic<bool> second_publisher{false};
  // The middleware failed, in a thread that takes or in the one that publishes.
  std::atomic<bool> fault{false};
  std::atomic<bool> publisher_not_realtime{false};
};

// One tick's results, for the publishing thread.
struct Letter {
  Nanoseconds tick = 0;   // monotonic
  Nanoseconds stamp = 0;  // system time
  bool emit = false;
  Command command;
  bool with_status = false;
  Status status;
  LoopHealth health;
};

struct DatedReport {
  Nanoseconds stamp = 0;  // system time of its tick
  Report report;
};

// Loop to publishing thread. Reports have a queue of their own, so that what stopped the arm is
// still told when nobody has emptied the other one. The semaphore wakes that thread without a lock
// or a call into the middleware.
class Outbox {
 public:
  Outbox() { sem_init(&filled_, 0, 0); }
  ~Outbox() { sem_destroy(&filled_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  SpscQueue<Letter, 64> letters;
  SpscQueue<DatedReport, 256> reports;
  void notify() { sem_post(&filled_); }
  void wait() {
    while (sem_wait(&filled_) != 0) {
    }
  }

 private:
  sem_t filled_{};
};

}  // namespace openral::safety
