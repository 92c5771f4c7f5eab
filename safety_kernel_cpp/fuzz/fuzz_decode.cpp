// Messages of any content, decoded: no read out of bounds, nothing but what the message says, and
// evidence that is JSON whatever the names are. The second opinion is written from conversion.hpp.
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include "../src/conversion.hpp"
#include "admission.hpp"
#include "bytes.hpp"
#include "robot.hpp"

namespace openral::safety::fuzz {
namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz_decode: %s\n", what);
  std::abort();
}

std::string text(Bytes& bytes) {
  const char* const known[] = {"shoulder", "elbow", "finger", "duo", ""};
  const auto kind = bytes.take<std::uint8_t>();
  if (kind < 200) return known[kind % 5];
  std::string text(kind == 255 ? 200 : kind - 200, 'x');
  for (char& c : text) c = bytes.take<char>();
  return text;
}
double any(Bytes& bytes) { return bytes.flag() ? bytes.number(2) : bytes.take<double>(); }
builtin_interfaces::msg::Time time(Bytes& bytes) {
  builtin_interfaces::msg::Time time;
  time.sec = bytes.take<std::int32_t>();
  time.nanosec = bytes.take<std::uint32_t>();
  return time;
}
Nanoseconds whole(const builtin_interfaces::msg::Time& time) {
  return static_cast<Nanoseconds>(time.sec) * 1'000'000'000 + time.nanosec;
}

// Equal bit for bit, so that a NaN equals itself.
bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
template <std::size_t N>
bool holds(const FixedString<N>& text, const std::string& expected) {
  return text.view() == expected.substr(0, N) && text.cut() == (expected.size() > N);
}

void decode_chunk(Bytes& bytes, const Configuration& configuration) {
  openral_msgs::msg::ActionChunk message;
  message.observation_stamp = time(bytes);
  message.skill_id = text(bytes);
  message.robot = text(bytes);
  message.trace_id = text(bytes);
  message.epoch = bytes.take<std::uint64_t>();
  message.sequence = bytes.take<std::uint8_t>();
  message.timeline = bytes.take<std::uint8_t>();
  message.control_mode = bytes.take<std::uint8_t>() % 10;
  message.last = bytes.flag();
  message.dt = static_cast<decltype(message.dt)>(any(bytes));
  message.horizon = bytes.take<std::uint16_t>() % 40;
  const std::size_t names = bytes.take<std::uint8_t>() % (kMaxJoints + 1);
  for (std::size_t i = 0; i < names; ++i) {
    message.joint_names.push_back(
        i < 3 && bytes.flag() ? std::string(configuration.joints[i].view()) : text(bytes));
  }
  const bool many = bytes.take<std::uint8_t>() == 255;
  const std::size_t values = many ? kMaxValues : bytes.take<std::uint8_t>() % 130;
  message.rows.resize(values);
  for (std::size_t i = 0; i < values && !bytes.empty(); ++i) message.rows[i] = any(bytes);
  static Chunk chunk;
  read_chunk(message, 7, chunk);
  require(chunk.received == 7, "the time of arrival is the kernel's own");
  require(chunk.observation_stamp == whole(message.observation_stamp), "observation_stamp");
  require(holds(chunk.skill_id, message.skill_id) && holds(chunk.robot, message.robot) &&
              holds(chunk.trace_id, message.trace_id),
          "texts are kept or marked as cut");
  require(chunk.epoch == message.epoch && chunk.sequence == message.sequence &&
              chunk.timeline == message.timeline && chunk.first_row == message.first_row &&
              chunk.control_mode == message.control_mode && chunk.last == message.last &&
              chunk.horizon == message.horizon && same(chunk.dt, message.dt),
          "numbers are kept");
  require(chunk.name_count == names && chunk.value_count == values, "counts are the message's");
  for (std::size_t i = 0; i < names; ++i) {
    require(holds(chunk.joint_names[i], message.joint_names[i]), "joint names");
  }
  for (std::size_t i = 0; i < values; ++i) {
    require(same(chunk.values[i], message.rows[i]), "values");
  }
  if (!check_shape(configuration, chunk).ok()) return;
  require(chunk.horizon * (values / chunk.horizon) == values, "an admitted shape is a matrix");
  const Columns columns = columns_of(configuration, static_cast<ControlMode>(chunk.control_mode));
  (void)check_rows(configuration, chunk, columns, {0, 0, 0.04});
}

void decode_joint_state(Bytes& bytes, const Configuration& configuration) {
  sensor_msgs::msg::JointState message;
  message.header.stamp = time(bytes);
  const std::size_t names = bytes.take<std::uint8_t>() % 6;
  for (std::size_t i = 0; i < names; ++i) message.name.push_back(text(bytes));
  const std::size_t positions = bytes.flag() ? names : bytes.take<std::uint8_t>() % 6;
  const std::size_t velocities = bytes.flag() ? names : bytes.take<std::uint8_t>() % 6;
  for (std::size_t i = 0; i < positions; ++i) message.position.push_back(any(bytes));
  for (std::size_t i = 0; i < velocities; ++i) message.velocity.push_back(any(bytes));
  JointState state;
  read_joint_state(message, 9, configuration, state);
  require(state.received == 9 && state.stamp == whole(message.header.stamp), "times");
  std::map<std::string, int> times;
  for (const std::string& name : message.name) ++times[name];
  bool complete = positions == names && velocities == names;
  for (std::size_t j = 0; j < configuration.joint_count; ++j) {
    complete = complete && times[std::string(configuration.joints[j].view())] == 1;
  }
  require(state.complete == complete, "complete means that every joint is named once");
  if (!complete) return;
  for (std::size_t i = 0; i < names; ++i) {
    for (std::size_t j = 0; j < configuration.joint_count; ++j) {
      if (message.name[i] != configuration.joints[j].view()) continue;
      require(same(state.position[j], message.position[i]), "position by name");
      require(same(state.velocity[j], message.velocity[i]), "velocity by name");
    }
  }
}

