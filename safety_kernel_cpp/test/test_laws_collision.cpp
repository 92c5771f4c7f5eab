// Laws of behaviour 18, collision, against a planar arm's own formulas and dense samples of its
// way: nothing here is shared with the check.
#include <algorithm>
#include <cmath>

#include "collision_guard.hpp"
#include "duo_in_a_cell.hpp"
#include "law.hpp"

namespace openral::safety {
namespace {

constexpr double kArm = 0.05;     // [m] radius of both links
constexpr double kPost = 0.03;    // [m] radius of the posts
constexpr int kSamples = 20;      // between two rows
constexpr double kSlack = 0.005;  // [m] beyond the margin nothing is refused

struct Point {
  double x, y;
};

double distance(const Point& p, const Point& a, const Point& b) {
  const double x = b.x - a.x, y = b.y - a.y;
  const double along = ((p.x - a.x) * x + (p.y - a.y) * y) / (x * x + y * y);
  const double part = std::min(std::max(along, 0.0), 1.0);
  return std::hypot(p.x - a.x - part * x, p.y - a.y - part * y);
}

// Least distance of both links to the posts, which are upright and pass the arm's plane.
double clearance(double shoulder, double elbow, const std::vector<Point>& posts) {
  const Point joint = {std::cos(shoulder), std::sin(shoulder)};
  const Point tool = {joint.x + std::cos(shoulder + elbow), joint.y + std::sin(shoulder + elbow)};
  double least = 1e9;
  for (const Point& post : posts) {
    least = std::min({least, distance(post, {0, 0}, joint), distance(post, joint, tool)});
  }
  return least - kArm - kPost;
}

// Least distance on the way from row to row and on every row's stop, by its own formula:
// n ticks of 5 ms with |v| / a n T at most 1, v (n T / 2 + 5 ms) further.
double clearance(const Chunk& chunk, const std::vector<Point>& posts) {
  double least = clearance(chunk.at(0, 3, 0), chunk.at(0, 3, 1), posts);
  for (std::size_t row = 1; row < chunk.horizon; ++row) {
    const double a[] = {chunk.at(row - 1, 3, 0), chunk.at(row - 1, 3, 1)};
    const double b[] = {chunk.at(row, 3, 0), chunk.at(row, 3, 1)};
    const double v[] = {(b[0] - a[0]) / chunk.dt, (b[1] - a[1]) / chunk.dt};
    const double finger = (chunk.at(row, 3, 2) - chunk.at(row - 1, 3, 2)) / chunk.dt;
    const double longest =
        std::max({std::abs(v[0]) / 10, std::abs(v[1]) / 5, std::abs(finger) / 2}) / 0.005;
    const double time = std::ceil(longest - 1e-6) * 0.005 / 2 + 0.005;
    for (int i = 1; i <= kSamples; ++i) {
      const double s = static_cast<double>(i) / kSamples;
      const double t = time * s;
      least = std::min(least, clearance(a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, posts));
      least = std::min(least, clearance(b[0] + v[0] * t, b[1] + v[1] * t, posts));
    }
  }
  return least;
}

// A guard with its margin, in an otherwise empty cell.
class Cell {
 public:
  explicit Cell(double margin) : configuration_(configuration(margin)) {}

  Finding check(const Chunk& chunk, const std::vector<Point>& posts) {
    world_->body_count = 0;
    for (const Point& post : posts) {
      world_->bodies[world_->body_count++] =
          duo::world_capsule("post", {post.x, post.y, 0}, kPost, 2);
    }
    ++world_->stamp;
    guard_->hear(*world_);
    const JointArray base = {chunk.at(0, 3, 0), chunk.at(0, 3, 1), chunk.at(0, 3, 2)};
    const Columns columns = columns_of(configuration_, ControlMode::kJointPosition);
    return guard_->check_chunk(chunk, columns, 0, base);
  }

