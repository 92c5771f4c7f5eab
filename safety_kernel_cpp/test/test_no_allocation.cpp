// Nothing in a tick asks for memory: malloc and all of its family, free, mmap and mremap are
// replaced by counters.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "bench.hpp"
#include "duo_in_a_cell.hpp"
#include "duo_in_every_mode.hpp"
#include "fault_table.hpp"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void __libc_free(void* block);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> g_watching{false};
std::atomic<std::uint64_t> g_events{0};

void note() {
  if (g_watching.load(std::memory_order_relaxed)) g_events.fetch_add(1);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  note();
  return __libc_realloc(block, size);
}
void free(void* block) {
  if (block != nullptr) note();
  __libc_free(block);
}
// The aligned ones end in memalign, whatever they are called by.
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(count, size, &bytes) ? nullptr : realloc(block, bytes);
}
void* mremap(void* address, std::size_t old_size, std::size_t new_size, int flags, ...) noexcept {
  note();
  va_list more;
  va_start(more, flags);
  void* const place = va_arg(more, void*);
  va_end(more);
  return reinterpret_cast<void*>(syscall(SYS_mremap, address, old_size, new_size, flags, place));
}
void* mmap(void* address, std::size_t length, int protection, int flags, int file,
           off_t offset) noexcept {
  note();
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, length, protection, flags, file, offset));
}
}

namespace openral::safety {
namespace {

TEST(NoAllocation, TheCountersCount) {
  g_events = 0;
  g_watching = true;
  void* volatile block = std::malloc(32);
  block = std::realloc(block, 64);
  std::free(block);
  block = std::calloc(2, 16);
  block = reallocarray(block, 3, 16);
  std::free(block);
  EXPECT_EQ(6u, g_events.load());
  block = std::aligned_alloc(64, 64);
  std::free(block);
  void* aligned = nullptr;
  ASSERT_EQ(0, posix_memalign(&aligned, 64, 64));
  std::free(aligned);
  EXPECT_EQ(10u, g_events.load());
  struct alignas(64) Wide {
    char bytes[64];
  };
  const Wide* volatile wide = new Wide;
  delete wide;
  EXPECT_EQ(12u, g_events.load());
  block = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  block = mremap(block, 4096, 8192, MREMAP_MAYMOVE);
  g_watching = false;
  EXPECT_EQ(14u, g_events.load());
  munmap(block, 8192);
}

// A million ticks through every state: arming, playing, refusals of each kind, stops, e-stops,
// resets.
TEST(NoAllocation, InAMillionTicksIncludingRefusalAndEStopPaths) {
  auto kernel = std::make_unique<Kernel>(duo::configuration(), 0);
  auto good = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 84)));
  auto bad_value = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 84)));
  bad_value->values[40] = std::nan("");
  auto bad_splice = duo::chunk(duo::shoulder_rows(duo::trapezoid(3, 84), -1));
  auto bad_shape = duo::chunk({{0, 0, 0.04}});
  bad_shape->value_count = 7;
  Chunk* const chunks[] = {good.get(), good.get(),       good.get(),     bad_value.get(),
                           good.get(), bad_splice.get(), bad_shape.get()};
  auto inputs = std::make_unique<Inputs>();
  JointState state;
  state.position = {0, 0, 0.04};
  state.complete = true;

  constexpr std::uint64_t kTicks = 1'000'000;
  std::uint64_t seen[5] = {};
  std::uint64_t sequence = 0;
  Nanoseconds now = 0;
  g_events = 0;
  g_watching = true;
  for (std::uint64_t i = 0; i < kTicks; ++i) {
    now += duo::kTick;
    inputs->joint_states.clear();
    inputs->estops.clear();
    inputs->chunk = nullptr;
    if (i % 2 == 0) {
      state.received = state.stamp = now;
      (void)inputs->joint_states.push(state);
    }
    // Cycles of 1000 ticks: the runner dies at 300, the pendant is pressed at 500 for ten ticks,
    // reset and arm are asked for again and again.
    const std::uint64_t phase = i % 1000;
    if (phase < 300 && phase % 4 == 0) {
      Chunk* chunk = chunks[(phase / 4) % 7];
      chunk->received = chunk->observation_stamp = now;
      chunk->epoch = kernel->status().epoch;
      chunk->sequence = ++sequence;
      chunk->timeline = i / 1000 + 1;
      inputs->chunk = chunk;
    }
    if (phase % 20 == 0 || (phase >= 500 && phase < 510)) {
      EStopLevel level;
      level.received = now;
      level.source.assign("pendant");
      level.asserted = phase >= 500 && phase < 510;
      (void)inputs->estops.push(level);
    }
    inputs->reset = phase % 50 == 20;
    inputs->arm = phase % 50 == 40;
    const Output& output = kernel->tick(now, *inputs);
    if (output.emit) {
      state.position = output.command.position;
      state.velocity = output.command.velocity;
    }
    // Latched: nothing is emitted, and the arm is carried back to where the chunks begin.
    if (phase == 600) {
      state.position = {0, 0, 0.04};
      state.velocity = {};
    }
    ++seen[static_cast<std::size_t>(kernel->status().state)];
  }
  g_watching = false;
  EXPECT_EQ(0u, g_events.load());
  for (const std::uint64_t ticks : seen) EXPECT_GT(ticks, 1000u);
  EXPECT_GT(kernel->status().chunks_admitted, 1000u);
  EXPECT_GT(kernel->status().chunks_refused, 1000u);
  EXPECT_GT(kernel->status().stops, 1000u);
  std::printf(
      "no_allocation: %llu ticks, %llu allocations, %llu admitted, %llu refused, %llu stops\n",
      static_cast<unsigned long long>(kTicks), static_cast<unsigned long long>(g_events.load()),
      static_cast<unsigned long long>(kernel->status().chunks_admitted),
      static_cast<unsigned long long>(kernel->status().chunks_refused),
      static_cast<unsigned long long>(kernel->status().stops));
}

