// The loop between its queues, tick by tick: what a full queue keeps back and what it must not.
#include "../../src/control_loop.hpp"

#include <memory>

#include "../duo.hpp"
#include "../duo_in_space.hpp"

namespace openral::safety {
namespace {

class Loop : public testing::Test {
 protected:
  // Every tick brings a joint state, of a robot that stands still.
  void tick() {
    put_state();
    loop_.tick(now_, 0);
  }
  void put_state() {
    now_ += duo::kTick;
    if (JointState* state = inbox_->joint_states.back()) {
      *state = JointState{};
      state->received = state->stamp = now_;
      state->position = {0, 0, 0.04};
      state->complete = true;
      inbox_->joint_states.push();
    }
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
  // As the publishing thread does.
  void send() {
    const Letter* const letter = outbox_->letters.front();
    ASSERT_NE(nullptr, letter);
    if (letter->with_status) last_ = *letter;
    if (letter->emit) outbox_->deal();
    outbox_->letters.pop();
  }
  // The number of letters.
  int empty_letters() {
    int count = 0;
    for (; outbox_->letters.front() != nullptr; ++count) send();
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

// A held arm is commanded in every tick. The row of the first is unsent for 15 ms in the fourth,
// when its lease ends.
TEST_F(Loop, RowsThatNobodySendsLatchWithTheLease) {
  arm();
  ticks(3);
  EXPECT_EQ(State::kHolding, status().state);
  tick();
  EXPECT_EQ(State::kLatched, status().state);
  EXPECT_EQ("internal_fault", reason_name(status().finding.reason));
  // As long as they wait there is no reset.
  EXPECT_EQ("internal_fault", reason_name(ask(inbox_->reset).reason));
  (void)empty_letters();
  EXPECT_TRUE(ask(inbox_->reset).success);
}

TEST_F(Loop, RowsThatAreSentTwoTicksLateDoNotLatch) {
  arm();
  for (int i = 0; i < 100; ++i) {
    tick();
    if (i > 1) send();
  }
  EXPECT_EQ(State::kHolding, status().state);
}

// Beside a simulated robot 20 ms count as in time, three ticks more than here: so they do for rows.
TEST_F(Loop, WhereALoopMayBeLateItsRowsMayToo) {
  RawConfiguration raw = duo::raw();
  raw.numbers["loop.late_tolerance_s"] = 0.02;
  Kernel kernel(duo::configuration(raw), 0);
  ControlLoop loop(kernel, options(), *inbox_, *outbox_);
  const auto tick = [&] {
    put_state();
    loop.tick(now_, 0);
  };
  tick();
  tick();
  inbox_->arm.asked.store(true);
  tick();
  ASSERT_EQ(State::kHolding, kernel.status().state);
  (void)empty_letters();
  for (int i = 0; i < 6; ++i) tick();
  EXPECT_EQ(State::kHolding, kernel.status().state);
  tick();
  EXPECT_EQ(State::kLatched, kernel.status().state);
}

// What is told without a row keeps nobody waiting.
TEST_F(Loop, AStatusMayWaitForLonger) {
  ticks(2);
  EXPECT_NE(nullptr, outbox_->letters.front());
  ticks(20);
  EXPECT_TRUE(ask(inbox_->arm).success);
  tick();
  EXPECT_EQ(State::kHolding, status().state);
}

// What still waits when the loop latches must not leave any more.
TEST_F(Loop, ALatchRevokesTheRowsThatWait) {
  arm();
  tick();
  const Letter* const row = outbox_->letters.front();
  ASSERT_NE(nullptr, row);
  ASSERT_TRUE(row->emit);
  EXPECT_EQ(10, outbox_->left(*row, row->tick, 10));
  inbox_->fault.store(true);
  tick();
  ASSERT_EQ(State::kLatched, status().state);
  EXPECT_EQ(0, outbox_->left(*row, row->tick, 10));
}

// The row at rest that ends a stop is told to the robot, whatever the kernel comes to with it.
TEST_F(Loop, TheLastRowOfAStopIsNotRevoked) {
  arm();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 2)));
  chunk->received = chunk->observation_stamp = now_;
  chunk->epoch = status().epoch;
  inbox_->chunks.back()->copy_from(*chunk);
  inbox_->chunks.push();
  for (int i = 0; i < 10; ++i) {
    tick();
    (void)empty_letters();
  }
  ASSERT_EQ(State::kActive, status().state);
  inbox_->estop_lost.store(true);
  Letter row;
  while (status().state != State::kLatched) {
    tick();
    ASSERT_NE(nullptr, outbox_->letters.front());
    row = *outbox_->letters.front();
    (void)empty_letters();
  }
  EXPECT_TRUE(row.emit);
  EXPECT_EQ(JointArray{}, row.command.velocity);
  ticks(2);
  EXPECT_EQ(10, outbox_->left(row, row.tick, 10));
}

// A distance that found no room may have been the nearest: nobody moves until it is out of date.
TEST_F(Loop, ALostDistanceStopsAMotionWhateverTheOthersSay) {
  RawConfiguration raw = duo::raw_in_space();
  raw.flags["separation.enabled"] = true;
  const double values[] = {2, 0.1, 0.3, 1.6, 0.05};
  std::size_t i = 0;
  for (const auto& field : separation_fields()) {
    raw.numbers[std::string("separation.") + field.name] = values[i++];
  }
  Kernel kernel(duo::configuration(raw), 0);
  ControlLoop loop(kernel, options(), *inbox_, *outbox_);
  const auto tick = [&] {
    put_state();
    *inbox_->separations.back() = {now_, now_, 4};
    inbox_->separations.push();
    loop.tick(now_, 0);
    (void)empty_letters();
  };
  tick();
  tick();
  inbox_->arm.asked.store(true);
  tick();
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(1, 12)));
  chunk->received = chunk->observation_stamp = now_;
  chunk->epoch = kernel.status().epoch;
  inbox_->chunks.back()->copy_from(*chunk);
  inbox_->chunks.push();
  tick();
  tick();
  ASSERT_EQ(State::kActive, kernel.status().state);
  inbox_->separation_lost.store(true);
  tick();
  EXPECT_EQ("separation", reason_name(kernel.status().finding.reason));
  EXPECT_EQ(0, kernel.status().finding.limit);
  EXPECT_EQ(State::kBraking, kernel.status().state);
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
