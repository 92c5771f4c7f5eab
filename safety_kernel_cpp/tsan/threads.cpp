// The queues and the node's threads under the thread sanitizer: one that takes messages, the loop,
// one that publishes,
// one that records. A data race ends the program with the sanitizer's report and a failure.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "../src/control_loop.hpp"
#include "../src/realtime.hpp"
#include "../test/duo_robot.hpp"

namespace openral::safety {
namespace {

constexpr std::uint64_t kNumbers = 200'000;
constexpr std::uint64_t kLetters = 200;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "threads: %s\n", what);
  std::exit(1);
}

// Every number arrives once and in order.
void race_the_queue() {
  SpscQueue<std::uint64_t, 4> queue;
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kNumbers;) {
      std::uint64_t* slot = queue.back();
      if (slot == nullptr) {
        std::this_thread::yield();
        continue;
      }
      *slot = i++;
      queue.push();
    }
  });
  for (std::uint64_t expected = 0; expected < kNumbers;) {
    const std::uint64_t* number = queue.front();
    if (number == nullptr) {
      std::this_thread::yield();
      continue;
    }
    require(*number == expected++, "a number was lost or came out of order");
    queue.pop();
  }
  producer.join();
}

// What kernel_node.cpp does with messages, without the middleware.
void ask(Request& request, bool now, bool& waiting) {
  if (request.answer.front() != nullptr) {
    request.answer.pop();
    waiting = false;
  }
  if (!now || waiting) return;
  waiting = true;
  request.asked.store(true);
}

void feed(Inbox& inbox, const std::atomic<bool>& stop) {
  bool arming = false;
  bool resetting = false;
  Nanoseconds stamp = 0;
  while (!stop.load()) {
    const Nanoseconds now = monotonic_now();
    if (JointState* state = inbox.joint_states.back()) {
      *state = JointState{};
      state->received = now;
      state->stamp = ++stamp;
      state->position = {0, 0, 0.04};
      state->complete = true;
      inbox.joint_states.push();
    }
    if (Chunk* chunk = inbox.chunks.back()) {
      chunk->received = now;
      chunk->robot.assign("duo");
      chunk->control_mode = static_cast<std::uint8_t>(stamp % 10);
      chunk->horizon = chunk->name_count = chunk->value_count = 1;
      chunk->values[0] = 0.04;
      inbox.chunks.push();
    }
    if (EStopLevel* level = inbox.estops.back()) {
      *level = EStopLevel{};
      level->received = now;
      level->asserted = stamp % 50 == 0;
      inbox.estops.push();
    } else {
      inbox.estop_lost.store(true);
    }
    ask(inbox.arm, stamp % 20 == 0, arming);
    ask(inbox.reset, stamp % 30 == 0, resetting);
    inbox.second_publisher.store(stamp % 97 == 0);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

void race_the_threads() {
  RawConfiguration raw = duo::raw();
  raw.numbers["loop.rate_hz"] = 1000;
  raw.numbers["lease_s"] = 0.003;
  raw.numbers["estop.cooldown_s"] = 0;
  Configuration configuration;
  require(!configure(raw, configuration), "configuration");
  const auto kernel = std::make_unique<Kernel>(configuration, 0);
  const auto inbox = std::make_unique<Inbox>();
  const auto outbox = std::make_unique<Outbox>();
  LoopOptions options;
  options.realtime = false;
  const auto record = std::make_unique<RecordQueue>();
  ControlLoop loop(*kernel, options, *inbox, *outbox, record.get());
  std::atomic<bool> stop{false};
  std::thread recorder([&] {
    Nanoseconds last = 0;
    while (true) {
      record->wait();
      const RecordedTick* tick = record->front();
      if (tick == nullptr) return;
      require(tick->now > last, "ticks are recorded in order");
      last = tick->now;
      if (tick->inputs.chunk != nullptr) {
        require(tick->inputs.chunk->value_count == 1, "a chunk is recorded whole");
      }
      record->pop();
    }
  });
  std::thread feeder([&] { feed(*inbox, stop); });
  std::thread ticker([&] { loop.run(); });
  std::uint64_t heard = 0;
  std::uint64_t commands = 0;
  while (heard < kLetters) {
    outbox->wait();
    while (const Letter* letter = outbox->letters.front()) {
      if (letter->emit) {
        require(outbox->left(*letter, letter->tick, 3'000'000) <= 3'000'000, "a lease");
        outbox->deal();
        require(letter->command.sequence > commands, "commands are numbered in order");
        commands = letter->command.sequence;
      }
      ++heard;
      outbox->letters.pop();
    }
    while (const DatedReport* report = outbox->reports.front()) {
      require(!report->report.finding.ok(), "a report has a reason");
      outbox->reports.pop();
    }
  }
  loop.stop();
  ticker.join();
  record->notify();
  recorder.join();
  stop.store(true);
  feeder.join();
}

}  // namespace
}  // namespace openral::safety

int main() {
  openral::safety::race_the_queue();
  openral::safety::race_the_threads();
  std::printf("threads: %llu numbers, %llu letters, 0 races\n",
              static_cast<unsigned long long>(openral::safety::kNumbers),
              static_cast<unsigned long long>(openral::safety::kLetters));
  return 0;
}
