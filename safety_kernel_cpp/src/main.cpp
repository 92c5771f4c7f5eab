// The process `safety_kernel`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "kernel_node.hpp"
#include "parameter_types.hpp"
#include "rclcpp/rclcpp.hpp"

int main(int argc, char** argv) {
  // A writer that opens the shared-memory port of a reader which has just joined may sleep for a
  // third of a second in Fast DDS: no tool that starts may stop the arm. What the user chose stays
  // in force.
  (void)setenv("FASTDDS_BUILTIN_TRANSPORTS", "UDPv4", 0);
  // Whoever reads standard error may go: that must not end the kernel at its next word.
  (void)std::signal(SIGPIPE, SIG_IGN);
  if (const auto name = openral::safety::parameter_of_two_types(argc, argv)) {
    std::fprintf(stderr, "safety_kernel: %s\n", name->c_str());
    return 2;
  }
  try {
    rclcpp::init(argc, argv);
    auto node = std::make_shared<rclcpp::Node>("safety_kernel");
    openral::safety::KernelNode kernel(node);
    kernel.spin();
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
