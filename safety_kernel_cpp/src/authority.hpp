// Who else publishes on a topic that must have one publisher?
#pragma once

#include <array>
#include <string>
#include <vector>

#include "../core/capacity.hpp"
#include "rclcpp/rclcpp.hpp"

namespace openral::safety {

// Writers that sent lately.
class Senders {
 public:
  // A message of this writer was taken.
  void note(const rmw_gid_t& writer, Nanoseconds now);
  [[nodiscard]] bool several(Nanoseconds now) const;

 private:
  // Ten periods of a runner: two that send are both heard within it.
  static constexpr Nanoseconds kLately = 200'000'000;
  using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  struct Writer {
    Gid gid{};
    Nanoseconds last = 0;
  };
  std::array<Writer, 2> writers_{};
  std::size_t known_ = 0;
};

// Two signs of a second publisher: a second node that offers the topic, or a second writer that
// sent on it lately.
//
// A node that was killed stays in the graph until discovery gives it up, so after its restart two
// writers of one node name are in the graph, of which one is silent. That is no second publisher;
// both sending would be.
class Authority {
 public:
  explicit Authority(std::string topic) : topic_(std::move(topic)) {}

  // A message of this writer was taken.
  void note_message(const rmw_gid_t& writer, Nanoseconds now) { senders_.note(writer, now); }
  // Looks at the graph. A writer whose node discovery cannot name yet counts once it stays unnamed.
  void look(const rclcpp::Node& node, Nanoseconds now);

  [[nodiscard]] bool second_publisher(Nanoseconds now) const {
    return second_node_ || senders_.several(now);
  }

 private:
  static constexpr Nanoseconds kUnnamed = 5'000'000'000;
  std::string topic_;
  Senders senders_;
  bool second_node_ = false;
  Nanoseconds unnamed_since_ = 0;  // 0 = all are named
};

}  // namespace openral::safety
