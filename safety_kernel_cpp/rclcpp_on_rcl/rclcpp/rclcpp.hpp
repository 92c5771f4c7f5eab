// The part of rclcpp's interface that the safety kernel's node uses, over rcl, for machines without
// rclcpp.
//
// Names, arguments and meaning are rclcpp's, so that the node compiles unchanged against either.
// What is not here is not used: executors, timers, callbacks, parameter services, intra-process
// communication, simulated time.
#pragma once

#include "rclcpp/clock.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp/wait_set.hpp"
