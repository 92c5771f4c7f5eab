#include "log.hpp"

#include <poll.h>
#include <unistd.h>

#include <string>

#include "realtime.hpp"

namespace openral::safety {

Log::Log(const rclcpp::Logger& logger) : logger_(logger) {
  sem_init(&filled_, 0, 0);
  thread_ = std::thread([this] { run(); });
}

Log::~Log() {
  stop_.store(true);
  sem_post(&filled_);
  thread_.join();
  sem_destroy(&filled_);
}

void Log::say(From from, Level level, std::string_view text) {
  Voice& voice = voices_[static_cast<std::size_t>(from)];
  Line* const line = voice.lines.back();
  if (line == nullptr) {
    ++voice.lost;
    return;
  }
  line->level = level;
  line->lost_before = voice.lost;
  line->text.assign(text);
  voice.lost = 0;
  voice.lines.push();
  sem_post(&filled_);
}

void Log::run() {
  // A thread inherits the scheduling of the one that made it, and nobody waits for a log.
  make_ordinary();
  while (true) {
    while (sem_wait(&filled_) != 0) {
    }
    for (Voice& voice : voices_) {
      while (const Line* line = voice.lines.front()) {
        if (!has_room()) return;
        write(*line);
        voice.lines.pop();
      }
    }
    if (stop_.load()) return;
  }
}

bool Log::has_room() const {
  constexpr int kLookMs = 100;
  while (true) {
    pollfd file{STDERR_FILENO, POLLOUT, 0};
    // A closed one is told too: a write to it fails at once.
    if (poll(&file, 1, stop_.load() ? 0 : kLookMs) > 0) return true;
    if (stop_.load()) return false;
  }
}

void Log::write(const Line& line) const {
  const std::string text(line.text.view());
  if (line.lost_before > 0) {
    RCLCPP_WARN(logger_, "%llu lines were not written: nobody read them",
                static_cast<unsigned long long>(line.lost_before));
    if (!has_room()) return;
  }
  switch (line.level) {
    case Level::kInfo:
      RCLCPP_INFO(logger_, "%s", text.c_str());
      return;
    case Level::kWarn:
      RCLCPP_WARN(logger_, "%s", text.c_str());
      return;
    case Level::kError:
      RCLCPP_ERROR(logger_, "%s", text.c_str());
  }
}

}  // namespace openral::safety
