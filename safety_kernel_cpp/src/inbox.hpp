// What the middleware's thread hands to the loop.
#pragma once

#include <atomic>

#include "../core/kernel.hpp"
#include "../core/spsc_queue.hpp"

namespace openral::safety {

// One operator's request on its way to the loop, and the loop's answer. Whoever asks waits for the
// answer before it asks again, so that there is always room for it.
struct Request {
  std::atomic<bool> asked{false};
  SpscQueue<Reply, 1> answer;
};

struct Inbox {
  SpscQueue<Chunk, 4> chunks;
  SpscQueue<VelocityCommand, 4> velocity_commands;
  SpscQueue<JointState, 8> joint_states;
  SpscQueue<EStopLevel, 64> estops;
  SpscQueue<SeparationReading, kMaxSeparations> separations;
  SpscQueue<CollisionWorld, 4> worlds;
  std::atomic<bool> estop_lost{false};
  std::atomic<bool> separation_lost{false};
  std::atomic<std::uint64_t> chunks_lost{0};
  Request arm;
  Request arm_recovery;
  Request reset;
  std::atomic<bool> second_publisher{false};
  // The middleware failed, in a thread that takes or in the one that publishes.
  std::atomic<bool> fault{false};
  std::atomic<bool> publisher_not_realtime{false};
};

}  // namespace openral::safety
