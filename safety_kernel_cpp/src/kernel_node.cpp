#include "kernel_node.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "conversion.hpp"
#include "realtime.hpp"

namespace openral::safety {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;
// Two looks at the graph fit into the 20 ticks after which a second publisher must have latched the
// kernel.
constexpr Nanoseconds kAuthorityPeriod = 40 * kMillisecond;
constexpr Nanoseconds kForeignMemory = 1000 * kMillisecond;
// As many e-stop messages as the queue to the loop holds.
constexpr std::size_t kEstopDepth = 64;
constexpr Nanoseconds kSecondNs = 1000 * kMillisecond;
// What fails at once would fail again at once, with the priority of the thread that hears the
// e-stop.
constexpr Nanoseconds kFailurePause = 5 * kMillisecond;

// Microseconds since 1970: while the clock is not set back, no run of the kernel begins in an epoch
// that an earlier one reached; and if it is, hardly in the same microsecond.
std::uint64_t first_epoch() { return static_cast<std::uint64_t>(system_now() / 1000); }

// rclcpp's own callbacks for events, as that of a publisher whose QoS does not fit, need an
// executor: without one an event stays ready, and the wait set would never wait again.
rclcpp::SubscriptionOptions messages_only() {
  rclcpp::SubscriptionOptions options;
  options.use_default_callbacks = false;
  return options;
}

}  // namespace

KernelNode::KernelNode(const std::shared_ptr<rclcpp::Node>& node) : node_(node) {
  RecordHeader record;
  read_parameters(*node_, configuration_, options_, &record.raw);
  const RecordOptions record_options = read_record_options(*node_);
  refuse_unread_parameters(*node_);
  record.first_epoch = first_epoch();
  kernel_ = std::make_unique<Kernel>(configuration_, record.first_epoch);

  commands_ = node_->create_publisher<openral_msgs::msg::MotorCommand>("motor_command",
                                                                       rclcpp::QoS(1).reliable());
  status_ = node_->create_publisher<openral_msgs::msg::KernelStatus>(
      "kernel_status", rclcpp::QoS(1).reliable().transient_local());
  failures_ = node_->create_publisher<openral_msgs::msg::FailureTrigger>(
      "failure/safety", rclcpp::QoS(50).reliable());

  // Messages are taken from the wait set; a callback would need an executor and its allocations.
  chunks_ = node_->create_subscription<openral_msgs::msg::ActionChunk>(
      "candidate_action", rclcpp::QoS(1).reliable(),
      [](const std::shared_ptr<const openral_msgs::msg::ActionChunk>&) {}, messages_only());
  joint_states_ = node_->create_subscription<sensor_msgs::msg::JointState>(
      "joint_states", rclcpp::QoS(5).best_effort(),
      [](const std::shared_ptr<const sensor_msgs::msg::JointState>&) {}, messages_only());
  estops_ = node_->create_subscription<openral_msgs::msg::EStop>(
      "estop", rclcpp::QoS(kEstopDepth).reliable(),
      [](const std::shared_ptr<const openral_msgs::msg::EStop>&) {}, messages_only());
  rclcpp::SubscriptionOptions others_only = messages_only();
  others_only.ignore_local_publications = true;
  foreign_commands_ = node_->create_subscription<openral_msgs::msg::MotorCommand>(
      "motor_command", rclcpp::QoS(1).reliable(),
      [](const std::shared_ptr<const openral_msgs::msg::MotorCommand>&) {}, others_only);
  const auto unused = [](const std::shared_ptr<Trigger::Request>&,
                         const std::shared_ptr<Trigger::Response>&) {};
  arm_.service = node_->create_service<Trigger>("kernel/arm", unused);
  arm_recovery_.service = node_->create_service<Trigger>("kernel/arm_recovery", unused);
  reset_.service = node_->create_service<Trigger>("kernel/reset", unused);
  candidate_authority_ = std::make_unique<Authority>(chunks_->get_topic_name());
  command_authority_ = std::make_unique<Authority>(commands_->get_topic_name());

  if (configuration_.mode_enabled[static_cast<std::size_t>(ControlMode::kBodyTwist)]) {
    velocity_commands_ = node_->create_subscription<geometry_msgs::msg::TwistStamped>(
        "cmd_vel", rclcpp::QoS(1).reliable(),
        [](const std::shared_ptr<const geometry_msgs::msg::TwistStamped>&) {}, messages_only());
    velocity_authority_ = std::make_unique<Authority>(velocity_commands_->get_topic_name());
    wait_set_.add_subscription(velocity_commands_);
  }
  if (configuration_.separation.enabled) {
    separations_ = node_->create_subscription<sensor_msgs::msg::Range>(
        "separation", rclcpp::QoS(kMaxSeparations).best_effort(),
        [](const std::shared_ptr<const sensor_msgs::msg::Range>&) {}, messages_only());
    wait_set_.add_subscription(separations_);
  }
  if (configuration_.collision.world_required) {
    worlds_ = node_->create_subscription<openral_msgs::msg::CollisionWorld>(
        "collision_world", rclcpp::QoS(1).reliable(),
        [](const std::shared_ptr<const openral_msgs::msg::CollisionWorld>&) {}, messages_only());
    wait_set_.add_subscription(worlds_);
  }
  wait_set_.add_subscription(chunks_);
  wait_set_.add_subscription(joint_states_);
  wait_set_.add_subscription(estops_);
  wait_set_.add_subscription(foreign_commands_);
  wait_set_.add_service(arm_.service);
  wait_set_.add_service(arm_recovery_.service);
  wait_set_.add_service(reset_.service);

  // Before the threads that raise themselves further.
  if (options_.realtime && !make_all_threads_realtime(options_.priority - 2)) {
    options_.others_realtime = false;
  }
  log_ = std::make_unique<Log>(node_->get_logger());
  if (!record_options.path.empty()) {
    recorder_ = std::make_unique<Recorder>(record_options, record, configuration_.hash, *log_);
  }
  loop_ = std::make_unique<ControlLoop>(*kernel_, options_, inbox_, outbox_,
                                        recorder_ ? &recorder_->queue() : nullptr);
  publish_thread_ = std::thread([this] { publish_all(); });
  loop_thread_ = std::thread([this] { loop_->run(); });
}

