// A record gives back every bit that went in, and what was decided on it is decided again.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "duo.hpp"
#include "duo_in_a_cell.hpp"
#include "replay.hpp"

namespace openral::safety {
namespace {

using Verdict = Replay::Verdict;

std::string sealed(const std::string& text) {
  LineWriter line;
  line.word(text);
  line.finish();
  return line.text();
}

double from_bits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A robot that follows at once, played, refused and stopped; every tick as the node records it.
class Recording {
 public:
  explicit Recording(const RawConfiguration& raw = duo::raw()) {
    RecordHeader header;
    header.first_epoch = 7;
    header.raw = raw;
    configuration_ = duo::configuration(header.raw);
    lines = header_lines(header, configuration_.hash);
    kernel_ = std::make_unique<Kernel>(configuration_, header.first_epoch);
    state_.position = {0, 0, 0.04};
    state_.complete = true;
  }

  void tick() {
    const Inputs nothing;
    tick(nothing);
  }
  void tick(const Inputs& arrived) {
    Inputs inputs = arrived;
    now_ += duo::kTick;
    state_.received = state_.stamp = now_;
    (void)inputs.joint_states.push(state_);
    inputs.lateness = 1234;
    LineWriter line;
    write_inputs(line, now_, inputs);
    const Output& output = kernel_->tick(now_, inputs);
    if (output.emit) state_.position = output.command.position;
    line.word("|");
    write_decision(line, output, kernel_->status());
    line.finish();
    lines.push_back(line.text());
  }

  void send(Chunk& chunk) {
    chunk.received = now_ + duo::kTick;
    chunk.observation_stamp = now_;
    chunk.epoch = kernel_->status().epoch;
    ++chunk.sequence;
    Inputs inputs;
    inputs.chunk = &chunk;
    tick(inputs);
  }

  void a_short_run() {
    tick();
    Inputs arm;
    arm.arm = true;
    tick(arm);
    auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 30)));
    for (int i = 0; i < 40; ++i) {
      if (i % 4 == 0) {
        send(*chunk);
      } else {
        tick();
      }
    }
    chunk->values[1] = std::numeric_limits<double>::quiet_NaN();
    send(*chunk);
    Inputs estop;
    EStopLevel level;
    level.received = now_;
    level.source.assign("pendant on the\nleft");
    level.asserted = true;
    (void)estop.estops.push(level);
    tick(estop);
    for (int i = 0; i < 20; ++i) tick();
    EXPECT_EQ(State::kLatched, kernel_->status().state);
    EXPECT_EQ(1u, kernel_->status().chunks_refused);
    EXPECT_EQ(1u, kernel_->status().stops);
  }

  std::vector<std::string> lines;

 private:
  Configuration configuration_;
  std::unique_ptr<Kernel> kernel_;
  JointState state_;
  Nanoseconds now_ = 1'000'000'000;
};

Verdict replayed(const std::vector<std::string>& lines, Replay& replay) {
  for (const std::string& line : lines) {
    if (const Verdict verdict = replay.take(line); verdict != Verdict::kSame) return verdict;
  }
  return Verdict::kSame;
}

TEST(Record, ReplaysARunWithARefusalAndAStopToIdenticalDecisions) {
  Recording recording;
  recording.a_short_run();
  recording.lines.push_back(sealed("end stopped"));
  Replay replay;
  ASSERT_EQ(Verdict::kSame, replayed(recording.lines, replay)) << replay.text();
  EXPECT_EQ(64u, replay.ticks());
  EXPECT_EQ(2u, replay.reports());
  EXPECT_TRUE(replay.ended());
}

TEST(Record, ReplaysACollisionWithTheWorldThatItCameFrom) {
  Recording recording(duo::raw_in_a_world());
  auto world = duo::world_with(duo::world_box("crate", {1.8, 0.3, 0.1}, {0.2, 0.2, 0.2}));
  world->payload[world->payload_count++] = duo::world_capsule("rod", {0, 0, 0}, 0.05, 0.4);
  world->touchable[world->touchable_count++].assign("post");
  const auto hear = [&](bool arm) {
    world->received += 1'000'000'000;
    ++world->stamp;
    Inputs inputs;
    inputs.world = world.get();
    inputs.arm = arm;
    recording.tick(inputs);
  };
  hear(false);
  hear(true);
  auto chunk = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 30)));
  recording.send(*chunk);
  world->bodies[0].position[1] = std::numeric_limits<double>::quiet_NaN();
  hear(false);
  EXPECT_NE(std::string::npos, recording.lines[recording.lines.size() - 2].find("=fore =crate"));
  Replay replay;
  ASSERT_EQ(Verdict::kSame, replayed(recording.lines, replay)) << replay.text();
  EXPECT_EQ(4u, replay.ticks());
  EXPECT_EQ(1u, replay.reports());
}

