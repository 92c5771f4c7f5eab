// Laws of whole runs: random chunks, silences, e-stops, disturbances and operators against one
// kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "bench.hpp"
#include "law.hpp"
#include "reference_checker.hpp"

namespace openral::safety {
namespace {

using duo::Bench;
using duo::Random;

// Everything that a run of random inputs showed.
struct Trace {
  std::vector<Command> commands;
  std::vector<std::size_t> at;  // the tick of each command
  std::vector<bool> emitted;    // per tick
  std::vector<State> states;
  std::vector<std::uint64_t> epochs;
  std::vector<bool> estop_asserted;
  std::vector<bool> rearmed;
  Status last;
};

// A world that misbehaves in every way that the kernel's inputs can express. The same draws
// give the same run; with `refused_in_front`, a chunk that must be refused is put into every tick
// that has no chunk.
Trace run(Random random, int ticks, bool refused_in_front = false) {
  const bool pendant = random.chance(0.33);
  Bench bench;
  bench.measured.position = {random.real(-1.5, 1.5), random.real(-0.6, 0.6), 0.04};
  bench.ticks(2);
  bench.arm();
  Trace trace;
  duo::Rows rows;
  std::uint64_t timeline = 0;
  int runner_silent = 0;
  auto nonsense = duo::chunk({{std::nan(""), 0, 0.04}});
  for (int i = 0; i < ticks; ++i) {
    std::unique_ptr<Chunk> chunk;
    if (runner_silent > 0) --runner_silent;
    if (random.chance(0.002)) runner_silent = 40;
    if (i % 4 == 0 && runner_silent == 0) {
      const bool playing = bench.state() == State::kActive && bench.status().timeline == timeline;
      if (!playing || random.chance(0.01)) {
        ++timeline;
        rows = random.rows(random.whole(2, 60), bench.status().commanded, random.real(0.3, 1.05),
                           random.real(0.3, 1.05));
      }
      const bool current = bench.status().timeline == timeline;
      const int first = current ? static_cast<int>(bench.status().consumed_row) : 0;
      const int count = std::min(16, static_cast<int>(rows.size()) - first);
      if (count > 0) {
        chunk = duo::chunk(duo::Rows(rows.begin() + first, rows.begin() + first + count));
        chunk->first_row = static_cast<std::uint64_t>(first);
        chunk->last = first + count == static_cast<int>(rows.size());
        chunk->timeline = timeline;
        bench.stamp(*chunk);
        if (random.chance(0.03)) {
          chunk->values[static_cast<std::size_t>(
              random.whole(0, static_cast<int>(chunk->value_count) - 1))] += random.real(-0.2, 0.2);
        }
        if (random.chance(0.01)) chunk->epoch += 1;
        if (random.chance(0.01)) chunk->sequence -= 1;
        if (random.chance(0.01)) chunk->observation_stamp -= 200 * duo::kMillisecond;
        bench.inputs.chunk = chunk.get();
      }
    }
    if (chunk == nullptr && refused_in_front) {
      bench.stamp(*nonsense);
      --bench.sequence;
      nonsense->timeline = timeline;
      bench.inputs.chunk = nonsense.get();
    }
    bool asserted = false;
    if (random.chance(0.001)) {
      asserted = true;
      bench.estop(true);
    } else if (i % 50 == 0 && pendant) {
      bench.estop(false);
    }
    bench.driver_silent = random.chance(0.002) || (bench.driver_silent && random.chance(0.9));
    bench.inputs.reset = i % 100 == 50;
    bench.inputs.arm = i % 100 == 60;
    if (random.chance(0.001)) bench.inputs.lateness = 6 * duo::kMillisecond;
    if (random.chance(0.0002)) bench.inputs.second_publisher = true;
    if (random.chance(0.001)) bench.measured.position[0] += random.real(-0.15, 0.15);
    const Output& output = bench.tick();
    if (output.emit) trace.at.push_back(trace.emitted.size());
    trace.emitted.push_back(output.emit);
    trace.states.push_back(bench.state());
    trace.epochs.push_back(bench.epoch());
    trace.estop_asserted.push_back(asserted);
    trace.rearmed.push_back(output.arm.success);
  }
  trace.commands = bench.emitted;
  if (trace.at.size() < trace.commands.size()) {
    // Those of arming came before the first tick that is counted.
    trace.at.insert(trace.at.begin(), trace.commands.size() - trace.at.size(), 0);
  }
  trace.last = bench.status();
  return trace;
}

// Arming and a stop after a fault begin at the measurement, under another epoch; so does a hold
// whose last command was older than its lease of three ticks.
bool continues(const Trace& trace, std::size_t i) {
  return trace.commands[i].epoch == trace.commands[i - 1].epoch &&
         trace.at[i] - trace.at[i - 1] <= 3;
}

constexpr int kTicks = 300;

template <typename Law>
void for_all_runs(const char* name, Law&& law) {
  duo::for_all(name, law);
}

TEST(KernelLaw, EmittedCommandsOfAnyInputRespectEveryLimit) {
  const Configuration configuration = duo::configuration();
  std::uint64_t commands = 0;
  std::uint64_t moving = 0;
  for_all_runs("commands_respect_limits", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    for (std::size_t i = 0; i < trace.commands.size(); ++i) {
      const Command& command = trace.commands[i];
      ++commands;
      for (std::size_t j = 0; j < 3; ++j) {
        const JointLimits& limits = configuration.limits[j];
        ASSERT_TRUE(std::isfinite(command.position[j]));
        ASSERT_GE(command.position[j], limits.position_min);
        ASSERT_LE(command.position[j], limits.position_max);
        if (command.velocity[j] != 0) ++moving;
        if (i == 0) continue;
        const Command& before = trace.commands[i - 1];
        if (!continues(trace, i)) continue;
        ASSERT_LE(std::abs(command.velocity[j]), limits.velocity_max * 1.0001 + 1e-9);
        ASSERT_LE(std::abs(command.position[j] - before.position[j]),
                  limits.velocity_max * 0.005 * 1.0001 + 1e-9);
      }
    }
  });
  // Runs that never moved would respect every limit.
  EXPECT_GT(moving, commands / 10);
}

TEST(KernelLaw, SpeedChangesByAtMostARowsAcceleration) {
  const Configuration configuration = duo::configuration();
  for_all_runs("speed_changes_within_a_dt", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    for (std::size_t i = 2; i < trace.commands.size(); ++i) {
      const Command* const row = &trace.commands[i - 2];
      if (!continues(trace, i) || !continues(trace, i - 1)) continue;
      for (std::size_t j = 0; j < 3; ++j) {
        const double before = (row[1].position[j] - row[0].position[j]) / 0.005;
        const double now = (row[2].position[j] - row[1].position[j]) / 0.005;
        ASSERT_LE(std::abs(now - before),
                  configuration.limits[j].acceleration_max * duo::kDt * 1.0001 + 1e-9);
      }
    }
  });
}