 private:
  static Configuration configuration(double margin) {
    RawConfiguration raw = duo::raw_in_a_world();
    raw.numbers["robot.collision.margin"] = margin;
    raw.numbers["robot.collision.stop_margin"] = 0;
    raw.lists.erase("world.bodies");
    for (const char* field : {"from", "to"})
      raw.vectors.erase(std::string("world.body.post.") + field);
    raw.numbers.erase("world.body.post.radius");
    return duo::configuration(raw);
  }

  const Configuration configuration_;
  std::unique_ptr<CollisionGuard> guard_ = std::make_unique<CollisionGuard>(configuration_);
  std::unique_ptr<CollisionWorld> world_ = duo::world();
};

struct Way {
  std::unique_ptr<Chunk> chunk;
  std::vector<Point> posts;
};

// Posts are put near the way, so that about half of the cases are near one.
Way any_way(const duo::Case& c) {
  duo::Random random = c.random();
  const JointArray start = {random.real(-1.5, 1.5), random.real(-0.8, 0.8), 0.02};
  Way made;
  made.chunk = duo::chunk(random.rows(random.whole(2, 24), start, random.real(0.2, 1), 0.9));
  const int count = random.whole(1, 6);
  for (int i = 0; i < count; ++i) {
    const double far = random.real(0.3, 2.1);
    const double aside = start[0] + random.real(-0.8, 0.8);
    made.posts.push_back({far * std::cos(aside), far * std::sin(aside)});
  }
  return made;
}

// Law: what is admitted keeps the margin between rows and on every stop; what keeps 5 mm more is
// not refused.
TEST(LawsCollision, WhatIsAdmittedKeepsTheMarginAndWhatIsFarIsAdmitted) {
  constexpr double kMargin = 0.02;
  Cell cell(kMargin);
  int admitted = 0;
  int refused = 0;
  duo::for_all("collision_keeps_the_margin", [&](const duo::Case& c) {
    const Way made = any_way(c);
    const Finding finding = cell.check(*made.chunk, made.posts);
    const double seen = clearance(*made.chunk, made.posts);
    if (finding.ok()) {
      ++admitted;
      ASSERT_GE(seen, kMargin);
    } else {
      ++refused;
      ASSERT_EQ(Reason::kCollision, finding.reason);
      ASSERT_LT(seen, kMargin + kSlack);
      ASSERT_GE(finding.row, 0);
      ASSERT_LT(finding.row, static_cast<int>(made.chunk->horizon));
      ASSERT_LT(finding.value, kMargin);
    }
  });
  EXPECT_GT(admitted, duo::law_cases() / 10);
  EXPECT_GT(refused, duo::law_cases() / 10);
}

// Law: a smaller margin refuses nothing that a larger one admits.
TEST(LawsCollision, ASmallerMarginNeverRefusesMore) {
  Cell wide(0.05);
  Cell middle(0.049);
  Cell none(0);
  duo::for_all("collision_smaller_margin", [&](const duo::Case& c) {
    const Way made = any_way(c);
    if (wide.check(*made.chunk, made.posts).ok()) {
      ASSERT_TRUE(middle.check(*made.chunk, made.posts).ok());
    }
    if (middle.check(*made.chunk, made.posts).ok()) {
      ASSERT_TRUE(none.check(*made.chunk, made.posts).ok());
    }
  });
}

// Law: a body more, or rows more, admit nothing more; and no world of before is remembered.
TEST(LawsCollision, ABodyMoreOrRowsMoreNeverAdmitMore) {
  Cell cell(0.02);
  Cell fresh(0.02);
  duo::for_all("collision_more_bodies_or_rows", [&](const duo::Case& c) {
    const Way made = any_way(c);
    const bool whole = cell.check(*made.chunk, made.posts).ok();
    auto fewer = made.posts;
    fewer.pop_back();
    ASSERT_TRUE(!whole || cell.check(*made.chunk, fewer).ok());
    made.chunk->horizon = (made.chunk->horizon + 1) / 2;
    ASSERT_TRUE(!whole || cell.check(*made.chunk, made.posts).ok());
    const bool again = cell.check(*made.chunk, made.posts).ok();
    ASSERT_EQ(fresh.check(*made.chunk, made.posts).ok(), again);
  });
}

}  // namespace
}  // namespace openral::safety
