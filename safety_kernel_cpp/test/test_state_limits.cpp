#include "state_limits.hpp"

#include "duo.hpp"

namespace openral::safety {
namespace {

// Limits of the shoulder: 2 rad and the sensors' 0.01, three times 1 rad/s; at rest below 0.02.
TEST(StateLimits, ALimitItselfIsInside) {
  const Configuration configuration = duo::configuration();
  JointState state;
  for (const double sign : {-1.0, 1.0}) {
    state = {};
    state.position[0] = sign * 2.01;
    EXPECT_TRUE(check_state(configuration, state).ok());
    state.position[0] = sign * 2.0101;
    Finding finding = check_state(configuration, state);
    EXPECT_EQ(Reason::kStatePositionLimit, finding.reason);
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(0, finding.joint);
    EXPECT_EQ(sign * 2.0101, finding.value);
    EXPECT_EQ(sign * 2.01, finding.limit);
    state.position[0] = 0;
    state.velocity[0] = sign * 3;
    EXPECT_TRUE(check_state(configuration, state).ok());
    state.velocity[0] = sign * 3.001;
    finding = check_state(configuration, state);
    EXPECT_EQ(Reason::kStateVelocityLimit, finding.reason);
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(3.001, finding.value);
    EXPECT_EQ(3, finding.limit);
    state.velocity[0] = sign * 0.02;
    EXPECT_TRUE(check_rest(configuration, state).ok());
    state.velocity[0] = sign * 0.0201;
    finding = check_rest(configuration, state);
    EXPECT_EQ(Reason::kNotAtRest, finding.reason);
    EXPECT_EQ(-1, finding.row);
    EXPECT_EQ(0.0201, finding.value);
    EXPECT_EQ(0.02, finding.limit);
  }
}

}  // namespace
}  // namespace openral::safety
