#include "recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../record/tick_line.hpp"
#include "realtime.hpp"

namespace openral::safety {
namespace {

constexpr int kNames = 1000;
constexpr std::uint64_t kBytesOfEnd = 64;

// Creates `path`, or `path`.1, `path`.2 ... where that exists already.
int create(std::string& path) {
  const std::string wanted = path;
  for (int i = 1; i <= kNames; ++i) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) return file;
    if (errno != EEXIST) break;
    path = wanted + "." + std::to_string(i);
  }
  throw ParameterError("record_path = '" + wanted + "': " + std::strerror(errno) +
                       ", valid: a file that can be made");
}

}  // namespace

Recorder::Recorder(const RecordOptions& options, const RecordHeader& header, std::uint64_t hash,
                   const rclcpp::Logger& logger)
    : path_(options.path), bytes_left_(options.bytes_max), logger_(logger), file_(create(path_)) {
  for (const std::string& text : header_lines(header, hash)) {
    const std::string line = text + '\n';
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      close(file_);
      throw ParameterError("record_path = '" + path_ + "': " + std::strerror(errno) +
                           ", valid: a file that can be written");
    }
    bytes_left_ -= line.size();
  }
  RCLCPP_INFO(logger_, "records to %s", path_.c_str());
  thread_ = std::thread([this] { run(); });
}

Recorder::~Recorder() {
  stop_.store(true);
  queue_.notify();
  thread_.join();
  if (file_ >= 0) {
    write_lost(queue_.lost());
    write_end("stopped");
  }
}

void Recorder::run() {
  // A thread inherits the scheduling of the one that made it, and a disk is no real-time device.
  make_ordinary();
  while (true) {
    queue_.wait();
    const RecordedTick* tick = queue_.front();
    if (tick == nullptr) {
      if (stop_.load()) return;
      continue;
    }
    if (file_ >= 0) write_tick(*tick);
    queue_.pop();
  }
}

void Recorder::write_tick(const RecordedTick& tick) {
  if (tick.lost_before > 0) {
    RCLCPP_WARN(logger_, "record: %llu ticks lost",
                static_cast<unsigned long long>(tick.lost_before));
    write_lost(tick.lost_before);
  }
  line_.clear();
  write_inputs(line_, tick.now, tick.inputs);
  line_.word(kDecided.substr(1, 1));
  write_decision(line_, tick.output, tick.status);
  if (!write(line_)) return;
  for (const Report& report : tick.output.reports) {
    // A stop is what the record is read for: it shall survive the loss of power.
    if (report.severity >= Severity::kFail) {
      (void)fdatasync(file_);
      break;
    }
  }
}

void Recorder::write_lost(std::uint64_t count) {
  if (count == 0 || file_ < 0) return;
  line_.clear();
  line_.word("lost");
  line_.integer(count);
  (void)write(line_);
}

void Recorder::write_end(const char* why) {
  if (file_ < 0) return;
  line_.clear();
  line_.word("end");
  line_.word(why);
  line_.finish();
  const std::string line = line_.text() + '\n';
  (void)::write(file_, line.data(), line.size());
  (void)fdatasync(file_);
  close(file_);
  file_ = -1;
}

bool Recorder::write(LineWriter& line) {
  line.finish();
  const std::string text = line.text() + '\n';
  if (text.size() + kBytesOfEnd > bytes_left_) {
    write_end("full");
    give_up("the size of record_size_max_mb is reached");
    return false;
  }
  bytes_left_ -= text.size();
  if (::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return true;
  const std::string why = std::strerror(errno);
  // What a full disk took of the line stays as its torn last one.
  close(file_);
  file_ = -1;
  give_up(why);
  return false;
}

void Recorder::give_up(const std::string& why) {
  queue_.close();
  RCLCPP_WARN(logger_, "record: %s ends here: %s", path_.c_str(), why.c_str());
}

}  // namespace openral::safety
