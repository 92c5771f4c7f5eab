// A kernel with everything around it, in simulated time: a robot that follows, a runner that
// streams one motion in any mode, a pendant, a sensor of distance. Faults are put into what it
// gives the kernel.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duo.hpp"
#include "duo_in_space.hpp"
#include "duo_with_base.hpp"
#include "kernel.hpp"

namespace openral::safety::duo {

enum class Phase { kBoot, kIdle, kSteady, kSplice, kBraking };
inline constexpr Phase kPhases[] = {Phase::kBoot, Phase::kIdle, Phase::kSteady, Phase::kSplice,
                                    Phase::kBraking};
inline constexpr ControlMode kPlayedModes[] = {
    ControlMode::kJointPosition, ControlMode::kJointVelocity, ControlMode::kGripperPosition,
    ControlMode::kBodyTwist};

inline const char* phase_name(Phase phase) {
  constexpr const char* kNames[] = {"boot", "idle", "steady", "splice", "braking"};
  return kNames[static_cast<std::size_t>(phase)];
}

// The small robot in space and on a base, every mode that it can play, a distance to people. The
// jerk limits admit a speed that begins or ends to change, and none that turns round at once.
inline RawConfiguration raw_with_all() {
  RawConfiguration raw = raw_in_space();
  const RawConfiguration base = raw_with_base();
  raw.numbers.insert(base.numbers.begin(), base.numbers.end());
  raw.lists["robot.modes"] = {"joint_position", "joint_velocity", "body_twist", "gripper_position"};
  raw.lists["skills.allowed"] = {"reach"};
  raw.numbers["robot.limits.shoulder.jerk_max"] = 600;
  raw.numbers["robot.limits.finger.jerk_max"] = 120;
  raw.flags["separation.enabled"] = true;
  raw.numbers["separation.deceleration"] = 2;
  raw.numbers["separation.reaction_s"] = 0.1;
  raw.numbers["separation.margin"] = 0.3;
  raw.numbers["separation.human_speed"] = 1.6;
  raw.numbers["separation.age_max_s"] = 0.1;
  return raw;
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
  Reply arm;
  Reply reset;
  std::vector<Report> reports;
};

class FaultRig {
 public:
  static constexpr int kAfter = 160;  // ticks that are watched from the fault on