// The modes of a tool and of torques, their refusals and stops, and the way back inside the limits.
TEST(NoAllocation, InEveryModeAndOnTheWayBack) {
  auto kernel = std::make_unique<Kernel>(duo::configuration(duo::raw_in_every_mode()), 0);
  duo::Rows arc;
  duo::Rows still;
  duo::Rows push;
  duo::Rows inward;
  for (int row = 0; row < 40; ++row) {
    const double speed = 0.05 * std::min({row, 4, 39 - row});
    arc.push_back(duo::planar_pose(duo::kShoulder + 0.002 * std::min(row, 30), duo::kElbow));
    still.push_back({0, row == 0 ? 0 : speed, 0, 0, 0, 0});
    push.push_back({0.5 * std::min({row, 2, 39 - row}), 0, 0});
    inward.push_back({2.05 - 0.002 * row, duo::kElbow, 0.04});
  }
  std::unique_ptr<Chunk> chunks[] = {duo::poses(arc),
                                     duo::cartesian(still, ControlMode::kCartesianTwist),
                                     duo::torques(push), duo::poses(arc), duo::chunk(inward)};
  chunks[3]->values[9] = std::nan("");
  auto inputs = std::make_unique<Inputs>();
  JointState state;
  state.complete = true;
  std::uint64_t modes[9] = {};
  std::uint64_t recovering = 0;
  std::uint64_t sequence = 0;
  Nanoseconds now = 0;
  constexpr std::uint64_t kTicks = 200'000;
  g_events = 0;
  g_watching = true;
  for (std::uint64_t i = 0; i < kTicks; ++i) {
    now += duo::kTick;
    // Cycles of 200 ticks, each with another chunk; the runner dies at 80, and the arm is carried
    // back to where the next one begins.
    const std::uint64_t phase = i % 200;
    const std::uint64_t cycle = i / 200 % 5;
    if (phase == 0) {
      state.position = {cycle == 4 ? 2.05 : duo::kShoulder, duo::kElbow, 0.04};
      state.velocity = {};
    }
    inputs->joint_states.clear();
    inputs->chunk = nullptr;
    state.received = state.stamp = now;
    (void)inputs->joint_states.push(state);
    inputs->reset = phase == 4;
    inputs->arm = phase == 6 && cycle != 4;
    inputs->arm_recovery = phase == 6 && cycle == 4;
    inputs->fault = phase == 199;
    if (phase >= 10 && phase < 80 && phase % 4 == 2) {
      Chunk* chunk = chunks[cycle].get();
      chunk->received = chunk->observation_stamp = now;
      chunk->epoch = kernel->status().epoch;
      chunk->sequence = ++sequence;
      chunk->timeline = i / 200 + 1;
      inputs->chunk = chunk;
    }
    const Output& output = kernel->tick(now, *inputs);
    recovering += kernel->status().recovery ? 1 : 0;
    if (!output.emit) continue;
    ++modes[static_cast<std::size_t>(output.command.mode)];
    if (output.command.mode == ControlMode::kJointTorque) {
      state.velocity[0] += output.command.position[0] * 0.005;
      state.position[0] += state.velocity[0] * 0.005;
    } else {
      duo::obey_poses(output.command, state);
    }
  }
  g_watching = false;
  EXPECT_EQ(0u, g_events.load());
  EXPECT_GT(modes[1], 1000u);
  EXPECT_GT(modes[3], 1000u);
  EXPECT_GT(modes[4], 1000u);
  EXPECT_GT(recovering, 1000u);
  EXPECT_GT(kernel->status().chunks_refused, 1000u);
}

