#include "recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

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

// In one call. Empty, or why it was not written whole.
std::string append(int file, const std::string& text) {
  const ssize_t written = ::write(file, text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return "";
  // A short write has set no errno: the disk is full, or the file as large as it may be.
  return written < 0 ? std::strerror(errno) : "no room for a whole line";
}

}  // namespace

Recorder::Recorder(const RecordOptions& options, const RecordHeader& header, std::uint64_t hash,
                   Log& log)
    : path_(options.path), bytes_left_(options.bytes_max), log_(log), file_(create(path_)) {
  for (const std::string& text : header_lines(header, hash)) {
    const std::string line = text + '\n';
    if (const std::string why = append(file_, line); !why.empty()) {
      close(file_);
      throw ParameterError("record_path = '" + path_ + "': " + why +
                           ", valid: a file that can be written");
    }
    bytes_left_ -= line.size();
  }
  log_.say(Log::From::kMiddleware, Log::Level::kInfo, "records to " + path_);
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
    log_.say(Log::From::kRecorder, Log::Level::kWarn,
             "record: " + std::to_string(tick.lost_before) + " ticks lost");
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
  (void)append(file_, line);
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
  const std::string why = append(file_, text);
  if (why.empty()) return true;
  // What a full disk took of the line stays as its torn last one.
  close(file_);
  file_ = -1;
  give_up(why);
  return false;
}

void Recorder::give_up(const std::string& why) {
  queue_.close();
  log_.say(Log::From::kRecorder, Log::Level::kWarn, "record: " + path_ + " ends here: " + why);
}

}  // namespace openral::safety
