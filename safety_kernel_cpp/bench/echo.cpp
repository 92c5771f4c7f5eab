// The least that can stand between `candidate_action` and `motor_command`: takes a chunk, sends its
// second row. What the kernel's topics are measured against.
//
//   kernel_echo          sends at once
//   kernel_echo --tick   sends the newest at the next tick of 5 ms, as a time-triggered loop must
//
// Runs under the scheduling of the kernel, so that nothing but the kernel's work differs.
#include <openral_msgs/msg/action_chunk.hpp>
#include <openral_msgs/msg/motor_command.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>

#include "../core/spsc_queue.hpp"
#include "../src/realtime.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {
namespace {

using openral_msgs::msg::ActionChunk;
using openral_msgs::msg::MotorCommand;

constexpr Nanoseconds kPeriod = 5'000'000;
constexpr int kPriority = 78;

void write(const ActionChunk& chunk, MotorCommand& command) {
  const std::size_t width = chunk.joint_names.size();
  command.epoch = chunk.epoch;
  ++command.sequence;
  command.control_mode = chunk.control_mode;
  command.joint_names.assign(chunk.joint_names.begin(), chunk.joint_names.end());
  const auto row = chunk.rows.begin() + static_cast<std::ptrdiff_t>(width);
  command.values.assign(row, row + static_cast<std::ptrdiff_t>(width));
  command.velocities.assign(width, 0.0);
  const Nanoseconds now = system_now();
  command.header.stamp.sec = static_cast<std::int32_t>(now / 1'000'000'000);
  command.header.stamp.nanosec = static_cast<std::uint32_t>(now % 1'000'000'000);
}

struct Slot {
  MotorCommand command = MotorCommand();
};

class Echo {
 public:
  explicit Echo(bool ticks) : node_(std::make_shared<rclcpp::Node>("kernel_echo")) {
    commands_ = node_->create_publisher<MotorCommand>("motor_command", rclcpp::QoS(1).reliable());
    chunks_ =
        node_->create_subscription<ActionChunk>("candidate_action", rclcpp::QoS(1).reliable(),
                                                [](const std::shared_ptr<const ActionChunk>&) {});
    wait_set_.add_subscription(chunks_);
    (void)lock_memory();
    (void)make_all_threads_realtime(kPriority);
    if (ticks) loop_ = std::thread([this] { tick(); });
  }
  ~Echo() {
    stop_.store(true);
    if (loop_.joinable()) loop_.join();
  }

  void spin() {
    rclcpp::MessageInfo info;
    while (rclcpp::ok()) {
      [[maybe_unused]] const auto waited = wait_set_.wait(std::chrono::milliseconds(20));
      if (!chunks_->take(chunk_, info) || chunk_.rows.size() < 2 * chunk_.joint_names.size()) {
        continue;
      }
      if (!loop_.joinable()) {
        write(chunk_, command_);
        commands_->publish(command_);
      } else if (Slot* slot = queue_.back()) {
        write(chunk_, slot->command);
        queue_.push();
      }
    }
  }

 private:
  void tick() {
    (void)make_realtime(kPriority + 1);
    for (Nanoseconds scheduled = monotonic_now() + kPeriod; !stop_.load(); scheduled += kPeriod) {
      sleep_until(scheduled);
      const Slot* slot = queue_.front();
      if (slot == nullptr) continue;
      command_ = slot->command;
      queue_.pop();
      const Nanoseconds now = system_now();
      command_.header.stamp.sec = static_cast<std::int32_t>(now / 1'000'000'000);
      command_.header.stamp.nanosec = static_cast<std::uint32_t>(now % 1'000'000'000);
      commands_->publish(command_);
    }
  }

  std::shared_ptr<rclcpp::Node> node_;
  rclcpp::Publisher<MotorCommand>::SharedPtr commands_;
  rclcpp::Subscription<ActionChunk>::SharedPtr chunks_;
  rclcpp::WaitSet wait_set_;
  ActionChunk chunk_;
  MotorCommand command_;
  SpscQueue<Slot, 4> queue_;
  std::atomic<bool> stop_{false};
  std::thread loop_;
};

}  // namespace
}  // namespace openral::safety

int main(int argc, char** argv) {
  int code = 0;
  try {
    rclcpp::init(argc, argv);
    openral::safety::Echo echo(argc > 1 && std::strcmp(argv[1], "--tick") == 0);
    echo.spin();
  } catch (const std::exception& error) {
    if (rclcpp::ok()) {
      std::fprintf(stderr, "kernel_echo: %s\n", error.what());
      code = 1;
    }
  }
  rclcpp::shutdown();
  return code;
}