  FaultRig(ControlMode mode, Phase phase) : mode_(mode), phase_(phase) {
    static const Configuration whole = configuration(raw_with_all());
    kernel_ = std::make_unique<Kernel>(whole, 0);
    measured.position = {-0.3, 0, 0.005};
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
    for (int i = 0; i < kAfter; ++i) {
      const bool spoiled = i == 0 && fault != nullptr && fault->chunk;
      std::unique_ptr<Chunk> chunk;
      if (i == 0 && phase_ == Phase::kSplice) {
        chunk = splice();
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
  [[nodiscard]] ControlMode mode() const { return mode_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] Nanoseconds now() const { return now_; }
  [[nodiscard]] std::uint64_t last_sequence() const { return sequence_ - 1; }
  // Of the base, last command; zero while it stands.
  [[nodiscard]] JointArray seen_twist() const {
    return last_.command.mode == ControlMode::kBodyTwist ? last_.command.position : JointArray{};
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
  Nanoseconds clock_offset = 1'700'000'000'000'000'000;
  bool runs_ = false;               // the runner
  bool pendant = true;              // its heartbeat
  bool ranger = true;               // the distance
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
  bool ask_to_arm = true;  // from time to time, in boot and once latched

  // The chunk that the runner would send now.
  [[nodiscard]] std::unique_ptr<Chunk> next_chunk() {
    if (splice_ != nullptr && status().timeline == splice_->timeline) {
      auto again = std::make_unique<Chunk>();
      again->copy_from(*splice_);
      stamp(*again);
      return again;
    }
    auto chunk = motion();
    // Of a base every chunk is a motion of its own, from the speed reached.
    if (mode_ == ControlMode::kBodyTwist) ++timeline_;
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
      (void)inputs.joint_states.push(measured);
    }
    if (ticks_ % 20 == 0 && pendant) assert_estop(inputs, false);
    if (ticks_ % 4 == 0 && ranger) (void)inputs.separations.push({now_, distance});
    inputs.chunk = chunk;
    const bool asks = phase_ == Phase::kBoot || after_latch();
    inputs.arm = ask_to_arm && asks && since % 20 == 19;
    if (fault != nullptr && fault->inputs) fault->inputs(*this, inputs, since);
    if (watch != nullptr) watch(true);
    const Output& output = kernel_->tick(now_, inputs);
    if (watch != nullptr) watch(false);
    last_ = {status().state, status().epoch, output.emit, output.command,
             output.arm,     output.reset,   {}};
    for (const Report& report : output.reports) last_.reports.push_back(report);
    if (!output.emit || !follows) return;
    if (output.command.mode == ControlMode::kBodyTwist) return;
    measured.position = output.command.position;
    measured.velocity = output.command.velocity;
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

  // 0.4 rad/s of the shoulder, 25 mm/s of the finger, 0.2 m/s of the base.
  [[nodiscard]] std::unique_ptr<Chunk> motion() {
    const int cruise = 60;
    switch (mode_) {
      case ControlMode::kJointVelocity:
        return velocities({0.2, 0.4}, cruise);
      case ControlMode::kGripperPosition:
        return fingers(0.005, cruise);
      case ControlMode::kBodyTwist:
        return base_rows();
      default:
        return duo::chunk(shoulder_rows(trapezoid(2, cruise), -0.3, 0, 0.005));
    }
  }
  // A new timeline that goes on at the speed reached and comes to rest.
  [[nodiscard]] std::unique_ptr<Chunk> splice() {
    std::unique_ptr<Chunk> chunk;
    const JointArray& at = status().commanded;
    switch (mode_) {
      case ControlMode::kJointVelocity:
        chunk = velocities({}, 40);
        break;
      case ControlMode::kGripperPosition:
        chunk = fingers(at[2], 20);
        break;
      case ControlMode::kBodyTwist:
        chunk = base_rows();
        ++timeline_;
        chunk->timeline = timeline_;
        stamp(*chunk);
        return chunk;
      default: {
        std::vector<double> speeds(40, 0.4);
        speeds.push_back(0.2);
        chunk = duo::chunk(shoulder_rows(speeds, at[0], 0, at[2]));
      }
    }
    chunk->timeline = timeline_ + 1;
    stamp(*chunk);
    splice_ = std::make_unique<Chunk>();
    splice_->copy_from(*chunk);
    return chunk;
  }
  [[nodiscard]] std::unique_ptr<Chunk> velocities(const std::vector<double>& ramp, int cruise) {
    Rows rows;
    for (const double speed : ramp) rows.push_back({speed, 0, 0});
    for (int i = 0; i < cruise; ++i) rows.push_back({0.4, 0, 0});
    rows.push_back({0.2, 0, 0});
    rows.push_back({0, 0, 0});
    auto chunk = duo::chunk(rows);
    chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointVelocity);
    return chunk;
  }
  [[nodiscard]] std::unique_ptr<Chunk> fingers(double start, int cruise) {
    Rows rows = {{start}};
    for (int i = 0; i < cruise; ++i) rows.push_back({start += 0.0005});
    auto chunk = duo::chunk(rows);
    chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kGripperPosition);
    chunk->name_count = 1;
    chunk->joint_names[0].assign("finger");
    return chunk;
  }
  [[nodiscard]] std::unique_ptr<Chunk> base_rows() {
    double speed =
        last_.emit && last_.command.mode == ControlMode::kBodyTwist ? last_.command.position[0] : 0;
    Rows rows;
    for (int i = 0; i < 12; ++i) {
      speed = std::min(speed + 0.02, 0.2);
      rows.push_back({speed, 0, 0});
    }
    auto chunk = twists(rows);
    chunk->last = false;
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
  int ticks_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t timeline_ = 1;
  std::unique_ptr<Chunk> splice_;
  std::unique_ptr<Chunk> flood_;
  Seen last_{};
};

}  // namespace openral::safety::duo
