// The safety kernel: one tick takes what arrived and gives at most one verified row.
//
//   Kernel kernel(configuration, first_epoch);
//   const Output& output = kernel.tick(now, inputs);   // every 5 ms, `now` monotonic
//   if (output.emit) publish(output.command);
#pragma once

#include <cstdint>

#include "braking.hpp"
#include "cartesian_path.hpp"
#include "chunk.hpp"
#include "collision_guard.hpp"
#include "configuration.hpp"
#include "estop.hpp"
#include "fixed.hpp"
#include "freshness.hpp"
#include "gripper_force.hpp"
#include "joint_state.hpp"
#include "observation_clock.hpp"
#include "reason.hpp"
#include "recovery.hpp"
#include "speed_changes.hpp"
#include "splice.hpp"
#include "state_machine.hpp"
#include "step_speed.hpp"
#include "timeline.hpp"
#include "tool_rows.hpp"
#include "velocity_command.hpp"
#include "watchdog.hpp"

namespace openral::safety {

// The distance to the nearest person, as measured. [m]
struct SeparationReading {
  Nanoseconds received = 0;  // monotonic
  Nanoseconds stamp = 0;     // the sensor's clock
  double distance = 0;
};

// Everything that arrived since the last tick.
struct Inputs {
  Nanoseconds lateness = 0;  // of this tick against its schedule
  FixedVector<JointState, 8> joint_states;
  FixedVector<EStopLevel, 64> estops;
  FixedVector<SeparationReading, kMaxSeparations + 1> separations;  // and one of those lost
  bool estop_lost = false;        // an e-stop message was lost on the way here
  std::uint64_t chunks_lost = 0;  // chunks and twists of cmd_vel that found no room
  const Chunk* chunk = nullptr;
  const VelocityCommand* velocity_command = nullptr;
  const CollisionWorld* world = nullptr;
  bool arm = false;               // the operator asks
  bool arm_recovery = false;      // the operator asks
  bool reset = false;             // the operator asks
  bool second_publisher = false;  // on a topic that must have one
  bool fault = false;             // the shell found a fault of its own
};

struct Command {
  std::uint64_t sequence = 0;
  std::uint64_t epoch = 0;
  // One of each form: kJointPosition, kCartesianPose, kJointTorque, kBodyTwist.
  ControlMode mode = ControlMode::kJointPosition;
  JointArray position{};  // the values of the mode; a pose has seven, a body twist three
  JointArray velocity{};  // feed-forward of joint positions, or six of a pose
  bool braking = false;
};

// Equal to the constants of openral_msgs/FailureTrigger.
enum class Severity : std::uint8_t { kInfo = 0, kWarn = 1, kFail = 2, kAbort = 3 };

// The two bodies of a collision; empty otherwise.
struct BodyNames {
  FixedString<kMaxName> body;
  FixedString<kMaxName> other;
};

// One refusal, stop or latch.
struct Report {
  Severity severity = Severity::kInfo;
  Finding finding;
  std::uint64_t epoch = 0;     // of the kernel, after it
  std::uint64_t sequence = 0;  // of the chunk concerned, that is refused or played; 0 = none
  std::uint64_t timeline = 0;
  FixedString<kMaxName> skill_id;
  FixedString<kMaxName> trace_id;
  FixedString<kMaxName> source;  // of an e-stop
  BodyNames bodies;              // of a collision
};

// Answer to an operator's request.
struct Reply {
  bool given = false;
  bool success = false;
  Reason reason = Reason::kNone;  // why not
};

struct Status {
  State state = State::kDisarmed;
  std::uint64_t epoch = 0;
  Finding finding;               // last refusal or stop
  BodyNames bodies;              // of that finding
  Nanoseconds finding_time = 0;  // monotonic
  bool recovery = false;         // armed for the way back inside the limits only
  FixedVector<Reason, 16> unmet;
  std::uint64_t timeline = 0;
  double consumed_row = 0;
  JointArray commanded{};
  std::uint64_t chunks_admitted = 0;
  std::uint64_t chunks_refused = 0;
  std::uint64_t stops = 0;
  std::uint64_t commands = 0;
  std::uint64_t late_ticks = 0;
};

struct Output {
  bool emit = false;
  Command command;
  FixedVector<Report, 8> reports;
  Reply arm;
  Reply arm_recovery;
  Reply reset;
  bool changed = false;  // of state, epoch, finding or unmet preconditions
};

class Kernel {
 public:
  // `first_epoch` must differ between two runs, so that no chunk of an earlier run can match.
  Kernel(const Configuration& configuration, std::uint64_t first_epoch);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // One tick of the loop. Allocates nothing, throws nothing, reads no clock.
  const Output& tick(Nanoseconds now, const Inputs& inputs);

  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] const Configuration& configuration() const { return configuration_; }

