// Processor times of the kernel's core under the node's own parameters: `name value unit`, one a
// line.
//
//   kernel_bench --ros-args --params-file panda.yaml --params-file safety_kernel.yaml
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "../core/admission.hpp"
#include "../core/collision_guard.hpp"
#include "../core/kernel.hpp"
#include "../src/parameters.hpp"
#include "naive_checker.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {
namespace {

constexpr double kDt = 0.02;  // [s] between rows, as the skill runner sends them
constexpr int kRuns = 2000;

class Times {
 public:
  template <typename F>
  void measure(F&& work) {
    const Nanoseconds begin = used();
    work();
    times_.push_back(static_cast<double>(used() - begin) * 1e-3);
  }
  [[nodiscard]] double quantile(double q) {
    std::sort(times_.begin(), times_.end());
    return times_[static_cast<std::size_t>(q * static_cast<double>(times_.size() - 1))];
  }
  void print(const std::string& name) {
    std::printf("%s_p50 %.3f us\n%s_p99 %.3f us\n", name.c_str(), quantile(0.5), name.c_str(),
                quantile(0.99));
  }

 private:
  // Of this thread: what other programs on a busy machine take is not the kernel's.
  [[nodiscard]] static Nanoseconds used() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  }
  std::vector<double> times_;
};

// All joints but the gripper's go back and forth evenly and slowly about `home`, which keeps every
// limit.
void fill(const Configuration& configuration, const JointArray& home, std::size_t first,
          std::size_t rows, Chunk& chunk) {
  const std::size_t width = configuration.joint_count;
  chunk.robot = configuration.robot;
  chunk.configuration_hash = configuration.hash;
  chunk.control_mode = static_cast<std::uint8_t>(ControlMode::kJointPosition);
  chunk.dt = kDt;
  chunk.horizon = rows;
  chunk.name_count = width;
  for (std::size_t j = 0; j < width; ++j) chunk.joint_names[j] = configuration.joints[j];
  chunk.value_count = rows * width;
  for (std::size_t r = 0; r < rows; ++r) {
    const double phase = static_cast<double>(first + r) * kDt * 2;  // [rad], 1 / pi Hz
    for (std::size_t j = 0; j < width; ++j) {
      const bool gripper = j + configuration.gripper_count >= width;
      chunk.values[r * width + j] = home[j] + (gripper ? 0 : 0.02 * (1 - std::cos(phase)));
    }
  }
}

naive::Matrix rows_of(const Chunk& chunk, std::size_t width) {
  naive::Matrix rows;
  for (std::size_t r = 0; r < chunk.horizon; ++r) {
    rows.emplace_back();
    for (std::size_t c = 0; c < width; ++c) rows.back().push_back(chunk.at(r, width, c));
  }
  return rows;
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "kernel_bench: %s\n", what);
  std::exit(1);
}

void admission(const Configuration& configuration, const std::vector<naive::Joint>& chain,
               const std::vector<double>& tool, const JointArray& home) {
  const auto chunk = std::make_unique<Chunk>();
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  const auto collision = std::make_unique<CollisionGuard>(configuration);
  for (const std::size_t rows : {std::size_t{16}, std::size_t{100}, std::size_t{1000}}) {
    fill(configuration, home, 0, rows, *chunk);
    const naive::Matrix values = rows_of(*chunk, configuration.joint_count);
    Times kernel;
    Times reference;
    bool admitted = true;
    // In turn, so that both see the same machine.
    for (int run = 0; run < kRuns / (rows > 500 ? 20 : 1); ++run) {
      kernel.measure([&] {
        admitted = admitted && check_shape(configuration, *chunk).ok() &&
                   check_rows(configuration, *chunk, columns, home).ok() &&
                   collision->check_chunk(*chunk, columns, 0, home).ok();
      });
      reference.measure(
          [&] { admitted = admitted && naive::admits(configuration, chain, tool, values, kDt); });
    }
    require(admitted, "the measured chunk was refused");
    kernel.print("admit_" + std::to_string(rows));
    reference.print("naive_" + std::to_string(rows));
  }
}

// A world as full as a message can be: boxes in a ring about the base, out of the arm's way.
void fill(const Configuration& configuration, CollisionWorld& world) {
  world.frame = configuration.collision.world_frame;
  world.body_count = kMaxWorldBodies;
  for (std::size_t i = 0; i < kMaxWorldBodies; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / kMaxWorldBodies;
    WorldBody& body = world.bodies[i];
    body.shape = kWorldBox;
    body.position = {0.95 * std::cos(angle), 0.95 * std::sin(angle), 0.2};
    body.orientation = {0, 0, std::sin(angle / 2), std::cos(angle / 2)};
    body.size = {0.1, 0.1, 0.4};
  }
}

