// A kernel with a robot that follows its commands at once, in simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duo.hpp"
#include "kernel.hpp"

namespace openral::safety::duo {

class Bench {
 public:
  explicit Bench(const RawConfiguration& values = raw(), std::uint64_t first_epoch = 0);

  // One tick. Every second one brings a joint state (100 Hz), unless the driver is silent or
  // frozen.
  const Output& tick();
  void ticks(int count);

  bool arm();
  bool reset();
  // Armed, at rest, with a fresh joint state.
  void start();

  // Stamps a chunk as just made from the newest joint state, and lets the kernel see it in one
  // tick.
  const Output& send(Chunk& chunk);
  void stamp(Chunk& chunk);
  // Sends the chunk again and again at 50 Hz, as a runner does, for so many ticks.
  void play(Chunk& chunk, int count);

  void estop(bool asserted, const char* source = "pendant");
  // A pendant that says again and again that it is not pressed, for so many ticks.
  void clear_estop(int count);
  // Longer than the cooldown, and reset.
  void recover_from_estop();
  // A fault cuts what moves; at rest the latch is reset.
  void cut_and_reset();

  [[nodiscard]] State state() const { return kernel_->status().state; }
  [[nodiscard]] std::uint64_t epoch() const { return kernel_->status().epoch; }
  [[nodiscard]] const Status& status() const { return kernel_->status(); }
  [[nodiscard]] Reason reason() const { return kernel_->status().finding.reason; }
  [[nodiscard]] std::string reason_text() const;
  [[nodiscard]] bool unmet(Reason reason) const;

  Nanoseconds now = 1'000'000'000;
  Nanoseconds clock_offset = 1'700'000'000'000'000'000;  // of the robot's clock
  Inputs inputs;                                         // for the next tick
  JointState measured;
  bool driver_silent = false;
  bool driver_frozen = false;
  bool follows = true;
  // Another robot than one that is at once where it is commanded.
  std::function<void(const Command&, JointState&)> obey;
  std::uint64_t sequence = 0;
  Command last;
  std::vector<Command> emitted;
  std::vector<Report> reports;

 private:
  std::unique_ptr<Kernel> kernel_;
  std::uint64_t ticks_ = 0;
};

// Bit for bit the same commands.
void expect_same_motion(const Bench& expected, const Bench& actual);

}  // namespace openral::safety::duo
