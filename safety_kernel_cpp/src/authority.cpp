#include "authority.hpp"

#include <algorithm>
#include <set>

namespace openral::safety {

void Senders::note(const rmw_gid_t& writer, Nanoseconds now) {
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

bool Senders::several(Nanoseconds now) const {
  std::size_t senders = 0;
  for (std::size_t i = 0; i < known_; ++i) senders += now - writers_[i].last <= kLately ? 1 : 0;
  return senders > 1;
}

namespace {

// What the graph says of a writer that is discovered before the node that it belongs to.
bool is_unnamed(const std::string& node) {
  return node == "_NODE_NAME_UNKNOWN_" || node == "_CREATED_BY_BARE_DDS_APP_";
}

}  // namespace

void Authority::look(const rclcpp::Node& node, Nanoseconds now) {
  std::set<std::string> nodes;
  bool unnamed = false;
  for (const auto& publisher : node.get_publishers_info_by_topic(topic_)) {
    if (is_unnamed(publisher.node_name())) {
      unnamed = true;
      continue;
    }
    nodes.insert(publisher.node_namespace() + "/" + publisher.node_name());
  }
  if (!unnamed) {
    unnamed_since_ = 0;
  } else if (unnamed_since_ == 0) {
    unnamed_since_ = now;
  }
  const bool stranger = unnamed && now - unnamed_since_ > kUnnamed;
  second_node_ = nodes.size() + (stranger ? 1 : 0) > 1;
}

}  // namespace openral::safety
