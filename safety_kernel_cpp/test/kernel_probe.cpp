// Lets tests of other makers ask the kernel's core, under the parameters that the node would read.
//
//   kernel_probe forward --ros-args --params-file panda.yaml ...   < joint positions, one a line
//     prints the tool's position and rotation matrix, 12 numbers a line
//   kernel_probe nearest --ros-args ...   < joint positions, one a line
//     prints the least distance of two bodies and their names
//   kernel_probe header --ros-args ...
//     prints the header of a record, which `kernel_replay --live` makes a kernel of
//   kernel_probe play --ros-args ...   < timelines: dt, rows, then rows x joints, one a line
//     sends each at 50 Hz to a kernel with a robot that follows at once, and prints every refusal
//     and stop, then "rest" or the state that the kernel ended in
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../core/collision_scene.hpp"
#include "../core/kernel.hpp"
#include "../core/kinematic_chain.hpp"
#include "../record/header.hpp"
#include "../src/conversion.hpp"
#include "../src/parameters.hpp"
#include "nearest_pair.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {
namespace {

constexpr std::size_t kWindow = 32;  // rows of a chunk, as the skill runner sends

std::vector<double> numbers_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<double> numbers;
  for (double number = 0; stream >> number;) numbers.push_back(number);
  return numbers;
}

JointArray joints_of(const std::vector<double>& numbers, std::size_t first, std::size_t count) {
  JointArray joints{};
  for (std::size_t j = 0; j < count && first + j < numbers.size(); ++j) {
    joints[j] = numbers[first + j];
  }
  return joints;
}

void print_forward(const Configuration& configuration) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto numbers = numbers_of(line);
    const ChainPose pose =
        forward(configuration.arm.chain, joints_of(numbers, 0, configuration.joint_count));
    for (const double value : pose.tool()) std::printf("%.17g ", value);
    for (const auto& row : pose.rotation) {
      for (const double value : row) std::printf("%.17g ", value);
    }
    std::printf("\n");
  }
}

void print_nearest(const Configuration& configuration) {
  const auto scene = std::make_unique<CollisionScene>(configuration);
  const auto name = [&](std::int16_t body) {
    return std::string(scene->body(static_cast<std::size_t>(body)).name.view());
  };
  for (std::string line; std::getline(std::cin, line);) {
    const Finding found = nearest_pair(*scene, configuration.arm.chain,
                                       joints_of(numbers_of(line), 0, configuration.joint_count));
    std::printf("%.9g %s %s\n", found.value, name(found.body).c_str(), name(found.other).c_str());
  }
}

// One timeline on a kernel of its own, which begins where the timeline does.
void play(const Configuration& configuration, const std::vector<double>& numbers) {
  const std::size_t width = configuration.joint_count;
  const auto rows = static_cast<std::size_t>(numbers.at(1));
  if (numbers.size() != 2 + rows * width) {
    std::printf("bad timeline\n");
    return;
  }
  const auto kernel = std::make_unique<Kernel>(configuration, 0);
  const auto chunk = std::make_unique<Chunk>();
  chunk->robot = configuration.robot;
  chunk->configuration_hash = configuration.hash;
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointPosition);
  chunk->dt = numbers[0];
  chunk->timeline = 1;
  chunk->name_count = width;
  for (std::size_t j = 0; j < width; ++j) chunk->joint_names[j] = configuration.joints[j];
  JointState state;
  state.complete = true;
  state.position = joints_of(numbers, 2, width);
  const auto period = static_cast<std::size_t>(chunk->dt / configuration.tick_seconds() + 0.5);
  Nanoseconds now = 0;
  const std::size_t ticks = (rows + 50) * period;
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    now += configuration.times.tick;
    Inputs inputs;
    state.stamp = state.received = now;
    (void)inputs.joint_states.push(state);
    inputs.arm = tick == 1;
    const Status& status = kernel->status();
    const bool listens = status.state == State::kHolding || status.state == State::kActive;
    if (tick > 2 && tick % period == 0 && listens &&
        (chunk->sequence == 0 || status.state == State::kActive)) {
      const bool begun = status.timeline == 1;
      const auto played = begun ? static_cast<std::size_t>(status.consumed_row) : 0;
      const std::size_t first = played > 2 ? played - 2 : 0;
      const std::size_t count = std::min(kWindow, rows - first);
      chunk->first_row = first;
      chunk->horizon = count;
      chunk->last = first + count == rows;
      chunk->received = chunk->observation_stamp = now;
      chunk->epoch = status.epoch;
      ++chunk->sequence;
      chunk->value_count = count * width;
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(2 + first * width),
                  chunk->value_count, chunk->values.begin());
      inputs.chunk = chunk.get();
    }
    const Output& output = kernel->tick(now, inputs);
    for (const Report& report : output.reports) {
      std::printf("%s; ", explain(report.finding, report.bodies, configuration).c_str());
    }
    if (!output.emit) continue;
    state.position = output.command.position;
    state.velocity = output.command.velocity;
  }
  bool arrived = kernel->status().state == State::kHolding;
  const JointArray end = joints_of(numbers, 2 + (rows - 1) * width, width);
  for (std::size_t j = 0; j < width; ++j) arrived = arrived && state.position[j] == end[j];
  std::printf("%s\n", arrived ? "rest" : std::string(state_name(kernel->status().state)).c_str());
}

int probe(const std::string& what) {
  const auto node = std::make_shared<rclcpp::Node>("safety_kernel");
  Configuration configuration;
  LoopOptions options;
  RecordHeader header;
  read_parameters(*node, configuration, options, &header.raw);
  if (what == "header") {
    for (const auto& line : header_lines(header, configuration.hash)) {
      std::printf("%s\n", line.c_str());
    }
    return 0;
  }
  if (what == "forward") {
    print_forward(configuration);
    return 0;
  }
  if (what == "nearest") {
    print_nearest(configuration);
    return 0;
  }
  if (what != "play") {
    std::fprintf(stderr, "kernel_probe: '%s', valid: forward, header, nearest, play\n",
                 what.c_str());
    return 2;
  }
  for (std::string line; std::getline(std::cin, line);) play(configuration, numbers_of(line));
  return 0;
}

}  // namespace
}  // namespace openral::safety

int main(int argc, char** argv) {
  int code = 2;
  try {
    rclcpp::init(argc, argv);
    code = openral::safety::probe(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_probe: %s\n", error.what());
  }
  rclcpp::shutdown();
  return code;
}
