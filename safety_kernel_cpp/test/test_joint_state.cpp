#include "joint_state.hpp"

#include <cmath>
#include <limits>

#include "duo.hpp"

namespace openral::safety {
namespace {

TEST(JointState, IsUsableWhenCompleteAndFiniteInEveryJoint) {
  const Configuration configuration = duo::configuration();
  JointState state;
  EXPECT_FALSE(state_is_usable(configuration, state));
  state.complete = true;
  EXPECT_TRUE(state_is_usable(configuration, state));
  for (std::size_t j = 0; j < 3; ++j) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      JointState spoiled = state;
      spoiled.position[j] = bad;
      EXPECT_FALSE(state_is_usable(configuration, spoiled)) << j;
      spoiled = state;
      spoiled.velocity[j] = bad;
      EXPECT_FALSE(state_is_usable(configuration, spoiled)) << j;
    }
  }
}

TEST(JointState, AnEffortThatNobodyGaveIsNotMeasured) {
  const JointState state;
  for (const double effort : state.effort) EXPECT_TRUE(std::isnan(effort));
}

}  // namespace
}  // namespace openral::safety
