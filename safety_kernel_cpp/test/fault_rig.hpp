// A kernel with everything around it, in simulated time: a robot that follows, a runner that
// streams one motion in any mode, a pendant, a sensor of distance. Faults are put into what it
// gives the kernel.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fault_motion.hpp"
#include "kernel.hpp"

namespace openral::safety::duo {

enum class Phase { kBoot, kIdle, kSteady, kSplice, kBraking };
inline constexpr Phase kPhases[] = {Phase::kBoot, Phase::kIdle, Phase::kSteady, Phase::kSplice,
                                    Phase::kBraking};

inline const char* phase_name(Phase phase) {
  constexpr const char* kNames[] = {"boot", "idle", "steady", "splice", "braking"};
  return kNames[static_cast<std::size_t>(phase)];
}

class FaultRig;

// What is wrong, and for how long. `inputs` changes what a tick is given, `chunk` what the runner
// sends; `tick` counts from the first tick of the fault.
struct Tampering {
  int duration = 1;  // [ticks]
  std::function<void(FaultRig&, Inputs&, int tick)> inputs;
  std::function<void(FaultRig&, Chunk&)> chunk;
};

// One tick as it was seen from outside.
struct Seen {
  State state;
  std::uint64_t epoch;
  bool emit;
  Command command;
  Nanoseconds now;
  JointState measured;  // as the driver last said
  Reply arm;
  Reply reset;
  std::vector<Report> reports;
};

class FaultRig {
 public:
  static constexpr int kAfter = 160;  // ticks that are watched from the fault on

  FaultRig(ControlMode mode, Phase phase)
      : mode_(mode), phase_(phase), kernel_(std::make_unique<Kernel>(fault_robot(mode), 0)) {
    measured.position = {kShoulder, kElbow, kFinger};
    measured.complete = true;
  }

  // The phase, then the fault, then what follows. Without a fault, the same run in health; the
  // runner leaves the chunk out that a fault of a chunk would spoil.
  void run(const Tampering* fault, bool leave_out_chunk = false) {
    reach_phase();
    state_before = status().state;
    epoch_before = status().epoch;
    refused_before = status().chunks_refused;
    admitted_before = status().chunks_admitted;
    stops_before = status().stops;
    if (last_.emit) command_before = last_.command;
    for (int i = 0; i < kAfter; ++i) {
      const bool spoiled = i == 0 && fault != nullptr && fault->chunk;
      std::unique_ptr<Chunk> chunk;
      if (i == 0 && phase_ == Phase::kSplice) {
        chunk = splice_chunk();
      } else if (spoiled || runs_ || status().state == State::kDisarmed || after_latch()) {
        if (spoiled || i % 4 == 0) chunk = next_chunk();
      }
      if (spoiled && chunk == nullptr) chunk = next_chunk();
      if (spoiled) fault->chunk(*this, *chunk);
      if (i == 0 && leave_out_chunk) chunk = nullptr;
      tick(chunk.get(), fault != nullptr && i < fault->duration ? fault : nullptr, i);
      seen.push_back(last_);
      // A skill ends with a stop.
      if (status().stops > stops_before) runs_ = false;
    }
  }

  [[nodiscard]] const Status& status() const { return kernel_->status(); }
  [[nodiscard]] const Configuration& configuration() const { return kernel_->configuration(); }
  [[nodiscard]] ControlMode mode() const { return mode_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] Nanoseconds now() const { return now_; }
  [[nodiscard]] std::uint64_t last_sequence() const { return sequence_ - 1; }
  [[nodiscard]] Commanded commanded() const {
    Commanded now;
    now.joints = status().commanded;
    const auto pose = planar_pose(now.joints[0], now.joints[1]);
    std::copy(pose.begin(), pose.end(), now.pose.begin());
    if (!last_.emit) return now;
    const Command& command = last_.command;
    if (command.mode == ControlMode::kCartesianPose) now.pose = command.position;
    if (command.mode == ControlMode::kJointTorque) now.torque = command.position;
    if (command.mode == ControlMode::kBodyTwist) now.twist = command.position;
    return now;
  }
  void lose_ticks(int count) { now_ += count * kTick; }
  // One more chunk, beyond those of the runner's rate.
  [[nodiscard]] const Chunk* flood_chunk() {
    flood_ = next_chunk();
    return flood_.get();
  }
  [[nodiscard]] bool unmet(Reason reason) const {
    for (const Reason found : status().unmet) {
      if (found == reason) return true;
    }
    return false;
  }
  void assert_estop(Inputs& inputs, bool asserted, const std::string& source = "pendant") const {
    EStopLevel level;
    level.received = now_;
    level.source.assign(source);
    level.asserted = asserted;
    (void)inputs.estops.push(level);
  }