KernelNode::~KernelNode() {
  loop_->stop();
  loop_thread_.join();
  stop_publishing_.store(true);
  outbox_.notify();
  publish_thread_.join();
}

void KernelNode::spin(const std::atomic<bool>& end) {
  while (!end.load()) {
    try {
      turn();
    } catch (const std::exception& error) {
      note_failure(Log::From::kMiddleware, error, taking_failure_told_);
      sleep_until(monotonic_now() + kFailurePause);
    }
  }
}

void KernelNode::note_failure(Log::From from, const std::exception& error, Nanoseconds& told) {
  inbox_.fault.store(true);
  const Nanoseconds now = monotonic_now();
  if (told != 0 && now - told < kSecondNs) return;
  told = now;
  log_->say(from, Log::Level::kError, std::string("middleware: ") + error.what());
}

void KernelNode::turn() {
  // Whatever is ready, each is asked in the order of its urgency; the time-out keeps the watch on
  // the graph going.
  const auto waited = wait_set_.wait(std::chrono::milliseconds(20));
  if (waited.kind() == rclcpp::WaitResultKind::Empty) return;
  take_estops();
  take_separations();
  take_joint_states();
  take_worlds();
  take_chunks();
  take_velocity_commands();
  take_foreign_commands();
  serve(arm_);
  serve(arm_recovery_);
  serve(reset_);
  watch_authority();
}

void KernelNode::take_chunks() {
  rclcpp::MessageInfo info;
  // One per turn: a flood of chunks must not keep the e-stop waiting.
  if (!chunks_->take(chunk_message_, info)) return;
  const Nanoseconds now = monotonic_now();
  candidate_authority_->note_message(info.get_rmw_message_info().publisher_gid, now);
  Chunk* slot = inbox_.chunks.back();
  if (slot == nullptr) {
    inbox_.chunks_lost.fetch_add(1);
    return;
  }
  read_chunk(chunk_message_, now, *slot);
  inbox_.chunks.push();
}

