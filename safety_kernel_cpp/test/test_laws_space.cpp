// Laws of the arm in space, against formulas of a planar arm that share nothing with the chain.
#include <cmath>

#include "admission.hpp"
#include "duo.hpp"
#include "duo_in_space.hpp"
#include "law.hpp"

namespace openral::safety {
namespace {

struct Point {
  double x, y;
};

Point elbow(double shoulder) { return {std::cos(shoulder), std::sin(shoulder)}; }
Point tool(double shoulder, double bend) {
  return {std::cos(shoulder) + std::cos(shoulder + bend),
          std::sin(shoulder) + std::sin(shoulder + bend)};
}
bool inside(const Point& point, double slack) {
  return point.x >= -1.5 - slack && point.x <= 2 + slack && point.y >= -2 - slack &&
         point.y <= 1.2 + slack;
}

// Law: on an admitted chunk, every point between rows is in the box (but for an arc's rise over its
// chord), and the tool's momentary speed is within one per cent of its limit.
TEST(LawsSpace, AdmittedMotionsStayInTheBoxAndUnderTheSpeed) {
  const Configuration configuration = duo::configuration(duo::raw_in_space());
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  int admitted = 0;
  int refused_in_space = 0;
  duo::for_all("admitted_motions_stay_in_the_box", [&](const duo::Case& c) {
    duo::Random random = c.random();
    const JointArray start = {random.real(-1.5, 1.5), random.real(-0.8, 0.8), 0.02};
    const auto chunk =
        duo::chunk(random.rows(random.whole(2, 24), start, random.real(0.2, 1), 0.9));
    const Finding finding = check_rows(configuration, *chunk, columns, {});
    if (finding.reason == Reason::kWorkspace || finding.reason == Reason::kToolSpeed ||
        finding.reason == Reason::kToolRotation) {
      ++refused_in_space;
    }
    if (!finding.ok()) return;
    ++admitted;
    for (std::size_t row = 1; row < chunk->horizon; ++row) {
      for (int part = 0; part <= 4; ++part) {
        const auto at = [&](std::size_t joint, double s) {
          return chunk->at(row - 1, 3, joint) * (1 - s) + chunk->at(row, 3, joint) * s;
        };
        const double s = part / 4.0;
        ASSERT_TRUE(inside(elbow(at(0, s)), 1e-3));
        ASSERT_TRUE(inside(tool(at(0, s), at(1, s)), 1e-3));
        if (part == 0) continue;
        const Point a = tool(at(0, s - 0.25), at(1, s - 0.25));
        const Point b = tool(at(0, s), at(1, s));
        ASSERT_LE(std::hypot(b.x - a.x, b.y - a.y) / 0.005, 1.2 * 1.01);
      }
      const double turn = chunk->at(row, 3, 0) + chunk->at(row, 3, 1) - chunk->at(row - 1, 3, 0) -
                          chunk->at(row - 1, 3, 1);
      ASSERT_LE(std::abs(turn) / duo::kDt, 0.9 * (1 + 1e-6));
    }
  });
  // The law says nothing where nothing is admitted or refused.
  EXPECT_GT(admitted, duo::law_cases() / 10);
  EXPECT_GT(refused_in_space, duo::law_cases() / 20);
}

// Law: a larger box and higher speeds admit whatever smaller ones do.
TEST(LawsSpace, TighteningALimitNeverAdmitsMore) {
  const Configuration wide = duo::configuration(duo::raw_in_space());
  const Columns columns = columns_of(wide, ControlMode::kJointPosition);
  duo::for_all("tightening_space_never_admits_more", [&](const duo::Case& c) {
    duo::Random random = c.random();
    Configuration tight = wide;
    for (std::size_t i = 0; i < 3; ++i) {
      tight.arm.workspace_min[i] += random.real(0, i == 2 ? 0.05 : 0.5);
      tight.arm.workspace_max[i] -= random.real(0, i == 2 ? 0.05 : 0.5);
    }
    tight.arm.tool_speed_max *= random.real(0.5, 1);
    tight.arm.rotation_speed_max *= random.real(0.5, 1);
    const auto chunk = random.any_chunk();
    if (check_rows(wide, *chunk, columns, {}).ok()) return;
    ASSERT_FALSE(check_rows(tight, *chunk, columns, {}).ok());
  });
}

}  // namespace
}  // namespace openral::safety
