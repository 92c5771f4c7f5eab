// From a chunk on `candidate_action` to the `motor_command` that carries its row: the runner and
// the robot in one program, so that one clock times both ends.
//
//   topic_latency SAMPLES --ros-args ...
//
// Waits until commands flow, or `--echo` tells that they will not before the first chunk. Prints a
// line a sample: latency, time from the publication to the command's own stamp [us].
#include <openral_msgs/msg/action_chunk.hpp>
#include <openral_msgs/msg/kernel_status.hpp>
#include <openral_msgs/msg/motor_command.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../src/realtime.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {
namespace {

using openral_msgs::msg::ActionChunk;
using openral_msgs::msg::KernelStatus;
using openral_msgs::msg::MotorCommand;
using sensor_msgs::msg::JointState;

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr std::size_t kRows = 12;  // 55 ms, so that the one chunk does not grow stale on the way
constexpr double kStep = 1e-6;     // [rad] that a chunk moves one joint
constexpr int kPriority = 70;
constexpr Nanoseconds kPatience = 60'000 * kMillisecond;

builtin_interfaces::msg::Time stamp(Nanoseconds time) {
  builtin_interfaces::msg::Time message;
  message.sec = static_cast<std::int32_t>(time / 1'000'000'000);
  message.nanosec = static_cast<std::uint32_t>(time % 1'000'000'000);
  return message;
}

class Driver {
 public:
  Driver(int samples, bool echo)
      : samples_(samples), echo_(echo), node_(std::make_shared<rclcpp::Node>("topic_latency")) {
    chunks_ = node_->create_publisher<ActionChunk>("candidate_action", rclcpp::QoS(1).reliable());
    states_ = node_->create_publisher<JointState>("joint_states", rclcpp::QoS(5).best_effort());
    commands_ =
        node_->create_subscription<MotorCommand>("motor_command", rclcpp::QoS(1).reliable(),
                                                 [](const std::shared_ptr<const MotorCommand>&) {});
    status_ = node_->create_subscription<KernelStatus>(
        "kernel_status", rclcpp::QoS(1).reliable().transient_local(),
        [](const std::shared_ptr<const KernelStatus>&) {});
    wait_set_.add_subscription(commands_);
    wait_set_.add_subscription(status_);
    (void)make_all_threads_realtime(kPriority);
    for (int i = 1; i <= 7; ++i) names_.push_back("panda_joint" + std::to_string(i));
    names_.push_back("panda_finger_joint1");
    position_ = {0.0, -0.9, 0.0, -2.4, 0.0, 1.6, 0.785, 0.04};
  }

  int run() {
    const Nanoseconds begin = monotonic_now();
    Nanoseconds next_state = begin;
    Nanoseconds next_chunk = begin + 1'000 * kMillisecond;
    int measured = 0;
    while (rclcpp::ok() && measured < samples_) {
      const Nanoseconds now = monotonic_now();
      if (now - begin > kPatience + samples_ * 200 * kMillisecond) return 1;
      if (now >= next_state) {
        publish_state();
        next_state += 10 * kMillisecond;
      }
      if (now >= next_chunk) {
        next_chunk = now + 100 * kMillisecond + phase_(random_);
        if (echo_ || holding_) publish_chunk();
      }
      const Nanoseconds wait = std::min(next_state, next_chunk) - monotonic_now();
      [[maybe_unused]] const auto waited =
          wait_set_.wait(std::chrono::nanoseconds(std::max<Nanoseconds>(wait, 0)));
      measured += take() ? 1 : 0;
    }
    return rclcpp::ok() ? 0 : 1;
  }

 private:
  void publish_state() {
    JointState state;
    stamp_ = stamp(system_now());
    state.header.stamp = stamp_;
    state.name = names_;
    state.position = position_;
    state.velocity.assign(names_.size(), 0.0);
    states_->publish(state);
  }

  void publish_chunk() {
    ActionChunk chunk;
    chunk.observation_stamp = stamp_;
    chunk.skill_id = "latency";
    chunk.robot = "panda";
    chunk.configuration_hash = hash_;
    chunk.epoch = epoch_;
    chunk.sequence = 1;
    chunk.timeline = ++timeline_;
    chunk.control_mode = ActionChunk::JOINT_POSITION;
    chunk.last = true;
    chunk.dt = 0.005;
    chunk.joint_names.assign(names_.begin(), names_.end());
    chunk.horizon = kRows;
    auto row = position_;
    for (std::size_t r = 0; r < kRows; ++r) {
      if (r == 1) row[0] += timeline_ % 2 == 0 ? kStep : -kStep;
      chunk.rows.insert(chunk.rows.end(), row.begin(), row.end());
    }
    expected_ = row[0];
    waits_ = true;
    sent_system_ = system_now();
    sent_ = monotonic_now();
    chunks_->publish(chunk);
  }

  // True if the command of the last chunk came.
  bool take() {
    rclcpp::MessageInfo info;
    if (status_->take(status_message_, info)) {
      holding_ = status_message_.state == KernelStatus::HOLDING;
      epoch_ = status_message_.epoch;
      hash_ = status_message_.configuration_hash;
      timeline_ = std::max(timeline_, status_message_.timeline);
    }
    if (!commands_->take(command_, info)) return false;
    const Nanoseconds now = monotonic_now();
    if (command_.values.size() != position_.size()) return false;
    position_.assign(command_.values.begin(), command_.values.end());
    if (!waits_ || command_.values[0] != expected_) return false;
    waits_ = false;
    const Nanoseconds tick = static_cast<Nanoseconds>(command_.header.stamp.sec) * 1'000'000'000 +
                             command_.header.stamp.nanosec;
    std::printf("%.1f %.1f\n", static_cast<double>(now - sent_) * 1e-3,
                static_cast<double>(tick - sent_system_) * 1e-3);
    return true;
  }

  int samples_;
  bool echo_;
  std::shared_ptr<rclcpp::Node> node_;
  rclcpp::Publisher<ActionChunk>::SharedPtr chunks_;
  rclcpp::Publisher<JointState>::SharedPtr states_;
  rclcpp::Subscription<MotorCommand>::SharedPtr commands_;
  rclcpp::Subscription<KernelStatus>::SharedPtr status_;
  rclcpp::WaitSet wait_set_;
  std::vector<std::string> names_;
  std::vector<double> position_;
  builtin_interfaces::msg::Time stamp_;
  KernelStatus status_message_;
  MotorCommand command_;
  bool holding_ = false;
  std::uint64_t epoch_ = 0;
  std::uint64_t hash_ = 0;
  std::uint64_t timeline_ = 0;
  double expected_ = 0;
  bool waits_ = false;
  Nanoseconds sent_ = 0;
  Nanoseconds sent_system_ = 0;
  std::mt19937 random_{1};
  // Over a whole tick, so that no phase is preferred.
  std::uniform_int_distribution<Nanoseconds> phase_{0, 5 * kMillisecond};
};

}  // namespace
}  // namespace openral::safety

int main(int argc, char** argv) {
  int code = 1;
  const int samples = argc > 1 ? std::atoi(argv[1]) : 0;
  if (samples < 1) {
    std::fprintf(stderr, "usage: topic_latency SAMPLES [--echo]\n");
    return 2;
  }
  try {
    rclcpp::init(argc, argv);
    code = openral::safety::Driver(samples, argc > 2 && std::strcmp(argv[2], "--echo") == 0).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "topic_latency: %s\n", error.what());
  }
  rclcpp::shutdown();
  return code;
}
