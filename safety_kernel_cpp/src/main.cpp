// The process `safety_kernel`.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "kernel_node.hpp"
#include "parameter_types.hpp"
#include "rclcpp/rclcpp.hpp"

namespace {

std::atomic<bool> g_end{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int) { g_end.store(true); }

// rclcpp's own handlers log, and wait in the thread that hears the e-stop while nobody reads
// standard error; and they end the context beneath calls that are in it.
void end_on_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  // A writer that opens the shared-memory port of a reader which has just joined may sleep for a
  // third of a second in Fast DDS: no tool that starts may stop the arm. What the user chose stays
  // in force.
  (void)setenv("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4", 0);
  // Whoever reads standard error may go: that must not end the kernel at its next word.
  (void)std::signal(SIGPIPE, SIG_IGN);
  if (const auto name = openral::safety::misread_parameter(argc, argv)) {
    std::fprintf(stderr, "safety_kernel: %s\n", name->c_str());
    return 2;
  }
  try {
    end_on_signals();
    rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
    // Without an executor nobody would answer: who asks every node for its parameters would wait
    // for ever.
    const rclcpp::NodeOptions options =
        rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(
            false);
    auto node = std::make_shared<rclcpp::Node>("safety_kernel", options);
    openral::safety::KernelNode kernel(node);
    kernel.spin(g_end);
  } catch (const openral::safety::ParameterError& error) {
    std::fprintf(stderr, "safety_kernel: %s\n", error.what());
    rclcpp::shutdown();
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "safety_kernel: %s\n", error.what());
    rclcpp::shutdown();
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}
