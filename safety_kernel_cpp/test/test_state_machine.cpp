#include "state_machine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

namespace openral::safety {
namespace {

const std::vector<Event> kEvents = {
    Event::kArm,  Event::kReset, Event::kAdmit,       Event::kModeChange, Event::kFinish,
    Event::kStop, Event::kLatch, Event::kLatchAtOnce, Event::kRest,       Event::kDisarm};

using Node = std::tuple<State, bool>;

// Every state that any sequence of events reaches, found on the compiled function itself.
std::set<Node> reachable() {
  std::set<Node> seen = {{State::kDisarmed, false}};
  std::vector<Node> open(seen.begin(), seen.end());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const Event event : kEvents) {
      const Machine next = after({std::get<0>(node), std::get<1>(node), 10}, event);
      const Node found = {next.state, next.latch_at_rest};
      if (seen.insert(found).second) open.push_back(found);
    }
  }
  return seen;
}

TEST(StateMachine, StartsDisarmed) { EXPECT_EQ(State::kDisarmed, Machine{}.state); }

TEST(StateMachine, SearchFindsExactlySixStates) {
  const std::set<Node> expected = {{State::kDisarmed, false}, {State::kHolding, false},
                                   {State::kActive, false},   {State::kBraking, false},
                                   {State::kBraking, true},   {State::kLatched, false}};
  EXPECT_EQ(expected, reachable());
}

TEST(StateMachine, OnlyArmingLeavesDisarmedForMotion) {
  for (const Event event : kEvents) {
    const State next = after({State::kDisarmed, false, 1}, event).state;
    if (event == Event::kArm) {
      EXPECT_EQ(State::kHolding, next);
    } else {
      EXPECT_TRUE(next == State::kDisarmed || next == State::kLatched);
    }
  }
}

TEST(StateMachine, OnlyResetLeavesLatchedAndOnlyToDisarmed) {
  for (const Event event : kEvents) {
    const Machine next = after({State::kLatched, false, 1}, event);
    EXPECT_EQ(event == Event::kReset ? State::kDisarmed : State::kLatched, next.state);
  }
}

TEST(StateMachine, APendingLatchIsNeverForgotten) {
  for (const Event event : kEvents) {
    const Machine next = after({State::kBraking, true, 1}, event);
    EXPECT_TRUE(next.state == State::kLatched || next.latch_at_rest);
  }
}

TEST(StateMachine, OnlyAdmissionBeginsMotion) {
  for (const Node& node : reachable()) {
    for (const Event event : kEvents) {
      const Machine before{std::get<0>(node), std::get<1>(node), 1};
      if (before.state == State::kActive || after(before, event).state != State::kActive) continue;
      EXPECT_EQ(State::kHolding, before.state);
      EXPECT_EQ(Event::kAdmit, event);
    }
  }
}

TEST(StateMachine, EveryStopLatchArmAndResetThatChangesSomethingRaisesTheEpoch) {
  for (const Node& node : reachable()) {
    for (const Event event : kEvents) {
      const Machine before{std::get<0>(node), std::get<1>(node), 7};
      const Machine next = after(before, event);
      EXPECT_GE(next.epoch, before.epoch);
      EXPECT_LE(next.epoch, before.epoch + 1);
      const bool quiet = event == Event::kAdmit || event == Event::kFinish || event == Event::kRest;
      if (quiet) {
        EXPECT_EQ(before.epoch, next.epoch);
      } else if (!(next == before)) {
        EXPECT_EQ(before.epoch + 1, next.epoch);
      }
    }
  }
}

TEST(StateMachine, StatesHaveNames) {
  EXPECT_EQ("DISARMED", state_name(State::kDisarmed));
  EXPECT_EQ("LATCHED", state_name(State::kLatched));
}

TEST(StateMachine, MachinesAreEqualInEverything) {
  const Machine machine{State::kBraking, true, 7};
  EXPECT_TRUE(machine == (Machine{State::kBraking, true, 7}));
  EXPECT_FALSE(machine == (Machine{State::kActive, true, 7}));
  EXPECT_FALSE(machine == (Machine{State::kBraking, false, 7}));
  EXPECT_FALSE(machine == (Machine{State::kBraking, true, 8}));
}

}  // namespace
}  // namespace openral::safety
