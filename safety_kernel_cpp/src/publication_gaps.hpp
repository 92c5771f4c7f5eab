// Messages that a writer sent and nobody took, by the numbers that the middleware gives them.
#pragma once

#include <rmw/types.h>
#include <algorithm>
#include <array>
#include <cstdint>

#include "../core/capacity.hpp"

namespace openral::safety {

// A reader's history that is full drops its oldest message without a word; the numbers of those
// that are left tell.
class PublicationGaps {
 public:
  // A message of this writer was taken. True if one is missing between it and the one before. A
  // middleware that gives no numbers hides what it loses.
  [[nodiscard]] bool note(const rmw_gid_t& gid, std::uint64_t number, Nanoseconds now) {
    if (number == RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED) return false;
    Writer* writer = find(gid);
    if (writer == nullptr) {
      // Where all places are taken, the one that was silent longest is forgotten.
      writer = count_ < writers_.size()
                   ? &writers_[count_++]
                   : std::min_element(
                         writers_.begin(), writers_.end(),
                         [](const Writer& a, const Writer& b) { return a.at < b.at; });
      *writer = {id_of(gid), number, now};
      return false;
    }
    const bool gap = number > writer->number && number - writer->number > 1;
    writer->number = std::max(writer->number, number);
    writer->at = now;
    return gap;
  }

 private:
  // Twice the e-stop sources that the kernel watches.
  static constexpr std::size_t kWriters = 32;
  using Id = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  struct Writer {
    Id id{};
    std::uint64_t number = 0;
    Nanoseconds at = 0;
  };

  [[nodiscard]] static Id id_of(const rmw_gid_t& gid) {
    Id id{};
    std::copy_n(gid.data, id.size(), id.begin());
    return id;
  }
  [[nodiscard]] Writer* find(const rmw_gid_t& gid) {
    const Id id = id_of(gid);
    for (std::size_t i = 0; i < count_; ++i) {
      if (writers_[i].id == id) return &writers_[i];
    }
    return nullptr;
  }

  std::array<Writer, kWriters> writers_{};
  std::size_t count_ = 0;
};

}  // namespace openral::safety
