// One chunk of any content: no read out of bounds, and the same verdict as the reference checkers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "../test/reference_checker.hpp"
#include "../test/reference_modes.hpp"
#include "admission.hpp"
#include "base_motion.hpp"
#include "bytes.hpp"
#include "cartesian_pose.hpp"
#include "cartesian_steps.hpp"
#include "robot.hpp"
#include "torque_rows.hpp"
#include "velocity_rows.hpp"

namespace openral::safety::fuzz {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_chunk: %s\n", what);
  std::abort();
}

constexpr ToolPose kStart = {{1.2, 0.1, 0.1}, {0, 0, 0.6, 0.8}};

constexpr JointArray kStand = {0, 0, 0.02};

std::size_t width_of(std::uint8_t mode) {
  switch (mode) {
    case 4:
      return 7;
    case 5:
    case 6:
      return 6;
    case 8:
      return 1;
    default:
      return 3;
  }
}

// Rows that change by a little more than they may at most: velocities, a base's twists, a gripper.
// The next one is drawn, or goes on as the last did.
void fill_steps(Bytes& bytes, const Configuration& configuration, Chunk& chunk, std::size_t held) {
  const std::size_t width = width_of(chunk.control_mode);
  double step[3] = {};
  for (std::size_t i = 0; i < held; ++i) {
    const std::size_t column = i % width;
    const bool gripper = chunk.control_mode == 8;
    const bool base = chunk.control_mode == 7;
    const double most = base      ? configuration.base.axes[column].acceleration_max
                        : gripper ? configuration.limits[2].velocity_max / 4
                                  : configuration.limits[column].acceleration_max;
    const auto kind = bytes.take<std::uint8_t>();
    if (kind < 128) step[column] = bytes.number(1.1 * most) * chunk.dt;
    const double before = i >= width ? chunk.values[i - width] : gripper ? kStand[2] : 0;
    // A base has no way to the side, and a timeline ends at rest: most rows keep to it.
    const bool none = (base && column == 1) || (chunk.last && !gripper && i + width >= held);
    chunk.values[i] = none && kind < 250 ? 0 : before + step[column];
  }
}

// Values that some of the time are a motion, by mode: poses along a line, twists, torques.
void fill_mode(Bytes& bytes, Chunk& chunk, std::size_t held) {
  const std::size_t width = width_of(chunk.control_mode);
  double speed[6] = {};
  ToolPose pose = kStart;
  for (std::size_t row = 0; row * width < held; ++row) {
    for (double& value : speed) value += bytes.number(chunk.control_mode == 3 ? 8 : 0.1);
    const ToolTwist twist = {{speed[0], speed[1], speed[2] / 4}, {speed[3], speed[4], speed[5]}};
    if (row > 0) pose = moved(pose, twist, 0.02);
    double values[7] = {speed[0], speed[1], speed[2], speed[3], speed[4], speed[5], 0};
    if (width == 7) {
      std::copy(pose.position.begin(), pose.position.end(), values);
      std::copy(pose.orientation.begin(), pose.orientation.end(), values + 3);
    } else if (chunk.control_mode == 5) {
      for (double& value : values) value *= 0.02;
    }
    if (bytes.take<std::uint8_t>() == 200) values[bytes.take<std::uint8_t>() % 7] = bytes.number(2);
    for (std::size_t i = 0; i < width && row * width + i < held; ++i) {
      chunk.values[row * width + i] = values[i];
    }
  }
}

// Rows from anywhere by their accelerations, a little above the limit at most: steps that are drawn
// one by one come to no jerk, since the acceleration of such a chunk is refused first.
void fill_smooth(Bytes& bytes, const Configuration& configuration, Chunk& chunk, std::size_t held) {
  double speed[3] = {};
  double position[3];
  for (std::size_t joint = 0; joint < 3; ++joint) {
    position[joint] = bytes.number(1.02 * configuration.limits[joint].position_max);
  }
  for (std::size_t i = 0; i < held; ++i) {
    const std::size_t joint = i % 3;
    chunk.values[i] = position[joint];
    speed[joint] += bytes.number(1.1 * configuration.limits[joint].acceleration_max) * chunk.dt;
    position[joint] += speed[joint] * chunk.dt;
  }
}

void check_against(reference::Verdict verdict, const Finding& finding) {
  if (verdict == reference::Verdict::kOnTheLimit) return;
  require(finding.ok() == (verdict == reference::Verdict::kAdmissible),
          "verdict of the reference checker of the mode");
}

void check_steps_of(const Configuration& configuration, const Chunk& chunk, Chunk& motion) {
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  if (chunk.control_mode == 7) {
    if (chunk.horizon >= kMaxHorizon) return;
    begin_at({}, chunk, motion);
    check_against(reference::judge_twists(configuration, chunk),
                  check_twists(configuration, motion));
    return;
  }
  if (chunk.control_mode == 8) {
    check_against(reference::judge_gripper(configuration, chunk, kStand),
                  check_rows(configuration, chunk, columns, kStand));
    return;
  }
  Finding finding = check_velocities(configuration, chunk, columns);
  if (finding.ok()) {
    integrate(chunk, columns, kStand, motion);
    finding = check_rows(configuration, motion, columns, kStand);
  }
  check_against(reference::judge_velocities(configuration, chunk, kStand), finding);
}