// Chunks of 16 rows where collision has the most to do: the fingers near the table, and a full
// world, which is new with every chunk.
void collision(Configuration configuration, const JointArray& home) {
  configuration.collision.world_required = true;
  configuration.collision.world_frame.assign("base");
  const auto chunk = std::make_unique<Chunk>();
  const auto world = std::make_unique<CollisionWorld>();
  const auto guard = std::make_unique<CollisionGuard>(configuration);
  const Columns columns = columns_of(configuration, ControlMode::kJointPosition);
  JointArray low = {0, 0.38, 0, -2.2, 0, 2.4, 0.785};
  low[7] = home[7];
  fill(configuration, *world);
  Times near_table;
  Times full_world;
  Times new_world;
  bool clear = true;
  for (int run = 0; run < kRuns; ++run) {
    fill(configuration, low, static_cast<std::size_t>(run % 60), 16, *chunk);
    JointArray base = low;
    for (std::size_t c = 0; c < columns.width; ++c) base[c] = chunk->at(0, columns.width, c);
    near_table.measure([&] { clear = clear && guard->check_chunk(*chunk, columns, 0, base).ok(); });
  }
  require(clear, "the motion near the table was refused");
  fill(configuration, home, 0, 16, *chunk);
  for (int run = 0; run < kRuns; ++run) {
    ++world->stamp;
    new_world.measure([&] { guard->hear(*world); });
    full_world.measure([&] { clear = clear && guard->check_chunk(*chunk, columns, 0, home).ok(); });
  }
  require(clear, "the motion in a full world was refused");
  near_table.print("collision_16_near_table");
  full_world.print("collision_16_full_world");
  new_world.print("new_full_world");
}

// Ticks of a kernel in motion; with `flood`, every queue is full at every tick.
void ticks(const Configuration& configuration, const JointArray& home, bool flood) {
  const auto kernel = std::make_unique<Kernel>(configuration, 0);
  const auto window = std::make_unique<Chunk>();
  const auto garbage = std::make_unique<Chunk>();
  JointState state;
  state.complete = true;
  state.position = home;
  EStopLevel level;
  level.source.assign("pendant");
  Times plain;
  Times with_chunk;
  Nanoseconds now = 0;
  for (int tick = 0; tick < 4 * kRuns; ++tick) {
    now += configuration.times.tick;
    Inputs inputs;
    state.stamp = state.received = now;
    (void)inputs.joint_states.push(state);
    JointState broken = state;
    broken.complete = false;
    while (flood && inputs.joint_states.push(broken)) {
    }
    level.received = now;
    while (flood && inputs.estops.push(level)) {
    }
    inputs.arm = tick == 1;
    const Status& status = kernel->status();
    const bool sends = tick > 4 && tick % 4 == 0;
    if (sends) {
      const bool begun = status.timeline == 1;
      const auto played = begun ? static_cast<std::size_t>(status.consumed_row) : 0;
      const std::size_t first = played > 2 ? played - 2 : 0;
      fill(configuration, home, first, 16, *window);
      window->first_row = first;
      window->timeline = 1;
      window->received = window->observation_stamp = now;
      window->epoch = status.epoch;
      ++window->sequence;
      inputs.chunk = window.get();
    } else if (flood) {
      garbage->control_mode = 0;
      inputs.chunk = garbage.get();
    }
    (sends ? with_chunk : plain).measure([&] {
      const Output& output = kernel->tick(now, inputs);
      if (!output.emit) return;
      state.position = output.command.position;
      state.velocity = output.command.velocity;
    });
  }
  require(kernel->status().state == State::kActive, "the measured motion was stopped");
  plain.print(flood ? "flooded_tick" : "tick");
  with_chunk.print(flood ? "flooded_tick_with_chunk" : "tick_with_chunk");
}

void bench() {
  const auto node = std::make_shared<rclcpp::Node>("safety_kernel");
  Configuration configuration;
  LoopOptions options;
  read_parameters(*node, configuration, options);
  const auto& given = node->get_node_parameters_interface()->get_parameter_overrides();
  const auto numbers = [&](const std::string& name) {
    return given.at("robot." + name).get<std::vector<double>>();
  };
  const auto values = numbers("home");
  JointArray home{};
  std::copy(values.begin(), values.end(), home.begin());
  std::vector<naive::Joint> chain;
  for (const ChainJoint& joint : configuration.arm.chain.joints) {
    const std::string prefix =
        "arm.chain." + std::string(configuration.joints[joint.joint].view()) + ".";
    chain.push_back({numbers(prefix + "xyz"), numbers(prefix + "rpy")});
  }
  admission(configuration, chain, numbers("arm.tool_xyz"), home);
  collision(configuration, home);
  ticks(configuration, home, false);
  ticks(configuration, home, true);
}

}  // namespace
}  // namespace openral::safety

int main(int argc, char** argv) {
  int code = 0;
  try {
    rclcpp::init(argc, argv);
    openral::safety::bench();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_bench: %s\n", error.what());
    code = 1;
  }
  rclcpp::shutdown();
  return code;
}
