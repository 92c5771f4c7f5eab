// Does a tool that is commanded in space come too near to what stands around the arm?
#pragma once

#include <array>
#include <cstdint>

#include "collision_scene.hpp"
#include "reason.hpp"
#include "tool_pose.hpp"

namespace openral::safety {

// The bodies of the last link and its load against all that stands, along the ways of a tool. Where
// the other links are, the robot alone decides: they are not seen here.
//
// While the tool moves evenly by d [m] and turns by an angle a, no point at most r away from the
// tool point moves by more than d + a r. From the middle of the way either end is half of that
// away, so that the way is clear if the distance there exceeds the margin by it; else both halves
// are asked.
class SweptTool {
 public:
  SweptTool(const CollisionScene& scene, const Chain& chain) : scene_(scene), chain_(chain) {}

  // To be called when the scene has changed, and once before.
  void prepare();

  // Grants so many distances until the next call.
  void grant(std::size_t effort) { granted_ = left_ = effort; }

  // Every pose on the even way from one to the other keeps `margin` [m].
  [[nodiscard]] Finding check(const ToolPose& from, const ToolPose& to, double margin);

 private:
  struct ToolPair {
    std::uint8_t body;
    std::uint8_t other;
    double reach;  // [m] of the body's core from the tool point
  };
  [[nodiscard]] Finding check(const ToolPair& pair, const ToolPose& from, const ToolPose& to,
                              double margin, int depth);

  const CollisionScene& scene_;
  const Chain& chain_;
  FixedVector<ToolPair, kMaxMoving*(kMaxStaticBodies + kMaxWorldBodies + 1)> pairs_;
  std::size_t granted_ = 0;
  std::size_t left_ = 0;
};

}  // namespace openral::safety
