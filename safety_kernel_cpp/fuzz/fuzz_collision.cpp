// Any world and any ways of the small robot in it: a world that is not whole is refused, and a way
// that is said to be clear keeps the margin at every point that a slow reference samples.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../test/duo_in_a_cell.hpp"
#include "bytes.hpp"
#include "collision_world.hpp"
#include "swept_collision.hpp"

namespace openral::safety::fuzz {
namespace {

constexpr double kMargin = 0.02;
constexpr double kLink = 0.05;
constexpr int kSamples = 8;  // of a way, and along each link
constexpr int kWays = 8;     // of a run

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_collision: %s\n", what);
  std::abort();
}

Configuration cell() {
  Configuration configuration;
  require(!configure(duo::raw_in_a_world(), configuration), "configuration");
  return configuration;
}

WorldBody body_of(Bytes& bytes) {
  WorldBody body;
  const auto kind = bytes.take<std::uint8_t>();
  body.name.assign(std::string_view(reinterpret_cast<const char*>(&kind), 1));
  body.shape = kind < 240 ? static_cast<std::uint8_t>(1 + kind % 2) : kind;
  for (double& value : body.position) value = bytes.number(2);
  for (double& value : body.size) value = 0.3 + bytes.number(0.31);
  if (body.shape == kWorldCapsule && kind % 16 != 0) body.size[2] = 0;
  const double turn = bytes.number(3);
  const double tilt = bytes.number(1);
  body.orientation = {std::sin(turn) * std::sin(tilt), std::sin(turn) * std::cos(tilt), 0,
                      std::cos(turn)};
  if (kind % 32 == 5) body.orientation[2] = bytes.number(1);
  return body;
}

// A body of the world as its message alone says it: its distances from points in its own frame.
class Seen {
 public:
  explicit Seen(const WorldBody& body)
      : centre_(body.position), half_(body.size), capsule_(body.shape == kWorldCapsule) {
    const auto& q = body.orientation;
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (std::size_t i = 0; i < 3; ++i) {
      conjugate_[i] = -q[i] / norm;
      half_[i] /= 2;
    }
    w_ = q[3] / norm;
    if (capsule_) half_ = {0, 0, body.size[1] / 2};
    radius_ = capsule_ ? body.size[0] : 0;
  }

  // v' = q* v q, for the conjugate of the unit quaternion (u, w).
  [[nodiscard]] Vector3 in_frame(const Vector3& point) const {
    const Vector3 d = {point[0] - centre_[0], point[1] - centre_[1], point[2] - centre_[2]};
    const auto cross = [](const Vector3& a, const Vector3& b) {
      return Vector3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]};
    };
    const Vector3 t = cross(conjugate_, d);
    const Vector3 tt = cross(conjugate_, t);
    return {d[0] + 2 * (w_ * t[0] + tt[0]), d[1] + 2 * (w_ * t[1] + tt[1]),
            d[2] + 2 * (w_ * t[2] + tt[2])};
  }

  // Least distance of points sampled along a line, whose ends are given in the body's frame.
  [[nodiscard]] double distance(const Vector3& from, const Vector3& to) const {
    double least = 1e9;
    for (int k = 0; k <= kSamples; ++k) {
      const double along = static_cast<double>(k) / kSamples;
      double square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double beside = std::abs(from[i] + (to[i] - from[i]) * along) - half_[i];
        square += beside > 0 ? beside * beside : 0;
      }
      least = std::min(least, square);
    }
    return std::sqrt(least) - radius_;
  }

 private:
  Vector3 centre_;
  Vector3 half_;
  bool capsule_;
  Vector3 conjugate_{};
  double w_ = 0;
  double radius_ = 0;
};

// Least distance of sampled points of both links on the way to the bodies of a world.
double clearance(const JointArray& from, const JointArray& to, const CollisionWorld& world) {
  double least = 1e9;
  for (std::size_t b = 0; b < world.body_count; ++b) {
    const Seen body(world.bodies[b]);
    const Vector3 shoulder = body.in_frame({0, 0, 0.1});
    for (int i = 0; i <= kSamples; ++i) {
      const double s = static_cast<double>(i) / kSamples;
      const double angle = from[0] + (to[0] - from[0]) * s;
      const double turn = angle + from[1] + (to[1] - from[1]) * s;
      const double x = std::cos(angle), y = std::sin(angle);
      const Vector3 elbow = body.in_frame({x, y, 0.1});
      const Vector3 tip = body.in_frame({x + std::cos(turn), y + std::sin(turn), 0.1});
      least = std::min({least, body.distance(shoulder, elbow), body.distance(elbow, tip)});
    }
  }
  return least - kLink;
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration configuration = fuzz::cell();
  static CollisionScene scene(configuration);
  static SweptCollision sweep(scene, configuration.arm.chain);
  // Bodies of the input before lie beyond this one's count.
  static CollisionWorld world;
  fuzz::Bytes bytes(data, size);
  world.frame = configuration.collision.world_frame;
  const auto count = bytes.take<std::uint8_t>();
  world.body_count = count < 250 ? count % 4 : count;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(world.body_count, 3); ++i) {
    world.bodies[i] = fuzz::body_of(bytes);
  }
  const Finding refused = check_world(configuration, world);
  if (!refused.ok()) {
    fuzz::require(refused.row < static_cast<int>(world.body_count), "the row is a body");
    return 0;
  }
  for (std::size_t i = 0; i < world.body_count; ++i) {
    for (const double edge : world.bodies[i].size) fuzz::require(edge >= 0, "no negative size");
    for (const double x : world.bodies[i].position) fuzz::require(std::isfinite(x), "finite");
  }
  scene.replace_world(world);
  sweep.forget();
  JointArray from = {bytes.number(2), bytes.number(1), 0.02};
  for (int way = 0; way < fuzz::kWays && !bytes.empty(); ++way) {
    const JointArray to = {from[0] + bytes.number(0.2), from[1] + bytes.number(0.2), 0.02};
    sweep.grant(5'000);
    const Finding finding = sweep.check(from, to, fuzz::kMargin);
    // Each by itself: a sum of numbers may be none.
    const bool number = std::isfinite(from[0]) && std::isfinite(from[1]) && std::isfinite(to[0]) &&
                        std::isfinite(to[1]);
    // No admitted row lies beyond its limits; far beyond, the reference's own sums lose the elbow.
    const bool in_reach = number && std::abs(to[0]) < 100 && std::abs(to[1]) < 100 &&
                          std::abs(from[0]) < 100 && std::abs(from[1]) < 100;
    if (finding.ok()) {
      fuzz::require(number, "no number is never clear");
      fuzz::require(!in_reach || fuzz::clearance(from, to, world) >= fuzz::kMargin,
                    "clear but too near");
    } else if (finding.reason == Reason::kCollision) {
      fuzz::require(!(finding.value >= finding.limit), "a distance below its limit");
      fuzz::require(finding.body >= 0 && finding.other >= 0, "two bodies");
    }
    if (in_reach) from = to;
  }
  return 0;
}
