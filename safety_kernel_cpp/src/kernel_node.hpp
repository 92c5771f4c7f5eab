// The ROS shell of the safety kernel: topics, services and threads; no policy.
#pragma once

#include <atomic>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <openral_msgs/msg/action_chunk.hpp>
#include <openral_msgs/msg/collision_world.hpp>
#include <openral_msgs/msg/e_stop.hpp>
#include <openral_msgs/msg/failure_trigger.hpp>
#include <openral_msgs/msg/kernel_status.hpp>
#include <openral_msgs/msg/motor_command.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sensor_msgs/msg/range.hpp>
#include <std_srvs/srv/trigger.hpp>

#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "authority.hpp"
#include "control_loop.hpp"
#include "inbox.hpp"
#include "log.hpp"
#include "outbox.hpp"
#include "parameters.hpp"
#include "publication_gaps.hpp"
#include "rclcpp/rclcpp.hpp"
#include "recorder.hpp"

namespace openral::safety {

// Three threads that matter: the middleware (the caller of spin) takes messages, answers the
// services and fills the inbox; the loop ticks; the publisher empties the outbox into the
// middleware. Only the loop is timed, and it calls nothing of ROS. Two more may wait: the one that
// logs, and the one that records.
class KernelNode {
 public:
  // Throws ParameterError.
  explicit KernelNode(const std::shared_ptr<rclcpp::Node>& node);
  ~KernelNode();
  KernelNode(const KernelNode&) = delete;
  KernelNode& operator=(const KernelNode&) = delete;

  // Takes messages until `end` is true. Whatever the middleware fails in latches the kernel
  // and is tried again: its loop goes on to brake and to tell.
  void spin(const std::atomic<bool>& end);

 private:
  using Trigger = std_srvs::srv::Trigger;

  // Where an operator's request waits for the loop's answer. A second one meanwhile is answered at
  // once. A service may be used by one thread at a time: all of this is the middleware thread's.
  struct Desk {
    Request& loop;
    std::string done;  // what a success is told as
    rclcpp::Service<Trigger>::SharedPtr service{};
    rmw_request_id_t request{};
    bool waiting = false;
  };

  void turn();
  void take_chunks();
  void take_velocity_commands();
  void take_separations();
  void note_lost_separation(Nanoseconds now);
  void take_worlds();
  void take_joint_states();
  void take_estops();
  void take_foreign_commands();
  void serve(Desk& desk);
  void answer(Desk& desk, const Reply& reply);
  void watch_authority();

  void publish_all();
  bool publish_next();
  void publish_command(const Letter& letter);
  void publish_status(const Letter& letter);
  void publish_report(const DatedReport& report);
  // The middleware failed in one of the threads: told at most once a second.
  void note_failure(Log::From from, const std::exception& error, Nanoseconds& told);

  std::shared_ptr<rclcpp::Node> node_;
  Configuration configuration_;
  LoopOptions options_;
  Inbox inbox_;
  Outbox outbox_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Log> log_;
  std::unique_ptr<Recorder> recorder_;  // null: nothing is recorded
  std::unique_ptr<ControlLoop> loop_;

  rclcpp::Publisher<openral_msgs::msg::MotorCommand>::SharedPtr commands_;
  rclcpp::Publisher<openral_msgs::msg::KernelStatus>::SharedPtr status_;
  rclcpp::Publisher<openral_msgs::msg::FailureTrigger>::SharedPtr failures_;
  rclcpp::Subscription<openral_msgs::msg::ActionChunk>::SharedPtr chunks_;
  // Only for a robot with a base.
  rclcpp::Subscription<geometry_msgs::msg::TwistStamped>::SharedPtr velocity_commands_;
  // Only where a separation is monitored.
  rclcpp::Subscription<sensor_msgs::msg::Range>::SharedPtr separations_;
  // Only where a changing world is required.
  rclcpp::Subscription<openral_msgs::msg::CollisionWorld>::SharedPtr worlds_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joint_states_;
  rclcpp::Subscription<openral_msgs::msg::EStop>::SharedPtr estops_;
  rclcpp::Subscription<openral_msgs::msg::MotorCommand>::SharedPtr foreign_commands_;
  Desk arm_{inbox_.arm, "armed"};
  Desk arm_recovery_{inbox_.arm_recovery, "armed for the way back inside only"};
  Desk reset_{inbox_.reset, "reset; kernel/arm is next"};
  rclcpp::WaitSet wait_set_;
  std::unique_ptr<Authority> candidate_authority_;
  std::unique_ptr<Authority> command_authority_;
  std::unique_ptr<Authority> velocity_authority_;
  // Of these, others may offer the topic: a gripper's driver tells of its own joints.
  Senders state_senders_;
  Senders world_senders_;
  PublicationGaps estop_gaps_;
  Nanoseconds authority_watched_ = 0;
  Nanoseconds foreign_command_heard_ = 0;
  Nanoseconds taking_failure_told_ = 0;
  Nanoseconds separation_loss_told_ = 0;

  // Preallocated: taking and publishing reuse their memory.
  openral_msgs::msg::ActionChunk chunk_message_;
  geometry_msgs::msg::TwistStamped velocity_message_;
  sensor_msgs::msg::Range separation_message_;
  openral_msgs::msg::CollisionWorld world_message_;
  sensor_msgs::msg::JointState joint_state_message_;
  openral_msgs::msg::EStop estop_message_;
  openral_msgs::msg::MotorCommand foreign_message_;
  openral_msgs::msg::MotorCommand command_message_;
  openral_msgs::msg::KernelStatus status_message_;
  openral_msgs::msg::FailureTrigger failure_message_;

  // Of the publishing thread.
  bool realtime_refused_ = false;  // and said so
  std::uint64_t commands_lapsed_ = 0;
  Nanoseconds publishing_failure_told_ = 0;

  std::atomic<bool> stop_publishing_{false};
  std::thread loop_thread_;
  std::thread publish_thread_;
};

}  // namespace openral::safety