// Behaviour 14 where no window holds enough rows to show a jerk. Windows of two and three rows, a
// new one at every row; what was played of them is judged as one chunk by the reference checker.
TEST(KernelLaw, ShortWindowsKeepTheLimitsOfTheMotionThatTheyComeTo) {
  RawConfiguration raw = duo::raw();
  // A row may begin or end to change its speed (500, 250, 100), not turn that round at once.
  raw.numbers["robot.limits.shoulder.jerk_max"] = 600;
  raw.numbers["robot.limits.elbow.jerk_max"] = 300;
  raw.numbers["robot.limits.finger.jerk_max"] = 120;
  const Configuration configuration = duo::configuration(raw);
  std::uint64_t played = 0;
  std::uint64_t refused = 0;
  for_all_runs("short_windows", [&](const duo::Case& c) {
    Random random = c.random();
    Bench bench(raw);
    bench.measured.position = {0, 0, 0.02};
    bench.start();
    // At rest before.
    duo::Rows rows(3, {0, 0, 0.02});
    for (std::uint64_t row = 0; row < 24; ++row) {
      const double change[] = {0.2, 0.1, 0.002};
      const int horizon = random.whole(2, 3);
      std::vector<double> at = rows.back();
      std::vector<double> before = rows[rows.size() - 2];
      duo::Rows window = {at};
      while (static_cast<int>(window.size()) < horizon) {
        std::vector<double> next = at;
        for (std::size_t j = 0; j < 3; ++j) {
          const double turn = random.chance(0.5) ? random.whole(-1, 1) : random.real(-1, 1);
          next[j] += at[j] - before[j] + turn * change[j] * duo::kDt;
        }
        before = at;
        at = next;
        window.push_back(at);
      }
      auto chunk = duo::chunk(window);
      chunk->first_row = row;
      chunk->last = false;
      bench.send(*chunk);
      bench.ticks(3);
      if (bench.state() != State::kActive) break;
      const JointArray& now = bench.status().commanded;
      rows.push_back({now[0], now[1], now[2]});
      ++played;
    }
    refused += bench.status().chunks_refused;
    auto whole = duo::chunk(rows);
    whole->last = false;
    ASSERT_NE(reference::Verdict::kInadmissible, reference::Checker(configuration, *whole).check());
  });
  EXPECT_GT(played, refused);
  EXPECT_GT(refused, 0u);
}

