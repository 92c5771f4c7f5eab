#include "authority.hpp"

#include <algorithm>
#include <set>

namespace openral::safety {

void Authority::note_message(const rmw_gid_t& writer, Nanoseconds now) {
  Gid gid{};
  std::copy_n(writer.data, gid.size(), gid.begin());
  for (std::size_t i = 0; i < known_; ++i) {
    if (writers_[i].gid == gid) {
      writers_[i].last = now;
      return;
    }
  }
  if (known_ < writers_.size()) {
    writers_[known_++] = {gid, now};
    return;
  }
  // The one that was silent longest is forgotten.
  *std::min_element(writers_.begin(), writers_.end(),
                    [](const Writer& a, const Writer& b) { return a.last < b.last; }) = {gid, now};
}

void Authority::look(const rclcpp::Node& node) {
  std::set<std::string> nodes;
  for (const auto& publisher : node.get_publishers_info_by_topic(topic_)) {
    nodes.insert(publisher.node_namespace() + "/" + publisher.node_name());
  }
  second_node_ = nodes.size() > 1;
}

bool Authority::second_publisher(Nanoseconds now) const {
  if (second_node_) return true;
  std::size_t senders = 0;
  for (std::size_t i = 0; i < known_; ++i) senders += now - writers_[i].last <= kLately ? 1 : 0;
  return senders > 1;
}

}  // namespace openral::safety
