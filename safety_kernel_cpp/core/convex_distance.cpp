#include "convex_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace openral::safety {
namespace {

// [m] Points nearer than this give no direction.
constexpr double kTouch = 1e-12;

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double clamped(double value, double bound) { return std::min(std::max(value, -bound), bound); }

// The separation of two cores along the direction in which their proposed closest points lie apart.
// `offset`: from the second core's centre to the first's; `apart`: from the second's point to the
// first's; `first`, `second`: half extents of the cores along a unit vector.
template <typename First, typename Second>
double certified(const Vector3& offset, const Vector3& apart, const First& first,
                 const Second& second) {
  const double length = std::sqrt(dot(apart, apart));
  if (!(length > kTouch)) return 0;
  const Vector3 n = {apart[0] / length, apart[1] / length, apart[2] / length};
  return dot(n, offset) - first(n) - second(n);
}

// Points w + s u and t v of two segments, s and t in [-1, 1], that are nearest to each other.
double segments_bound(const Vector3& w, const Vector3& u, const Vector3& v) {
  const double uu = dot(u, u);
  const double vv = dot(v, v);
  const double uv = dot(u, v);
  const double uw = dot(u, w);
  const double vw = dot(v, w);
  const double parallel = uu * vv - uv * uv;
  // Nearly parallel segments begin in the middle; any s is then nearly as good as another.
  double s = parallel > 1e-12 * uu * vv ? clamped((uv * vw - uw * vv) / parallel, 1) : 0;
  const double t_free = vv > 0 ? (uv * s + vw) / vv : 0;
  const double t = clamped(t_free, 1);
  if (uu > 0) s = clamped((uv * t - uw) / uu, 1);
  Vector3 apart{};
  for (std::size_t i = 0; i < 3; ++i) apart[i] = w[i] + s * u[i] - t * v[i];
  return certified(
      w, apart, [&](const Vector3& n) { return std::abs(dot(n, u)); },
      [&](const Vector3& n) { return std::abs(dot(n, v)); });
}

// The segment `middle` + t `axis`, t in [-1, 1], and the box |x_i| <= half_i about the origin.
//
// The squared distance of the point at t to the box is convex in t, and its slope is linear between
// the at most six t at which a coordinate enters or leaves its interval. The slope's zero is
// bracketed by these and then interpolated.
double segment_box_bound(const Vector3& middle, const Vector3& axis, const Vector3& half) {
  const auto outside = [&](double t, std::size_t i) {
    const double x = middle[i] + t * axis[i];
    return x - clamped(x, half[i]);
  };
  const auto slope = [&](double t) {
    return outside(t, 0) * axis[0] + outside(t, 1) * axis[1] + outside(t, 2) * axis[2];
  };
  double low = -1;
  double high = 1;
  double slope_low = slope(low);
  double slope_high = slope(high);
  double t = 0;
  if (slope_low >= 0) {
    t = low;
  } else if (slope_high <= 0) {
    t = high;
  } else {
    for (std::size_t i = 0; i < 3; ++i) {
      for (const double face : {-half[i], half[i]}) {
        // Along an axis that is zero no face is passed: infinite, or no number.
        const double at = (face - middle[i]) / axis[i];
        if (!(at > low && at < high)) continue;
        const double value = slope(at);
        (value < 0 ? low : high) = at;
        (value < 0 ? slope_low : slope_high) = value;
      }
    }
    t = low + (high - low) * slope_low / (slope_low - slope_high);
  }
  const Vector3 apart = {outside(t, 0), outside(t, 1), outside(t, 2)};
  return certified(
      middle, apart, [&](const Vector3& n) { return std::abs(dot(n, axis)); },
      [&](const Vector3& n) {
        return half[0] * std::abs(n[0]) + half[1] * std::abs(n[1]) + half[2] * std::abs(n[2]);
      });
}

// In the box's frame.
Vector3 turned_back(const Rotation& rotation, const Vector3& v) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = rotation[0][i] * v[0] + rotation[1][i] * v[1] + rotation[2][i] * v[2];
  }
  return out;
}

// Least bound of the twelve edges of `a` to `b`.
double edges_bound(const Solid& a, const Solid& b) {
  const Vector3 offset = turned_back(b.rotation, minus(a.centre, b.centre));
  std::array<Vector3, 3> axes{};  // of a's half edges, in b's frame
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 column = {a.rotation[0][i] * a.half[i], a.rotation[1][i] * a.half[i],
                            a.rotation[2][i] * a.half[i]};
    axes[i] = turned_back(b.rotation, column);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3& one = axes[(i + 1) % 3];
    const Vector3& other = axes[(i + 2) % 3];
    for (const double p : {-1.0, 1.0}) {
      for (const double q : {-1.0, 1.0}) {
        Vector3 middle{};
        for (std::size_t k = 0; k < 3; ++k) middle[k] = offset[k] + p * one[k] + q * other[k];
        least = std::min(least, segment_box_bound(middle, axes[i], b.half));
      }
    }
  }
  return least;
}

}  // namespace

double separation_bound(const Solid& a, const Solid& b) {
  if (a.box && b.box) return std::min(edges_bound(a, b), edges_bound(b, a)) - kRoundingGuard;
  const double radii = a.radius + b.radius + kRoundingGuard;
  if (!a.box && !b.box) return segments_bound(minus(a.centre, b.centre), a.axis, b.axis) - radii;
  const Solid& rod = a.box ? b : a;
  const Solid& block = a.box ? a : b;
  return segment_box_bound(turned_back(block.rotation, minus(rod.centre, block.centre)),
                           turned_back(block.rotation, rod.axis), block.half) -
         radii;
}

double sphere_bound(const Solid& a, const Solid& b) {
  const Vector3 way = minus(a.centre, b.centre);
  return std::sqrt(dot(way, way)) - core_size(a) - core_size(b) - a.radius - b.radius -
         kRoundingGuard;
}

}  // namespace openral::safety