  static inline void (*watch)(bool) = nullptr;  // told before and after each tick of the kernel
  JointState measured;
  JointArray push{};  // of the joints' speeds, beside what the commands come to
  Nanoseconds clock_offset = 1'700'000'000'000'000'000;
  bool runs_ = false;               // the runner
  bool pendant = true;              // its heartbeat
  bool ranger = true;               // the distance
  bool ranger_frozen = false;       // it repeats its stamp
  double distance = 5;              // [m]
  bool driver = true;               // joint states
  bool driver_frozen = false;       // they repeat their stamp
  bool observation_frozen = false;  // chunks do
  bool follows = true;              // the robot its commands
  std::vector<Seen> seen;           // from the fault on
  State state_before = State::kDisarmed;
  std::uint64_t epoch_before = 0;
  std::uint64_t refused_before = 0;
  std::uint64_t admitted_before = 0;
  std::uint64_t stops_before = 0;
  std::optional<Command> command_before;
  bool ask_to_arm = true;  // from time to time, in boot and once latched

  // The chunk that the runner would send now.
  [[nodiscard]] std::unique_ptr<Chunk> next_chunk() {
    if (splice_ != nullptr && status().timeline == splice_->timeline) {
      auto again = std::make_unique<Chunk>();
      again->copy_from(*splice_);
      stamp(*again);
      return again;
    }
    auto chunk = motion(mode_, commanded());
    if (drives(mode_)) ++timeline_;
    chunk->timeline = timeline_;
    stamp(*chunk);
    return chunk;
  }
  void tick(const Chunk* chunk, const Tampering* fault, int since) {
    now_ += kTick;
    Inputs inputs;
    if (++ticks_ % 2 == 0 && driver) {
      if (!driver_frozen) measured.stamp = now_ + clock_offset;
      measured.received = now_;
      JointState read = measured;
      for (std::size_t j = 0; j < 3; ++j) read.velocity[j] += push[j];
      last_.measured = read;
      (void)inputs.joint_states.push(read);
    }
    if (ticks_ % 20 == 0 && pendant) assert_estop(inputs, false);
    if (ticks_ % 4 == 0 && ranger) {
      if (!ranger_frozen) ranged_ = now_;
      (void)inputs.separations.push({now_, ranged_, distance});
    }
    inputs.chunk = chunk;
    const bool asks = phase_ == Phase::kBoot || after_latch();
    inputs.arm = ask_to_arm && asks && since % 20 == 19;
    if (fault != nullptr && fault->inputs) fault->inputs(*this, inputs, since);
    if (watch != nullptr) watch(true);
    const Output& output = kernel_->tick(now_, inputs);
    if (watch != nullptr) watch(false);
    last_ = {status().state, status().epoch, output.emit, output.command, now_, last_.measured,
             output.arm,     output.reset,   {}};
    for (const Report& report : output.reports) last_.reports.push_back(report);
    if (output.emit && follows) obey(output.command, measured);
  }

 private:
  void reach_phase() {
    for (int i = 0; i < 20; ++i) tick(nullptr, nullptr, 0);
    if (phase_ == Phase::kBoot) return;
    Tampering arm;
    arm.inputs = [](FaultRig&, Inputs& inputs, int) { inputs.arm = true; };
    tick(nullptr, &arm, 0);
    ASSERT_EQ(State::kHolding, status().state);
    for (int i = 0; i < 20; ++i) tick(nullptr, nullptr, 0);
    if (phase_ == Phase::kIdle) return;
    runs_ = true;
    for (int i = 0; i < 60; ++i) tick(i % 4 == 0 ? next_chunk().get() : nullptr, nullptr, 0);
    ASSERT_EQ(State::kActive, status().state) << reason_name(status().finding.reason);
    ASSERT_EQ(0u, status().chunks_refused) << reason_name(status().finding.reason);
    if (phase_ != Phase::kBraking) return;
    runs_ = false;
    while (status().state == State::kActive) tick(nullptr, nullptr, 0);
    ASSERT_EQ(State::kBraking, status().state);
  }
  [[nodiscard]] bool after_latch() const { return status().state == State::kLatched; }

  // A new timeline.
  [[nodiscard]] std::unique_ptr<Chunk> splice_chunk() {
    auto chunk = splice(mode_, commanded());
    chunk->timeline = timeline_ + 1;
    stamp(*chunk);
    if (drives(mode_)) {
      ++timeline_;
      return chunk;
    }
    splice_ = std::make_unique<Chunk>();
    splice_->copy_from(*chunk);
    return chunk;
  }
  void stamp(Chunk& chunk) {
    chunk.received = now_ + kTick;
    if (!observation_frozen) observed_ = measured.stamp;
    chunk.observation_stamp = observed_;
    chunk.epoch = status().epoch;
    chunk.sequence = ++sequence_;
  }

  ControlMode mode_;
  Phase phase_;
  std::unique_ptr<Kernel> kernel_;
  Nanoseconds now_ = 1'000'000'000;
  Nanoseconds observed_ = 0;
  Nanoseconds ranged_ = 0;
  int ticks_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t timeline_ = 1;
  std::unique_ptr<Chunk> splice_;
  std::unique_ptr<Chunk> flood_;
  Seen last_{};
};

}  // namespace openral::safety::duo