 private:
  void absorb(Nanoseconds now, const Inputs& inputs);
  void check_latches(const Inputs& inputs);
  void answer_operator(Nanoseconds now, const Inputs& inputs);
  [[nodiscard]] Reply arm();
  [[nodiscard]] Reply arm_recovery();
  [[nodiscard]] Reply reset();
  [[nodiscard]] Reason unmet_but(Reason a, Reason b = Reason::kNone,
                                 Reason c = Reason::kNone) const;
  void begin_at_rest(const JointArray& anchor);
  void collect_unmet(Nanoseconds now);
  void receive(Nanoseconds now, const Chunk& chunk);
  void follow(Nanoseconds now, const VelocityCommand& command);
  void refuse_lost(std::uint64_t chunks);
  [[nodiscard]] Finding judge(Nanoseconds now, const Chunk& chunk, Nanoseconds& observed);
  [[nodiscard]] Finding judge_motion(const Chunk& chunk, const Columns& columns);
  [[nodiscard]] Finding judge_velocities(const Chunk& chunk, const Columns& columns);
  [[nodiscard]] Finding judge_twists(const Chunk& chunk);
  [[nodiscard]] Finding judge_recovery(const Chunk& chunk) const;
  [[nodiscard]] Finding judge_tool(const Chunk& chunk);
  [[nodiscard]] Finding judge_window_start(const Chunk& chunk) const;
  [[nodiscard]] Finding judge_splice(const Chunk& chunk, const Columns& columns);
  [[nodiscard]] Finding judge_collision(const Chunk& chunk, const Columns& columns);
  [[nodiscard]] Finding judge_age(Nanoseconds now, const Chunk& chunk, Nanoseconds& observed) const;
  [[nodiscard]] Finding judge_authority(const Chunk& chunk) const;
  [[nodiscard]] Finding judge_place(const Chunk& chunk) const;
  [[nodiscard]] bool continues(const Chunk& chunk) const;
  void check_stops(Nanoseconds now);
  void produce();
  void play();
  void play_base();
  void play_tool();
  void play_torque();
  void brake();
  void brake_base();
  void brake_tool();
  void hold();
  void hold_tool();
  void finish();
  void set_velocity(const JointArray& velocity);
  void set_tool_twist(const ToolTwist& twist);
  void emit(const JointArray& position, const JointArray& velocity, bool braking);
  void emit_twist(bool braking);
  void emit_tool(bool braking);
  void emit_torque();
  [[nodiscard]] bool drives() const { return form_ == Form::kBase; }
  [[nodiscard]] ToolPose tool_in_force() const;
  [[nodiscard]] ToolPose measured_tool() const;
  [[nodiscard]] Finding check_measured(Form form);
  [[nodiscard]] Finding judge_measured(Form form);
  [[nodiscard]] Finding check_measured_limits(Form form) const;
  [[nodiscard]] double state_age() const;
  [[nodiscard]] bool lease_is_over() const { return now_ - anchored_ > configuration_.times.lease; }
  [[nodiscard]] bool lapsed() const;
  [[nodiscard]] bool is_told_to_move() const;
  [[nodiscard]] Finding check_lapsed() const;
  void anchor_anew();
  void follow_measured();
  void take_measured();
  void watch_gripper();
  void watch_recovery();
  // The limits that bound the joints now.
  [[nodiscard]] const Configuration& in_force() const;
  void plan_stop();
  [[nodiscard]] Finding check_row(const JointArray& position);
  [[nodiscard]] Finding check_separation(const StepSpeed& step) const;

  void stop(const Finding& finding, bool anchor_on_measured);
  void latch(const Finding& finding, bool at_once);
  void apply(Event event);
  void report(Severity severity, const Finding& finding, const Chunk* chunk);
  [[nodiscard]] bool stop_ends_inside() const;
  [[nodiscard]] std::int32_t row_reached() const;
  [[nodiscard]] bool state_is_fresh() const { return state_fresh_; }

  const Configuration configuration_;
  Machine machine_;
  EStop estop_;
  ObservationClock observations_;
  Freshness freshness_;
  Watchdog watchdog_;
  Timeline timeline_;
  Brake brake_;
  ToolBrake tool_brake_;
  GripperWatch gripper_;
  Recovery recovery_;

  JointState state_;
  bool state_known_ = false;
  bool state_fresh_ = false;
  Finding beyond_;  // the first limit that a joint state of this tick was measured beyond
  Reason estop_level_ = Reason::kNone;
  bool second_publisher_ = false;
  bool fault_ = false;
  JointArray position_{};  // last command
  JointArray velocity_{};  // of the last command
  JointSpeedChanges changes_;
  JointArray twist_{};    // of the base, last command
  ToolPose tool_;         // last command
  ToolTwist tool_twist_;  // of the last command
  ToolSpeedChanges tool_changes_;
  ToolRows tool_rows_;
  JointArray torque_{};            // last command
  Form form_ = Form::kJoints;      // of what is commanded now
  Chunk prepared_;                 // the chunk in the form in which it is played
  const Chunk* motion_ = nullptr;  // what the last judged chunk comes to: itself, or prepared_
  Separation separation_;
  CollisionGuard collision_;
  VelocityStream stream_;
  Chunk stream_chunk_;
  bool stream_drives_ = false;   // the timeline in force is that of the stream
  bool timeline_known_ = false;  // in this epoch
  bool timeline_finished_ = false;
  std::uint64_t timeline_number_ = 0;
  std::uint64_t sequence_ = 0;  // of the last chunk of that timeline
  std::uint8_t mode_ = 0;       // of the last chunk played since arming; 0 = none
  bool playing_ = false;        // a chunk, or the stop of one, in this tick
  bool stopped_ = false;        // the status' finding is that of a stop
  std::size_t tracking_ticks_ = 0;
  Nanoseconds anchored_ = 0;  // when the robot was last told where its joints or its tool are
  Nanoseconds now_ = 0;
  Status status_;
  Output output_;
};

}  // namespace openral::safety