// Behaviour 14 however timelines follow each other and windows are shifted: all changes of a speed
// within any time t come to a (t + dt) at most.
TEST(KernelLaw, MotionsThatArePlannedAnewChangeTheirSpeedAsRowsDo) {
  const Configuration configuration = duo::configuration();
  std::uint64_t admitted = 0;
  std::uint64_t refused = 0;
  for_all_runs("planned_anew", [&](const duo::Case& c) {
    Random random = c.random();
    Bench bench;
    bench.measured.position = {0, 0, 0.02};
    bench.start();
    const double dt = 0.005 * random.real(1, 5);
    std::unique_ptr<Chunk> chunk;
    std::vector<JointArray> speeds;
    JointArray last = bench.status().commanded;
    for (int tick = 0; tick < 60; ++tick) {
      if (chunk == nullptr || random.chance(0.4)) {
        const double change[] = {0.2, 0.1, 0.04};
        std::vector<double> at = {last[0], last[1], last[2]};
        std::vector<double> speed(3);
        for (std::size_t j = 0; j < 3; ++j) speed[j] = speeds.empty() ? 0 : speeds.back()[j];
        duo::Rows rows = {at};
        for (int row = 0; row < 3; ++row) {
          for (std::size_t j = 0; j < 3; ++j) {
            speed[j] += random.real(-0.6, 0.6) * change[j] * dt / duo::kDt;
            at[j] += speed[j] * dt;
          }
          rows.push_back(at);
        }
        const std::uint64_t timeline = bench.status().timeline + 1;
        chunk = duo::chunk(rows);
        chunk->dt = dt;
        chunk->timeline = timeline;
        chunk->last = false;
      } else if (random.chance(0.3)) {
        for (std::size_t i = 0; i < chunk->value_count; i += 3) {
          chunk->values[i] += random.real(-0.0005, 0.0005);
        }
      }
      bench.send(*chunk);
      if (bench.state() != State::kActive && bench.state() != State::kHolding) break;
      JointArray speed{};
      for (std::size_t j = 0; j < 3; ++j) {
        speed[j] = (bench.status().commanded[j] - last[j]) / 0.005;
      }
      speeds.push_back(speed);
      last = bench.status().commanded;
    }
    ASSERT_NE("row_check", bench.reason_text());
    admitted += bench.status().chunks_admitted;
    refused += bench.status().chunks_refused;
    for (std::size_t j = 0; j < 3; ++j) {
      const double able = configuration.limits[j].acceleration_max;
      // Of all changes so far, less what the time so far is good for: from the least of before on.
      double sum = 0;
      double least = 0;
      for (std::size_t k = 1; k < speeds.size(); ++k) {
        least = std::min(least, sum - able * 0.005 * static_cast<double>(k));
        sum += std::abs(speeds[k][j] - speeds[k - 1][j]);
        const double beyond = sum - able * 0.005 * static_cast<double>(k) - least;
        ASSERT_LE(beyond, able * dt * (1 + 1e-6));
      }
    }
  });
  EXPECT_GT(admitted, refused / 10);
  EXPECT_GT(refused, 0u);
}