void KernelNode::take_velocity_commands() {
  rclcpp::MessageInfo info;
  if (!velocity_commands_ || !velocity_commands_->take(velocity_message_, info)) return;
  const Nanoseconds now = monotonic_now();
  velocity_authority_->note_message(info.get_rmw_message_info().publisher_gid, now);
  VelocityCommand* slot = inbox_.velocity_commands.back();
  if (slot == nullptr) {
    inbox_.chunks_lost.fetch_add(1);
    return;
  }
  read_velocity_command(velocity_message_, now, *slot);
  inbox_.velocity_commands.push();
}

void KernelNode::take_separations() {
  rclcpp::MessageInfo info;
  for (std::size_t i = 0; separations_ && i < kMaxSeparations; ++i) {
    if (!separations_->take(separation_message_, info)) return;
    const Nanoseconds now = monotonic_now();
    SeparationReading* slot = inbox_.separations.back();
    if (slot == nullptr) {
      inbox_.separation_lost.store(true);
      note_lost_separation(now);
      continue;
    }
    read_separation(separation_message_, now, *slot);
    inbox_.separations.push();
  }
}

void KernelNode::note_lost_separation(Nanoseconds now) {
  if (separation_loss_told_ != 0 && now - separation_loss_told_ < kSecondNs) return;
  separation_loss_told_ = now;
  log_->say(Log::From::kMiddleware, Log::Level::kWarn,
            "separation: more than " + std::to_string(kMaxSeparations) +
                " distances in a tick; one that is lost counts as 0");
}

void KernelNode::take_worlds() {
  rclcpp::MessageInfo info;
  if (!worlds_ || !worlds_->take(world_message_, info)) return;
  const Nanoseconds now = monotonic_now();
  world_senders_.note(info.get_rmw_message_info().publisher_gid, now);
  // Where the loop is behind, what it has not yet heard is old soon enough.
  CollisionWorld* slot = inbox_.worlds.back();
  if (slot == nullptr) return;
  read_world(world_message_, now, *slot);
  inbox_.worlds.push();
}

void KernelNode::take_joint_states() {
  rclcpp::MessageInfo info;
  for (int i = 0; i < 5 && joint_states_->take(joint_state_message_, info); ++i) {
    JointState* slot = inbox_.joint_states.back();
    if (slot == nullptr) continue;
    const Nanoseconds now = monotonic_now();
    read_joint_state(joint_state_message_, now, configuration_, *slot);
    if (slot->complete) state_senders_.note(info.get_rmw_message_info().publisher_gid, now);
    inbox_.joint_states.push();
  }
}

void KernelNode::take_estops() {
  rclcpp::MessageInfo info;
  for (int i = 0; i < 10 && estops_->take(estop_message_, info); ++i) {
    const Nanoseconds now = monotonic_now();
    const rmw_message_info_t& sent = info.get_rmw_message_info();
    if (estop_gaps_.note(sent.publisher_gid, sent.publication_sequence_number, now)) {
      inbox_.estop_lost.store(true);
    }
    EStopLevel* slot = inbox_.estops.back();
    if (slot == nullptr) {
      inbox_.estop_lost.store(true);
      continue;
    }
    read_estop(estop_message_, now, *slot);
    inbox_.estops.push();
  }
}

void KernelNode::take_foreign_commands() {
  rclcpp::MessageInfo info;
  if (foreign_commands_->take(foreign_message_, info)) {
    foreign_command_heard_ = monotonic_now();
    inbox_.second_publisher.store(true);
  }
}

void KernelNode::serve(Desk& desk) {
  if (const Reply* reply = desk.loop.answer.front()) {
    const Reply given = *reply;
    desk.loop.answer.pop();
    answer(desk, given);
  }
  Trigger::Request request;
  rmw_request_id_t id{};
  if (!desk.service->take_request(request, id)) return;
  if (desk.waiting) {
    Trigger::Response response;
    response.success = false;
    response.message = "busy: another request is being answered";
    desk.service->send_response(id, response);
    return;
  }
  desk.request = id;
  desk.waiting = true;
  desk.loop.asked.store(true);
}

