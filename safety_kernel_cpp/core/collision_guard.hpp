// Keeps the arm, its load and the world apart, as far as the configuration and the last world say.
#pragma once

#include "chunk.hpp"
#include "collision_scene.hpp"
#include "collision_world.hpp"
#include "columns.hpp"
#include "configuration.hpp"
#include "reason.hpp"
#include "swept_collision.hpp"
#include "swept_tool.hpp"

namespace openral::safety {

// Where collision is not enabled, every check passes. What was learnt of a chunk is forgotten
// before the next: a refused one changes nothing for those that follow.
//
// Every line that is checked is prolonged by the stop that may begin on it. A stop brakes all
// joints by one factor along the line, so one that begins anywhere on a row's segment ends no
// further than q + v (n T / 2 + T_delay) from its end q, as in check_viability: the segment and all
// its stops are one line.
class CollisionGuard {
 public:
  // Keeps a reference to `configuration`.
  explicit CollisionGuard(const Configuration& configuration);
  CollisionGuard(const CollisionGuard&) = delete;
  CollisionGuard& operator=(const CollisionGuard&) = delete;

  // A world arrived. One that is not valid stays in force as a fault until a valid one comes.
  void hear(const CollisionWorld& world);

  // Why nothing may move now: the world is required and none is known, or it is old or not valid.
  [[nodiscard]] Finding check_world_known(Nanoseconds now) const;

  // Every row and segment, and the way from the last command `base` to the first that the chunk
  // would cause when it is entered at `phase`, with the stops from them, keep the margin. A gripper
  // alone may close and open wherever the arm stands. Needs a chunk of joint positions that passed
  // check_rows.
  [[nodiscard]] Finding check_chunk(const Chunk& chunk, const Columns& columns, double phase,
                                    const JointArray& base);

  // A row about to be emitted: from the last command, and from where the arm was measured, with the
  // stop from it, it keeps the stop margin.
  [[nodiscard]] Finding check_step(const JointArray& from, const JointArray& to,
                                   const JointArray& measured);

  // The same for a chunk of tool poses, as far as a tool goes: its link's bodies and its load keep
  // the margin from what stands. Needs a chunk that passed check_poses.
  [[nodiscard]] Finding check_poses(const Chunk& poses, double phase, const ToolPose& in_force);

  // A pose about to be emitted, with the stop from it.
  [[nodiscard]] Finding check_tool_step(const ToolPose& from, const ToolPose& to);

  // Where joints are not commanded: the straight way between two of their positions, as measured
  // and foreseen, keeps the stop margin.
  [[nodiscard]] Finding check_way(const JointArray& from, const JointArray& to);

  // The same of a chunk that is not admitted yet.
  [[nodiscard]] Finding judge_way(const JointArray& from, const JointArray& to);

  // Names of the two bodies of a finding; empty without one.
  [[nodiscard]] FixedString<kMaxName> name(std::int16_t body) const;

 private:
  [[nodiscard]] JointArray end_of_stop(const JointArray& from, const JointArray& to,
                                       double dt) const;

  [[nodiscard]] Finding check_tool_way(const ToolPose& from, const ToolPose& to, double dt,
                                       double margin);

  const Configuration& configuration_;
  CollisionScene scene_;
  SweptCollision admission_;
  SweptCollision emission_;
  SweptTool tool_;
  bool world_known_ = false;
  Nanoseconds world_received_ = 0;
  Nanoseconds world_stamp_ = 0;
  Finding world_fault_;
};

}  // namespace openral::safety