TEST(KernelLaw, ARefusedChunkInFrontChangesNothing) {
  for_all_runs("refused_chunk_changes_nothing", [&](const duo::Case& c) {
    const Trace without = run(c.random(), kTicks);
    const Trace with = run(c.random(), kTicks, true);
    ASSERT_EQ(without.commands.size(), with.commands.size());
    for (std::size_t i = 0; i < with.commands.size(); ++i) {
      ASSERT_EQ(without.commands[i].position, with.commands[i].position);
      ASSERT_EQ(without.commands[i].velocity, with.commands[i].velocity);
    }
    ASSERT_EQ(without.states, with.states);
    ASSERT_EQ(without.epochs, with.epochs);
  });
}

TEST(KernelLaw, NothingIsEmittedUnlessArmed) {
  for_all_runs("nothing_unless_armed", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    for (std::size_t i = 1; i < trace.states.size(); ++i) {
      const State before = trace.states[i - 1];
      const bool off = before == State::kDisarmed || before == State::kLatched;
      ASSERT_FALSE(off && trace.emitted[i] && !trace.rearmed[i]);
    }
  });
}

TEST(KernelLaw, AnEStopIsDecidedInItsTick) {
  for_all_runs("estop_in_its_tick", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    std::size_t since = 1000;
    for (std::size_t i = 0; i < trace.states.size(); ++i) {
      if (trace.estop_asserted[i]) since = 0;
      if (trace.estop_asserted[i]) {
        ASSERT_TRUE(trace.states[i] == State::kBraking || trace.states[i] == State::kLatched);
      }
      // No stop of this robot takes more than 20 ticks.
      if (since == 20) {
        ASSERT_EQ(State::kLatched, trace.states[i]);
      }
      ++since;
    }
  });
}

TEST(KernelLaw, TheEpochNeverFallsAndSequencesCountEveryCommand) {
  for_all_runs("epoch_and_sequence", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    for (std::size_t i = 1; i < trace.epochs.size(); ++i) {
      ASSERT_GE(trace.epochs[i], trace.epochs[i - 1]);
    }
    for (std::size_t i = 1; i < trace.commands.size(); ++i) {
      ASSERT_EQ(trace.commands[i].sequence, trace.commands[i - 1].sequence + 1);
      ASSERT_GE(trace.commands[i].epoch, trace.commands[i - 1].epoch);
    }
  });
}

TEST(KernelLaw, TheSameInputsGiveTheSameRun) {
  for_all_runs("deterministic", [&](const duo::Case& c) {
    const Trace one = run(c.random(), kTicks / 3);
    const Trace two = run(c.random(), kTicks / 3);
    ASSERT_EQ(one.states, two.states);
    ASSERT_EQ(one.commands.size(), two.commands.size());
    for (std::size_t i = 0; i < one.commands.size(); ++i) {
      ASSERT_EQ(one.commands[i].position, two.commands[i].position);
    }
    ASSERT_EQ(one.last.chunks_refused, two.last.chunks_refused);
  });
}

TEST(KernelLaw, MotionBeginsOnlyFromHolding) {
  for_all_runs("motion_from_holding", [&](const duo::Case& c) {
    const Trace trace = run(c.random(), kTicks);
    for (std::size_t i = 1; i < trace.states.size(); ++i) {
      if (trace.states[i] != State::kActive || trace.states[i - 1] == State::kActive) continue;
      ASSERT_TRUE(trace.states[i - 1] == State::kHolding || trace.rearmed[i]);
    }
  });
}

}  // namespace
}  // namespace openral::safety
