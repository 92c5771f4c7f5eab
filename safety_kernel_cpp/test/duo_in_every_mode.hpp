// Chunks of every mode of an arm for the small robot.
#pragma once

#include "bench.hpp"
#include "duo_every_mode_robot.hpp"

namespace openral::safety::duo {

std::unique_ptr<Chunk> cartesian(const Rows& rows, ControlMode mode);
std::unique_ptr<Chunk> poses(const Rows& rows);
std::unique_ptr<Chunk> torques(const Rows& rows);

// Where the tests of poses begin: the tool at (2 cos 0.3, 0, 0.1), straight ahead.
inline constexpr double kShoulder = -0.3;
inline constexpr double kElbow = 0.6;

// From there the tool moves to the left, or from `y` on: each entry is its speed [m/s] on the way
// to the next row.
Rows leftwards(const std::vector<double>& speeds, double y = 0);

// A bench of a robot that turns poses into joints by itself.
class PoseBench : public Bench {
 public:
  explicit PoseBench(const RawConfiguration& values = raw_in_every_mode());
  // The tool is held by a pose, where it stands.
  void hold_pose();
};

}  // namespace openral::safety::duo
