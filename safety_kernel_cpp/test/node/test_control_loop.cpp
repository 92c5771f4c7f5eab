// The loop between its queues, tick by tick: what a full queue keeps back and what it must not.
#include "../../src/control_loop.hpp"

#include <memory>

#include "../duo.hpp"

namespace openral::safety {
namespace {

class Loop : public testing::Test {
 protected:
  // Every tick brings a joint state, of a robot that stands still.
  void tick() {
    now_ += duo::kTick;
    if (JointState* state = inbox_->joint_states.back()) {
      *state = JointState{};
      state->received = state->stamp = now_;
      state->position = {0, 0, 0.04};
      state->complete = true;
      inbox_->joint_states.push();
    }
    loop_.tick(now_, 0);
  }
  void ticks(int count) {
    for (int i = 0; i < count; ++i) tick();
  }
  // Asks, and gives the answer of the next tick.
  Reply ask(Request& request) {
    request.asked.store(true);
    tick();
    const Reply* const answer = request.answer.front();
    if (answer == nullptr) return Reply{};
    const Reply given = *answer;
    request.answer.pop();
    return given;
  }
  void arm() {
    ticks(2);
    (void)empty_letters();
    ASSERT_TRUE(ask(inbox_->arm).success);
    (void)empty_letters();
  }
  // No letter finds room any more.
  void fill() {
    ticks(2);
    while (outbox_->letters.back() != nullptr) (void)ask(inbox_->reset);
  }
  // As the publishing thread does; the number of letters.
  int empty_letters() {
    int count = 0;
    for (; const Letter* letter = outbox_->letters.front(); ++count) {
      if (letter->with_status) last_ = *letter;
      outbox_->letters.pop();
    }
    return count;
  }
  std::vector<DatedReport> take_reports() {
    std::vector<DatedReport> reports;
    for (; const DatedReport* report = outbox_->reports.front();) {
      reports.push_back(*report);
      outbox_->reports.pop();
    }
    return reports;
  }
  [[nodiscard]] static LoopOptions options() {
    LoopOptions options;
    options.realtime = false;
    return options;
  }
  [[nodiscard]] const Status& status() const { return kernel_.status(); }
  [[nodiscard]] static std::string name(const DatedReport& dated) {
    return std::string(reason_name(dated.report.finding.reason));
  }