void KernelNode::answer(Desk& desk, const Reply& reply) {
  // Whoever asked may have gone: the next one must not find the desk taken.
  desk.waiting = false;
  Trigger::Response response;
  response.success = reply.success;
  response.message = reply.success ? desk.done : std::string(reason_name(reply.reason));
  log_->say(Log::From::kMiddleware, Log::Level::kInfo, "operator: " + response.message);
  desk.service->send_response(desk.request, response);
}

void KernelNode::watch_authority() {
  const Nanoseconds now = monotonic_now();
  if (now - authority_watched_ < kAuthorityPeriod) return;
  authority_watched_ = now;
  candidate_authority_->look(*node_, now);
  command_authority_->look(*node_, now);
  const bool foreign = foreign_command_heard_ != 0 && now - foreign_command_heard_ < kForeignMemory;
  bool second = foreign || candidate_authority_->second_publisher(now) ||
                command_authority_->second_publisher(now) || state_senders_.several(now) ||
                world_senders_.several(now);
  if (velocity_authority_) {
    velocity_authority_->look(*node_, now);
    second = second || velocity_authority_->second_publisher(now);
  }
  inbox_.second_publisher.store(second);
}

void KernelNode::publish_all() {
  if (options_.realtime && !make_realtime(options_.priority - 1)) {
    inbox_.publisher_not_realtime.store(true);
  }
  while (true) {
    outbox_.wait();
    while (publish_next()) {
    }
    if (stop_publishing_.load()) return;
  }
}

// What is only told waits for the commands. False if there is nothing more.
bool KernelNode::publish_next() {
  // What cannot be sent keeps nothing else back; the robot's lease covers a command.
  const auto attempt = [this](const auto& send) {
    try {
      send();
    } catch (const std::exception& error) {
      note_failure(Log::From::kPublisher, error, publishing_failure_told_);
    }
  };
  if (const Letter* letter = outbox_.letters.front()) {
    if (letter->emit) {
      attempt([&] { publish_command(*letter); });
      outbox_.deal();
    }
    if (letter->with_status) attempt([&] { publish_status(*letter); });
    outbox_.letters.pop();
    return true;
  }
  if (const DatedReport* report = outbox_.reports.front()) {
    attempt([&] { publish_report(*report); });
    outbox_.reports.pop();
    return true;
  }
  return false;
}

void KernelNode::publish_command(const Letter& letter) {
  write_command(letter.command, configuration_, letter.stamp, command_message_);
  // Asked as late as can be. What the way here took is gone from the lease, which begins with the
  // tick.
  const Nanoseconds left = outbox_.left(letter, monotonic_now(), configuration_.times.lease);
  if (left <= 0) {
    if (commands_lapsed_++ == 0) {
      log_->say(Log::From::kPublisher, Log::Level::kError,
                "a row was not sent within its lease: the middleware, or another program, kept the "
                "thread that publishes (kernel_status.commands_lapsed counts them)");
    }
    return;
  }
  write_lease(left, command_message_);
  commands_->publish(command_message_);
}

void KernelNode::publish_status(const Letter& letter) {
  if (options_.realtime && !letter.health.realtime && !realtime_refused_) {
    realtime_refused_ = true;
    log_->say(Log::From::kPublisher, Log::Level::kWarn,
              "loop.realtime: SCHED_FIFO or locked memory was not granted to every thread "
              "(RLIMIT_RTPRIO, RLIMIT_MEMLOCK); beside busy programs the arm will be stopped "
              "for messages that came late");
  }
  const Nanoseconds age = letter.tick - letter.status.finding_time;
  write_status(letter.status, configuration_, letter.health, letter.stamp, letter.stamp - age,
               status_message_);
  status_message_.commands_lapsed = commands_lapsed_;
  status_->publish(status_message_);
}

void KernelNode::publish_report(const DatedReport& dated) {
  write_failure(dated.report, configuration_, node_->get_name(), dated.stamp, failure_message_);
  if (dated.report.severity != Severity::kWarn) {
    log_->say(Log::From::kPublisher, Log::Level::kWarn, failure_message_.message);
  }
  failures_->publish(failure_message_);
}

}  // namespace openral::safety