void decode_small(Bytes& bytes) {
  sensor_msgs::msg::Range range;
  range.range = static_cast<float>(any(bytes));
  range.min_range = static_cast<float>(any(bytes));
  range.max_range = static_cast<float>(any(bytes));
  range.header.stamp = time(bytes);
  SeparationReading reading;
  read_separation(range, 3, reading);
  require(reading.stamp == whole(range.header.stamp), "a distance keeps its stamp");
  const bool inside = range.range >= range.min_range && range.range <= range.max_range;
  const float infinity = std::numeric_limits<float>::infinity();
  const double expected = range.range == infinity ? range.max_range : inside ? range.range : 0.0F;
  require(same(reading.distance, expected), "what lies outside a sensor's range is touch");
  openral_msgs::msg::EStop estop;
  estop.source = text(bytes);
  estop.asserted = bytes.flag();
  EStopLevel level;
  read_estop(estop, 4, level);
  require(holds(level.source, estop.source) && level.asserted == estop.asserted, "e-stop");
  geometry_msgs::msg::TwistStamped twist;
  twist.twist.linear.x = any(bytes);
  twist.twist.angular.z = any(bytes);
  twist.header.frame_id = bytes.flag() ? "base_link" : text(bytes);
  VelocityCommand command;
  read_velocity_command(twist, 5, command);
  require(
      same(command.twist[0], twist.twist.linear.x) && same(command.twist[5], twist.twist.angular.z),
      "twist");
  const std::string& frame = twist.header.frame_id;
  require(command.in_base_frame == (frame.empty() || frame == "base_link"), "frame");
}

// A reader of JSON objects of texts, numbers, null and lists of them, which is all that evidence is
// made of.
class Json {
 public:
  explicit Json(const std::string& text) : at_(text.data()), end_(at_ + text.size()) {}
  [[nodiscard]] bool object() {
    if (!eat('{')) return false;
    do {
      eat(' ');
      if (!string() || !eat(':') || !eat(' ') || !value()) return false;
    } while (eat(','));
    return eat('}') && at_ == end_;
  }

 private:
  bool eat(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool string() {
    if (!eat('"')) return false;
    while (at_ != end_ && *at_ != '"') {
      const auto byte = static_cast<unsigned char>(*at_++);
      if (byte < 0x20) return false;
      if (byte != '\\') continue;
      if (at_ == end_) return false;
      const char kind = *at_++;
      if (kind == '"' || kind == '\\') continue;
      if (kind != 'u') return false;
      for (int i = 0; i < 4; ++i) {
        if (at_ == end_ || std::isxdigit(static_cast<unsigned char>(*at_++)) == 0) return false;
      }
    }
    return eat('"');
  }
  [[nodiscard]] bool value() {
    if (at_ != end_ && *at_ == '"') return string();
    if (eat('[')) {
      do {
        eat(' ');
        if (!value()) return false;
      } while (eat(','));
      return eat(']');
    }
    if (end_ - at_ >= 4 && std::strncmp(at_, "null", 4) == 0) {
      at_ += 4;
      return true;
    }
    const char* const begin = at_;
    while (at_ != end_ && std::strchr("+-.0123456789e", *at_) != nullptr) ++at_;
    return at_ != begin;
  }

  const char* at_;
  const char* end_;
};

void encode(Bytes& bytes, const Configuration& configuration) {
  Report report;
  report.severity = static_cast<Severity>(bytes.take<std::uint8_t>() % 4);
  report.finding.reason = static_cast<Reason>(bytes.take<std::uint8_t>() % 70);
  report.finding.row = bytes.take<std::int32_t>();
  report.finding.joint = bytes.take<std::uint8_t>() % 4 - 1;
  report.finding.value = any(bytes);
  report.finding.limit = any(bytes);
  report.skill_id.assign(text(bytes));
  report.trace_id.assign(text(bytes));
  report.source.assign(text(bytes));
  openral_msgs::msg::FailureTrigger failure;
  write_failure(report, configuration, "kernel", 12, failure);
  require(Json(failure.evidence_json).object(), "evidence is JSON");
  Command command;
  for (double& value : command.position) value = any(bytes);
  command.mode = bytes.flag() ? ControlMode::kBodyTwist : ControlMode::kJointPosition;
  openral_msgs::msg::MotorCommand message;
  write_command(command, configuration, bytes.take<std::uint32_t>(), message);
  const auto left = static_cast<Nanoseconds>(bytes.take<std::uint32_t>());
  write_lease(left, message);
  const Nanoseconds valid = whole(message.valid_until) - whole(message.header.stamp);
  require(valid == configuration.times.lease, "a command is valid for its lease");
  require(message.lease.sec * 1'000'000'000LL + message.lease.nanosec == left,
          "and says what is left of it");
}

}  // namespace
}  // namespace openral::safety::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openral::safety;
  static const Configuration configuration = fuzz::configuration();
  fuzz::Bytes bytes(data, size);
  switch (bytes.take<std::uint8_t>() % 4) {
    case 0:
      fuzz::decode_joint_state(bytes, configuration);
      break;
    case 1:
      fuzz::decode_small(bytes);
      break;
    case 2:
      fuzz::encode(bytes, configuration);
      break;
    default:
      fuzz::decode_chunk(bytes, configuration);
  }
  return 0;
}