TEST(Record, ADecisionThatDiffersInItsLastBitIsFoundAndNamed) {
  Recording recording;
  recording.a_short_run();
  const std::string wanted = " row ";
  // A row in the middle of the motion, one unit in the last place higher.
  std::string line = recording.lines[recording.lines.size() - 40];
  std::string_view whole = line;
  ASSERT_TRUE(take_checksum(whole));
  line.resize(whole.size());
  const std::size_t begin = line.find(wanted) + wanted.size();
  const std::size_t end = line.find(' ', begin);
  const double row = std::stod(line.substr(begin, end - begin));
  ASSERT_GT(row, 0.5);
  LineWriter changed;
  changed.real(std::nextafter(row, 100));
  line.replace(begin, end - begin, changed.text());
  recording.lines[recording.lines.size() - 40] = sealed(line);
  Replay replay;
  ASSERT_EQ(Verdict::kDifferent, replayed(recording.lines, replay));
  EXPECT_EQ(0u, replay.text().find("tick 25 at ")) << replay.text();
  EXPECT_NE(std::string::npos, replay.text().find("'row'")) << replay.text();
  EXPECT_NE(std::string::npos, replay.text().find(changed.text())) << replay.text();
}

TEST(Record, AChangedByteAnywhereIsFound) {
  Recording recording;
  recording.a_short_run();
  for (const std::size_t at : {std::size_t{0}, std::size_t{5}, recording.lines.size() - 1}) {
    for (std::size_t i = 0; i < recording.lines[at].size(); i += 7) {
      auto lines = recording.lines;
      lines[at][i] = lines[at][i] == '1' ? '2' : '1';
      Replay replay;
      EXPECT_EQ(Verdict::kBad, replayed(lines, replay)) << at << ' ' << i;
    }
  }
}

TEST(Record, WhatIsNoneIsRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"openral_kernel_record 1", "expected version 2"},
      {"another_record 1", "expected 'openral_kernel_record'"},
  };
  for (const auto& [line, error] : cases) {
    Replay replay;
    EXPECT_EQ(Verdict::kBad, replay.take(sealed(line)));
    EXPECT_NE(std::string::npos, replay.text().find(error)) << replay.text();
  }
  Recording recording;
  recording.tick();
  const std::vector<std::pair<std::string, std::string>> after = {
      {"tick", "expected decisions"},
      {"tick 5 0 | ", "expected 'joints', got nothing"},
      {"tick 5 0 joints 99999999999 | ", "expected a whole number"},
      {"tick 99999999999999999999 | ", "expected a whole number"},
      {"tick 5 0 joints 1 1 1 17 | ", "expected at most 16 values"},
      {"tick 5 0 joints 0 estops 1 4 noname 1 | ", "expected a name"},
      {"tick 5 0 joints 0 estops 1 4 =%4 1 | ", "expected two digits"},
      {"lost 3", "lost 3 ticks"},
      {"tock 5 | ", "expected 'tick'"},
  };
  for (const auto& [line, error] : after) {
    Replay replay;
    ASSERT_EQ(Verdict::kSame, replayed(recording.lines, replay));
    EXPECT_EQ(Verdict::kBad, replay.take(sealed(line))) << line;
    EXPECT_NE(std::string::npos, replay.text().find(error)) << replay.text();
  }
}

TEST(Record, AConfigurationOfAnotherKernelIsRefused) {
  Recording recording;
  for (std::string& line : recording.lines) {
    if (line.find("number =lease_s ") == 0) line = sealed("number =lease_s 0.01");
  }
  Replay replay;
  EXPECT_EQ(Verdict::kBad, replayed(recording.lines, replay));
  EXPECT_NE(std::string::npos, replay.text().find("hash")) << replay.text();
}

TEST(Record, ALineGivesEveryBitBack) {
  for (const double value :
       {0.0, -0.0, 0.1, 1e-308, 5e-324, 1.7976931348623157e308, -1.0 / 3,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        from_bits(0x7ff8000000000001), from_bits(0xfff0dead0000beef)}) {
    LineWriter line;
    line.real(value);
    LineReader words(line.text());
    double back = 1;
    words.real(back);
    EXPECT_TRUE(words.ok()) << words.error();
    EXPECT_EQ(bits_of(value), bits_of(back)) << line.text();
  }
}

TEST(Record, ANameGivesEveryByteBackAndWhetherItWasCut) {
  const std::string all = [] {
    std::string bytes;
    for (int i = 0; i < 256; i += 5) bytes += static_cast<char>(i);
    return bytes;
  }();
  for (const std::string& name : {std::string(), all, std::string(64, 'x'), std::string(65, 'x')}) {
    const FixedString<kMaxName> given(name);
    LineWriter line;
    line.name(given);
    LineReader words(line.text());
    FixedString<kMaxName> back;
    words.name(back);
    EXPECT_TRUE(words.ok()) << words.error();
    EXPECT_TRUE(words.at_end());
    EXPECT_EQ(given.view(), back.view());
    EXPECT_EQ(given.cut(), back.cut());
  }
}

TEST(Record, TheChecksumIsThatOfZlib) {
  EXPECT_EQ(0xcbf43926u, checksum("123456789"));  // the check value of CRC-32/ISO-HDLC
}

TEST(Record, AChunkThatClaimsMoreThanFitsIsReadAsItCame) {
  Chunk chunk;
  chunk.name_count = chunk.value_count = std::numeric_limits<std::uint64_t>::max();
  chunk.values.fill(0.5);
  LineWriter line;
  record::chunk(line, chunk);
  LineReader words(line.text());
  const auto back = std::make_unique<Chunk>();
  record::chunk(words, *back);
  EXPECT_TRUE(words.ok()) << words.error();
  EXPECT_TRUE(words.at_end());
  EXPECT_EQ(chunk.value_count, back->value_count);
  EXPECT_EQ(0.5, back->values[kMaxValues - 1]);
}

}  // namespace
}  // namespace openral::safety