void check_mode(const Configuration& configuration, const Chunk& chunk, Chunk& poses) {
  if (chunk.control_mode == 3) {
    const Columns columns = columns_of(configuration, ControlMode::kJointTorque);
    check_against(reference::judge_torques(configuration, chunk),
                  check_torques(configuration, chunk, columns));
    return;
  }
  Finding finding;
  if (chunk.control_mode == 4) {
    finding = read_poses(chunk, kStart.orientation, poses);
  } else {
    finding = check_steps(configuration, chunk);
    if (finding.ok()) add_up(chunk, kStart, poses);
  }
  if (finding.ok()) finding = check_poses(configuration, poses);
  check_against(
      reference::CartesianChecker(configuration, chunk, {1.2, 0.1, 0.1, 0, 0, 0.6, 0.8}).check(),
      finding);
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration plain = fuzz::with_base();
  static const Configuration every = fuzz::every_mode();
  static Chunk chunk;
  static Chunk poses;
  fuzz::Bytes bytes(data, size);
  chunk.robot.assign(bytes.take<std::uint8_t>() < 250 ? "duo" : "other");
  const auto mode = bytes.take<std::uint8_t>();
  // Half of them joint positions, one in twenty no mode at all.
  chunk.control_mode = mode % 2 == 0 ? 1 : mode < 230 ? 2 + mode / 2 % 7 : mode;
  const bool new_form = chunk.control_mode >= 3 && chunk.control_mode <= 6;
  const bool steps_form =
      chunk.control_mode == 2 || chunk.control_mode == 7 || chunk.control_mode == 8;
  // Without a place in space, which the references of joints know nothing of.
  const Configuration& configuration = new_form ? every : plain;
  const auto form = bytes.take<std::uint8_t>();
  chunk.last = (form & 1) != 0;
  const bool smooth = (form & 6) == 6;
  const auto pace = bytes.take<std::uint8_t>();
  chunk.dt = (pace & 1) == 0 ? bytes.number(0.2) : (pace & 6) == 6 ? 0.005 : 0.02;
  chunk.horizon = bytes.flag() ? bytes.take<std::uint8_t>() % 32 : bytes.take<std::uint64_t>();
  // Long ones show nothing that short ones do not, but the longest.
  if (chunk.horizon > 64 && chunk.horizon < kMaxHorizon) chunk.horizon %= 64;
  chunk.first_row = bytes.flag() ? 0 : bytes.take<std::uint64_t>();
  const std::uint64_t name_count = chunk.control_mode == 8 ? 1 : chunk.control_mode >= 4 ? 0 : 3;
  chunk.name_count = bytes.flag() ? name_count : bytes.take<std::uint8_t>();
  const char* const names[] = {"shoulder", "elbow", "finger"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto byte = bytes.take<std::uint8_t>();
    chunk.joint_names[i].assign(names[byte >= 250 ? byte % 3 : chunk.control_mode == 8 ? 2 : i]);
  }
  const std::uint64_t width = fuzz::width_of(chunk.control_mode);
  chunk.value_count = bytes.flag() ? chunk.horizon * width : bytes.take<std::uint64_t>();
  const Finding shape = check_shape(configuration, chunk);
  if (!shape.ok()) return 0;
  // Steps from the row before, so that some motions are good.
  const double steps[] = {0.02, 0.01, 0.002};
  const auto held = static_cast<std::size_t>(chunk.value_count);
  fuzz::require(held <= kMaxValues, "an admitted shape fits");
  if (new_form) {
    fuzz::fill_mode(bytes, chunk, held);
  } else if (steps_form) {
    fuzz::fill_steps(bytes, configuration, chunk, held);
  } else if (smooth) {
    fuzz::fill_smooth(bytes, configuration, chunk, held);
  }
  for (std::size_t i = 0; i < held && !new_form && !steps_form && !smooth; ++i) {
    const double before = i >= 3 ? chunk.values[i - 3] : 0;
    chunk.values[i] = before + bytes.number(steps[i % 3]);
  }
  if (new_form) {
    fuzz::check_mode(configuration, chunk, poses);
    return 0;
  }
  if (steps_form) {
    fuzz::check_steps_of(configuration, chunk, poses);
    return 0;
  }
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  fuzz::require(columns.width * chunk.horizon == held, "an admitted shape is a matrix");
  const Finding rows = check_rows(configuration, chunk, columns, {0, 0, 0.04});
  fuzz::require(rows.ok() || rows.joint >= 0, "a refusal names its joint");
  if (chunk.control_mode != 1) return 0;
  const auto verdict = reference::Checker(configuration, chunk).check();
  if (verdict != reference::Verdict::kOnTheLimit) {
    fuzz::require(rows.ok() == (verdict == reference::Verdict::kAdmissible),
                  "verdict of the reference checker");
  }
  return 0;
}
