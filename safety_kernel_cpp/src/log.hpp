// What the node says to a person, written by a thread that may wait.
//
// Standard error may be a pipe that nobody reads, or a terminal that is held: whoever writes to it
// then stands still for good. No thread that moves or stops the arm may.
#pragma once

#include <semaphore.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

#include "../core/fixed.hpp"
#include "../core/spsc_queue.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {

class Log {
 public:
  // A thread that speaks.
  enum class From : std::uint8_t { kMiddleware, kPublisher, kRecorder };
  enum class Level : std::uint8_t { kInfo, kWarn, kError };

  explicit Log(const rclcpp::Logger& logger);
  // Writes what can be written without waiting, and drops the rest.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Never waits: what finds no room is counted, and the next line that finds some says how many.
  // To be called by one thread for each `from`.
  void say(From from, Level level, std::string_view text);

 private:
  // With the logger's own words a line stays below PIPE_BUF: a pipe that says that it has room has
  // a page of it.
  static constexpr std::size_t kTextMax = 256;
  struct Line {
    Level level = Level::kInfo;
    std::uint64_t lost_before = 0;
    FixedString<kTextMax> text;
  };
  struct Voice {
    SpscQueue<Line, 64> lines;
    std::uint64_t lost = 0;  // of the thread that speaks
  };

  void run();
  // Waits for room in standard error. False once the end is asked for and there is none.
  [[nodiscard]] bool has_room() const;
  void write(const Line& line) const;

  rclcpp::Logger logger_;
  std::array<Voice, 3> voices_;
  sem_t filled_{};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace openral::safety