// Chunks that are clear, near and in the way, worlds that come, change, break and stay away.
TEST(NoAllocation, InTicksWithCollisionsAndWorlds) {
  auto kernel = std::make_unique<Kernel>(duo::configuration(duo::raw_in_a_world()), 0);
  const std::vector<double> speeds = duo::trapezoid(1, 5);
  auto chunk = duo::chunk(duo::shoulder_rows(speeds));
  auto empty = duo::world();
  auto crate = duo::world_with(duo::world_box("crate", {1.8, 0.15, 0.1}, {0.2, 0.2, 0.2}));
  crate->payload[crate->payload_count++] = duo::world_capsule("rod", {0, 0, 0}, 0.05, 0.4);
  for (std::size_t i = 1; i < kMaxWorldBodies; ++i) {
    crate->bodies[crate->body_count++] =
        duo::world_box("far", {-1, 0.1 * static_cast<double>(i), 2}, {0.1, 0.1, 0.1});
  }
  auto broken = duo::world_with(duo::world_box("crate", {std::nan(""), 0, 0}, {1, 1, 1}));
  auto inputs = std::make_unique<Inputs>();
  JointState state;
  state.position = {0, 0, 0.04};
  state.complete = true;
  std::uint64_t collisions = 0;
  std::uint64_t faults = 0;
  std::uint64_t active = 0;
  std::uint64_t sequence = 0;
  Nanoseconds now = 0;
  g_events = 0;
  g_watching = true;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    now += duo::kTick;
    const std::uint64_t phase = i % 200;
    inputs->joint_states.clear();
    state.received = state.stamp = now;
    (void)inputs->joint_states.push(state);
    CollisionWorld* world = phase < 100 ? empty.get() : phase < 140 ? crate.get() : broken.get();
    inputs->world = phase % 4 == 0 && phase < 160 ? world : nullptr;
    world->received = world->stamp = now;
    // A motion of 0.028 rad from where the arm is, to and fro.
    if (i % 40 == 2) {
      chunk->timeline = i / 40 + 1;
      double shoulder = kernel->status().commanded[0];
      for (std::size_t row = 0; row < chunk->horizon; ++row) {
        if (row > 0) shoulder += (i % 80 < 40 ? 1 : -1) * speeds[row - 1] * duo::kDt;
        chunk->values[row * 3] = shoulder;
      }
    }
    inputs->chunk = phase % 4 == 2 ? chunk.get() : nullptr;
    chunk->received = chunk->observation_stamp = now;
    chunk->epoch = kernel->status().epoch;
    chunk->sequence = ++sequence;
    inputs->arm = phase == 1;
    const Output& output = kernel->tick(now, *inputs);
    if (output.emit) {
      state.position = output.command.position;
      state.velocity = output.command.velocity;
    }
    active += kernel->status().state == State::kActive ? 1 : 0;
    for (const Report& report : output.reports) {
      collisions += report.finding.reason == Reason::kCollision ? 1 : 0;
      faults += report.finding.reason == Reason::kWorldNotFinite ||
                        report.finding.reason == Reason::kWorldStale
                    ? 1
                    : 0;
    }
  }
  g_watching = false;
  EXPECT_EQ(0u, g_events.load());
  EXPECT_GT(collisions, 1000u);
  EXPECT_GT(faults, 1000u);
  EXPECT_GT(active, 0u);
}

// Every mode, every stop, latch and refusal that the fault matrix knows.
TEST(NoAllocation, InTheWholeFaultMatrix) {
  static std::uint64_t ticks = 0;
  duo::FaultRig::watch = [](bool on) {
    g_watching = on;
    if (on) ++ticks;
  };
  g_events = 0;
  for (const duo::Fault& fault : duo::all_faults()) {
    for (const ControlMode mode : duo::kPlayedModes) {
      for (const duo::Phase phase : duo::kPhases) {
        duo::FaultRig rig(mode, phase);
        rig.run(&fault.tampering);
        ASSERT_EQ(0u, g_events.load()) << fault.name;
      }
    }
  }
  duo::FaultRig::watch = nullptr;
  EXPECT_GT(ticks, 500'000u);
  std::printf("no_allocation: %llu ticks of the fault matrix, %llu allocations\n",
              static_cast<unsigned long long>(ticks),
              static_cast<unsigned long long>(g_events.load()));
}

}  // namespace
}  // namespace openral::safety
