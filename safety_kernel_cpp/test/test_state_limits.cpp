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
    duo::expect_finding(check_state(configuration, state), Reason::kStatePositionLimit, -1, 0,
                        sign * 2.0101, sign * 2.01);
    state.position[0] = 0;
    state.velocity[0] = sign * 3;
    EXPECT_TRUE(check_state(configuration, state).ok());
    state.velocity[0] = sign * 3.001;
    duo::expect_finding(check_state(configuration, state), Reason::kStateVelocityLimit, -1, 0,
                        3.001, 3);
    state.velocity[0] = sign * 0.02;
    EXPECT_TRUE(check_rest(configuration, state).ok());
    state.velocity[0] = sign * 0.0201;
    duo::expect_finding(check_rest(configuration, state), Reason::kNotAtRest, -1, 0, 0.0201, 0.02);
  }
}

}  // namespace
}  // namespace openral::safety
