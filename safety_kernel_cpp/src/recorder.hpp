// Writes what enters and leaves the core into a file that kernel_replay reads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "../record/header.hpp"
#include "../record/line.hpp"
#include "log.hpp"
#include "parameters.hpp"
#include "record_queue.hpp"

namespace openral::safety {

// Owns the file and an ordinary thread that writes it. Each line is one write, so that a kill
// leaves at most the last one torn. An existing file is never touched: a number is added to the
// name.
class Recorder {
 public:
  // Throws ParameterError if no file can be made.
  Recorder(const RecordOptions& options, const RecordHeader& header, std::uint64_t hash, Log& log);
  // Writes what is still queued; the loop must have ended.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] RecordQueue& queue() { return queue_; }

 private:
  void run();
  void write_tick(const RecordedTick& tick);
  void write_lost(std::uint64_t count);
  void write_end(const char* why);
  // Adds the checksum. False once nothing can be written any more.
  bool write(LineWriter& line);
  void give_up(const std::string& why);

  std::string path_;
  std::uint64_t bytes_left_;
  Log& log_;
  int file_ = -1;
  RecordQueue queue_;
  LineWriter line_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace openral::safety
