// Typed reasons of refusals and stops, and the finding that carries one with its evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace openral::safety {

enum class Reason : std::uint8_t {
  kNone,
  // A chunk is refused because of what it is.
  kModeUnknown,
  kModeDisabled,
  kRobotMismatch,
  kConfigurationMismatch,
  kSkillRefused,
  kHorizon,
  kWidth,
  kValueCount,
  kJointNames,
  kDt,
  kNotFinite,
  kPositionLimit,
  kStepLimit,
  kVelocityLimit,
  kAccelerationLimit,
  kJerkLimit,
  kViability,
  kEndNotAtRest,
  kWorkspace,
  kToolSpeed,
  kToolRotation,
  kCollision,
  kCollisionEffort,
  kToolAcceleration,
  kToolRotationAcceleration,
  kToolJerk,
  kToolRotationJerk,
  kQuaternionNorm,
  kTorqueLimit,
  kTorqueRate,
  kGripperPower,
  kBaseAxis,
  kBaseFrame,
  kBaseSpeed,
  kBaseAcceleration,
  kBaseStoppingDistance,
  kRecoveryMode,
  kRecoveryDirection,
  // A chunk is refused because of when it came.
  kQueueFull,
  kNotArmed,
  kLatched,
  kStopping,
  kEpochMismatch,
  kTimelineReplay,
  kTimelineFinished,
  kSequenceReplay,
  kModeChangeInMotion,
  kBaseAuthority,
  kFirstRow,
  kWindowGap,
  kWindowPast,
  kSplicePosition,
  kSpliceAcceleration,
  kSpliceMeasured,
  kSpliceMeasuredVelocity,
  kSpliceJerk,
  kSpliceRotation,
  kSpliceTorque,
  kObservationStale,
  kObservationFuture,
  // A stop.
  kObservationFrozen,
  kChunkStale,
  kWindowExhausted,
  kJointStateStale,
  kTrackingError,
  kSeparation,
  // A stop, and a refusal while it lasts: the world that motion must keep clear of is not known.
  kWorldStale,
  kWorldFrame,
  kWorldCapacity,
  kWorldName,
  kWorldShape,
  kWorldNotFinite,
  kWorldOrientation,
  kWorldSize,
  kMeasuredVelocity,
  kMeasuredViability,
  kPower,
  kGripperForce,
  kRowCheck,
  // A latch.
  kStatePositionLimit,
  kStateVelocityLimit,
  kEstop,
  kEstopSilent,
  kEstopOverflow,
  kSecondPublisher,
  kLateTicks,
  kInternalFault,
  // Preconditions of arming and reset that are no stop by themselves.
  kEstopMissing,
  kNotAtRest,
  kEstopCooldown,
  kAlreadyArmed,
  kNotLatched,
  kRecoveryNotNeeded,
  // No failure: the robot is back inside its limits.
  kRecovered,
};

[[nodiscard]] std::string_view reason_name(Reason reason);

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// What was found, where, and by how much. `reason == kNone` means that nothing was.
struct Finding {
  Reason reason = Reason::kNone;
  std::int32_t row = -1;    // row of the chunk, counted from its first; -1 = none
  std::int32_t joint = -1;  // index in the robot configuration; -1 = none
  double value = kNoValue;  // what was asked or measured
  double limit = kNoValue;  // what is allowed
  // Of a collision: the bodies, as indices in the scene; -1 = none.
  std::int16_t body = -1;
  std::int16_t other = -1;

  [[nodiscard]] bool ok() const { return reason == Reason::kNone; }
};

// A reason without a place or a value.
[[nodiscard]] constexpr Finding finding_of(Reason reason) {
  return {reason, -1, -1, kNoValue, kNoValue};
}

// The same in a row of the chunk, if anything was found.
[[nodiscard]] inline Finding in_row(Finding finding, std::size_t row) {
  if (!finding.ok()) finding.row = static_cast<std::int32_t>(row);
  return finding;
}

}  // namespace openral::safety
