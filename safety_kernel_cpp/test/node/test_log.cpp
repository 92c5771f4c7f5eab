// Nobody waits for who reads standard error, not even the end of the process.
#include "../../src/log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace openral::safety {
namespace {

// Standard error as a pipe.
class PipedError {
 public:
  PipedError() {
    EXPECT_EQ(0, pipe(ends_));
    kept_ = dup(STDERR_FILENO);
    dup2(ends_[1], STDERR_FILENO);
  }
  ~PipedError() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(ends_[1]);
    close(ends_[0]);
  }
  PipedError(const PipedError&) = delete;
  PipedError& operator=(const PipedError&) = delete;

  void fill() {
    fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    while (write(ends_[1], "x", 1) == 1) {
    }
    fcntl(ends_[1], F_SETFL, 0);
  }
  // Everything that lies in it.
  [[nodiscard]] std::string read_all() {
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends_[0], buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
  int kept_ = -1;
};

TEST(Log, LinesAreWrittenBeforeTheEnd) {
  PipedError error;
  {
    Log log(rclcpp::get_logger("test_log"));
    log.say(Log::From::kPublisher, Log::Level::kWarn, "the first");
    log.say(Log::From::kRecorder, Log::Level::kError, "the second");
  }
  const std::string text = error.read_all();
  EXPECT_NE(std::string::npos, text.find("the first")) << text;
  EXPECT_NE(std::string::npos, text.find("the second")) << text;
}

TEST(Log, AFullPipeHoldsNeitherWhoSpeaksNorTheEnd) {
  using Clock = std::chrono::steady_clock;
  PipedError error;
  error.fill();
  const auto begin = Clock::now();
  {
    Log log(rclcpp::get_logger("test_log"));
    for (int i = 0; i < 1000; ++i) {
      log.say(Log::From::kPublisher, Log::Level::kWarn, "nobody reads this");
    }
  }
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(2));
}

// Room for 64 lines; the thread that writes holds the first of them.
TEST(Log, WhatFoundNoRoomIsCounted) {
  PipedError error;
  error.fill();
  std::string text;
  {
    Log log(rclcpp::get_logger("test_log"));
    for (int i = 0; i < 100; ++i) {
      log.say(Log::From::kPublisher, Log::Level::kInfo, "line " + std::to_string(i));
    }
    text = error.read_all();
    while (text.find("line 63") == std::string::npos) text += error.read_all();
    log.say(Log::From::kPublisher, Log::Level::kInfo, "the last");
  }
  text += error.read_all();
  text.erase(0, text.find_first_not_of('x'));
  EXPECT_EQ(std::string::npos, text.find("line 64")) << text;
  EXPECT_NE(std::string::npos, text.find("36 lines were not written")) << text;
  EXPECT_NE(std::string::npos, text.find("the last")) << text;
}

}  // namespace
}  // namespace openral::safety