  Nanoseconds now_ = 1'000'000'000;
  Letter last_;
  Kernel kernel_{duo::configuration(), 0};
  std::unique_ptr<Inbox> inbox_ = std::make_unique<Inbox>();
  std::unique_ptr<Outbox> outbox_ = std::make_unique<Outbox>();
  ControlLoop loop_{kernel_, options(), *inbox_, *outbox_};
};

// A held arm is commanded in every tick. To the robot rows that do not leave are late ones: of what
// waits for 10 ms, 5 are tolerated, which is one late tick; at 15 ms, when the lease ends, two
// more.
TEST_F(Loop, RowsThatNobodySendsLatchWithTheLease) {
  arm();
  ticks(3);
  EXPECT_EQ(State::kHolding, status().state);
  EXPECT_EQ(1u, status().late_ticks);
  tick();
  EXPECT_EQ(State::kLatched, status().state);
  EXPECT_EQ("late_ticks", reason_name(status().finding.reason));
  EXPECT_NEAR(0.015, status().finding.value, 1e-9);
}

// One that is sent a tick late is none of them.
TEST_F(Loop, RowsThatAreSentOneTickLateDoNotLatch) {
  arm();
  for (int i = 0; i < 100; ++i) {
    tick();
    if (i > 0) outbox_->letters.pop();
  }
  EXPECT_EQ(State::kHolding, status().state);
  EXPECT_EQ(0u, status().late_ticks);
}

// What still waits when the loop latches is not in force any more.
TEST_F(Loop, ALatchRevokesTheRowsThatWait) {
  arm();
  tick();
  const Letter* const row = outbox_->letters.front();
  ASSERT_NE(nullptr, row);
  ASSERT_TRUE(row->emit);
  EXPECT_TRUE(outbox_->in_force(*row));
  inbox_->fault.store(true);
  tick();
  ASSERT_EQ(State::kLatched, status().state);
  EXPECT_FALSE(outbox_->in_force(*row));
}

// Disarmed, nothing but the answers to requests is told: 64 of them are room for no more.
TEST_F(Loop, AnOutboxThatIsFullLatches) {
  fill();
  EXPECT_EQ(State::kDisarmed, status().state);
  (void)ask(inbox_->reset);
  tick();
  EXPECT_EQ(State::kLatched, status().state);
  EXPECT_EQ("internal_fault", reason_name(status().finding.reason));
}

TEST_F(Loop, WhatLatchedIsToldThoughTheOutboxWasFull) {
  fill();
  (void)ask(inbox_->reset);
  (void)take_reports();
  tick();
  EXPECT_EQ(64, empty_letters());
  const auto reports = take_reports();
  ASSERT_EQ(1u, reports.size());
  EXPECT_EQ("internal_fault", name(reports[0]));
  // The status that found no room is sent as soon as there is some.
  tick();
  EXPECT_EQ(1, empty_letters());
  EXPECT_EQ(State::kLatched, last_.status.state);
  EXPECT_EQ(0u, last_.health.reports_lost);
}

TEST_F(Loop, ReportsThatFoundNoRoomAreCounted) {
  arm();
  (void)take_reports();
  auto chunk = duo::chunk({{0, 0, 0.04}});
  chunk->robot.assign("other");
  for (int i = 0; i < 300; ++i) {
    inbox_->chunks.back()->copy_from(*chunk);
    inbox_->chunks.push();
    tick();
    (void)empty_letters();
  }
  EXPECT_EQ(300u, last_.status.chunks_refused);
  EXPECT_EQ(44u, last_.health.reports_lost);  // room for 256
  EXPECT_EQ(256u, take_reports().size());
}

// The answer goes another way than what is published.
TEST_F(Loop, AnOperatorIsAnsweredThoughTheOutboxIsFull) {
  fill();
  (void)ask(inbox_->reset);
  tick();
  ASSERT_EQ(State::kLatched, status().state);
  const Reply refused = ask(inbox_->arm);
  EXPECT_TRUE(refused.given);
  EXPECT_EQ("latched", reason_name(refused.reason));
  EXPECT_EQ("internal_fault", reason_name(ask(inbox_->reset).reason));
  (void)empty_letters();
  tick();
  EXPECT_TRUE(ask(inbox_->reset).success);
  EXPECT_TRUE(ask(inbox_->arm).success);
}

TEST_F(Loop, AFailureOfTheMiddlewareLatches) {
  arm();
  inbox_->fault.store(true);
  tick();
  EXPECT_EQ(State::kLatched, status().state);
  EXPECT_EQ("internal_fault", reason_name(status().finding.reason));
  // Of what is over a reset may come.
  tick();
  EXPECT_TRUE(ask(inbox_->reset).success);
}

TEST_F(Loop, ChunksThatFoundNoRoomAreTold) {
  arm();
  (void)take_reports();
  inbox_->chunks_lost.fetch_add(2);
  tick();
  const auto reports = take_reports();
  ASSERT_EQ(1u, reports.size());
  EXPECT_EQ("queue_full", name(reports[0]));
  EXPECT_EQ(2, reports[0].report.finding.value);
  tick();
  EXPECT_TRUE(take_reports().empty());
}

TEST_F(Loop, ATickThatComesTooLateIsCounted) {
  arm();
  loop_.tick(now_ += 20 * duo::kMillisecond, 15 * duo::kMillisecond);
  EXPECT_EQ(2u, status().late_ticks);  // due 15 and 10 ms before; 5 are tolerated
  loop_.tick(now_ += 30 * duo::kMillisecond, 25 * duo::kMillisecond);
  EXPECT_EQ(State::kLatched, status().state);
  EXPECT_EQ("late_ticks", reason_name(status().finding.reason));
}

}  // namespace
}  // namespace openral::safety
