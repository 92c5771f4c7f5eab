#include "collision_configuration.hpp"

#include <cmath>
#include <map>
#include <set>

#include "arm_configuration.hpp"
#include "field_reader.hpp"

namespace openral::safety {
namespace {

using Error = std::optional<ConfigurationError>;

const std::string kRobot = "robot.collision.";
const std::string kWorld = "world.";
const std::string kBase = "base";

constexpr VectorField kFrom{"from", "m", 10, "one end of a capsule's axis"};
constexpr VectorField kTo{"to", "m", 10, "the other end of a capsule's axis"};
constexpr VectorField kPosition{"position", "m", 10, "the centre of a box"};
constexpr VectorField kRpy{"rpy", "rad", 6.2832, "a box's fixed-axis roll, pitch and yaw"};
constexpr VectorField kSize{"size", "m", 20, "a box's edges"};
constexpr NumberField kRadius{"radius", "m", kThinnest, 10, "a capsule's radius"};

Error read_capsule(const RawConfiguration& raw, const std::string& prefix, Solid& out) {
  Vector3 from{};
  Vector3 to{};
  double radius = 0;
  if (auto error = read_vector(raw, prefix + kFrom.name, kFrom, from)) return error;
  if (auto error = read_vector(raw, prefix + kTo.name, kTo, to)) return error;
  if (auto error = read_number(raw, prefix + kRadius.name, kRadius, radius)) return error;
  out = capsule(from, to, radius);
  return std::nullopt;
}

Error read_box(const RawConfiguration& raw, const std::string& prefix, Solid& out) {
  Vector3 position{};
  Vector3 rpy{};
  Vector3 size{};
  if (auto error = read_vector(raw, prefix + kPosition.name, kPosition, position)) return error;
  if (auto error = read_vector(raw, prefix + kRpy.name, kRpy, rpy)) return error;
  if (auto error = read_vector(raw, prefix + kSize.name, kSize, size)) return error;
  for (const double edge : size) {
    if (!(edge >= kThinnest)) {
      return ConfigurationError{prefix + kSize.name, text_of(edge), "edges of 0.001 m or more"};
    }
  }
  out = box(position, from_rpy(rpy), size);
  return std::nullopt;
}

// A field of the other shape would be left out silently.
Error read_solid(const RawConfiguration& raw, const std::string& prefix, Solid& out) {
  const char* const valid = "from, to and radius of a capsule, or position, rpy and size of a box";
  const bool round = raw.numbers.count(prefix + kRadius.name) != 0;
  for (const char* name : {kFrom.name, kTo.name}) {
    if (!round && raw.vectors.count(prefix + name) != 0) {
      return ConfigurationError{prefix + kRadius.name, "missing", valid};
    }
  }
  for (const char* name : {kPosition.name, kRpy.name, kSize.name}) {
    if (round && raw.vectors.count(prefix + name) != 0) {
      return ConfigurationError{prefix + name, "beside a radius", valid};
    }
  }
  return round ? read_capsule(raw, prefix, out) : read_box(raw, prefix, out);
}

std::string links_of(const Configuration& configuration) {
  std::vector<std::string> names = {kBase};
  for (const ChainJoint& joint : configuration.arm.chain.joints) {
    names.emplace_back(configuration.joints[joint.joint].view());
  }
  return joined(names);
}

// Leaves `link` as it is, standing, for a body of the base.
Error read_link(const RawConfiguration& raw, const std::string& name,
                const Configuration& configuration, std::int32_t& link) {
  const auto found = raw.texts.find(name);
  const std::string text = found == raw.texts.end() ? "" : found->second;
  if (text == kBase) return std::nullopt;
  const auto& joints = configuration.arm.chain.joints;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    if (configuration.joints[joints[c].joint] != FixedString<kMaxName>(text)) continue;
    link = static_cast<std::int32_t>(c);
    return std::nullopt;
  }
  return ConfigurationError{name, text.empty() ? "missing" : "'" + text + "'",
                            "the joint that moves it: " + links_of(configuration)};
}

// Bodies `prefix`bodies with their fields below `prefix`body.<name>.; of the robot, with a link.
template <std::size_t N>
Error read_bodies(const RawConfiguration& raw, const std::string& prefix, bool linked,
                  const Configuration& configuration, std::map<std::string, std::uint8_t>& index,
                  FixedVector<CollisionBody, N>& out) {
  const std::string list = prefix + "bodies";
  const auto found = raw.lists.find(list);
  if (found == raw.lists.end()) return std::nullopt;
  for (const std::string& name : found->second) {
    const bool plain =
        !name.empty() && name.size() <= kMaxName && name.find_first_of(".:") == std::string::npos;
    if (!plain || index.count(name) != 0 || out.full()) {
      return ConfigurationError{list, "'" + name + "'",
                                "at most " + std::to_string(N) +
                                    " names of 1 to 64 bytes without a dot or colon, each once"};
    }
    CollisionBody body;
    body.name.assign(name);
    const std::string fields = prefix + "body." + name + ".";
    if (linked) {
      if (auto error = read_link(raw, fields + "link", configuration, body.link)) return error;
    }
    if (auto error = read_solid(raw, fields, body.solid)) return error;
    const auto place = static_cast<std::uint8_t>(index.size());
    index[name] = place;
    (void)out.push(body);
  }
  return std::nullopt;
}

// A link without a body could meet anything unseen.
Error require_every_link(const Configuration& configuration) {
  const auto& joints = configuration.arm.chain.joints;
  for (std::size_t c = 0; c < joints.size(); ++c) {
    bool found = false;
    for (const CollisionBody& body : configuration.collision.links) {
      found = found || body.link == static_cast<std::int32_t>(c);
    }
    if (found) continue;
    return ConfigurationError{
        kRobot + "bodies",
        "none on '" + std::string(configuration.joints[joints[c].joint].view()) + "'",
        "one body at least on each of: " + links_of(configuration)};
  }
  return std::nullopt;
}

Error read_allowed(const RawConfiguration& raw, const std::map<std::string, std::uint8_t>& index,
                   CollisionLimits& out) {
  const std::string field = kRobot + "allowed";
  const auto found = raw.lists.find(field);
  if (found == raw.lists.end()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, place] : index) names.push_back(name);
  for (const std::string& pair : found->second) {
    const auto colon = pair.find(':');
    const auto first = index.find(pair.substr(0, colon));
    const auto second =
        colon == std::string::npos ? index.end() : index.find(pair.substr(colon + 1));
    const bool known = first != index.end() && second != index.end() && first != second;
    if (!known || !out.allowed.push({first->second, second->second})) {
      return ConfigurationError{field, "'" + pair + "'",
                                "at most 64 pairs first:second of: " + joined(names)};
    }
  }
  return std::nullopt;
}

Error read_world(const RawConfiguration& raw, CollisionLimits& out) {
  const auto required = raw.flags.find(kWorld + "required");
  if (required == raw.flags.end()) {
    return ConfigurationError{kWorld + "required", "missing", "true, false"};
  }
  out.world_required = required->second;
  if (!out.world_required) return std::nullopt;
  double age_max = 0;
  if (auto error = read_numbers(raw, kWorld, world_fields(), {&age_max})) return error;
  out.world_age_max = to_nanoseconds(age_max);
  const auto frame = raw.texts.find(kWorld + "frame");
  if (frame == raw.texts.end() || frame->second.empty() || frame->second.size() > kMaxName) {
    return ConfigurationError{kWorld + "frame",
                              frame == raw.texts.end() ? "missing" : frame->second,
                              "a name of 1 to 64 bytes"};
  }
  out.world_frame.assign(frame->second);
  return std::nullopt;
}

Error read_enabled(const RawConfiguration& raw, Configuration& out) {
  CollisionLimits& limits = out.collision;
  if (!out.arm.limited) {
    return ConfigurationError{kRobot + "enabled", "true",
                              "false, or robot.arm.forward_kinematics: true"};
  }
  if (auto error =
          read_numbers(raw, kRobot, collision_fields(), {&limits.margin, &limits.stop_margin})) {
    return error;
  }
  // A stop that comes before a refusal would stop what was just admitted.
  if (limits.stop_margin > limits.margin) {
    return ConfigurationError{kRobot + "stop_margin", text_of(limits.stop_margin),
                              "at most margin = " + text_of(limits.margin)};
  }
  std::map<std::string, std::uint8_t> index;
  if (auto error = read_bodies(raw, kRobot, true, out, index, limits.links)) return error;
  if (auto error = require_every_link(out)) return error;
  if (auto error = read_bodies(raw, kWorld, false, out, index, limits.statics)) return error;
  if (auto error = read_allowed(raw, index, limits)) return error;
  if (auto error = read_world(raw, limits)) return error;
  limits.enabled = true;
  return std::nullopt;
}

void add_body_fields(const RawConfiguration& raw, const std::string& prefix, bool linked,
                     std::set<std::string>& known) {
  const auto found = raw.lists.find(prefix + "bodies");
  if (found == raw.lists.end()) return;
  for (const std::string& name : found->second) {
    const std::string fields = prefix + "body." + name + ".";
    if (linked) known.insert(fields + "link");
    for (const VectorField& field : {kFrom, kTo, kPosition, kRpy, kSize}) {
      known.insert(fields + field.name);
    }
    known.insert(fields + kRadius.name);
  }
}

}  // namespace

const std::vector<NumberField>& collision_fields() {
  static const std::vector<NumberField> fields = {
      {"margin", "m", 0, 0.5, "a chunk that brings two bodies nearer is refused"},
      {"stop_margin", "m", 0, 0.5, "a motion that brings two bodies nearer is stopped"},
  };
  return fields;
}

const std::vector<NumberField>& world_fields() {
  static const std::vector<NumberField> fields = {
      {"age_max_s", "s", 0.01, 5, "an older collision_world keeps everything at rest"},
  };
  return fields;
}

std::string describe_collision_field(const std::string& name) {
  static const std::map<std::string, std::string> texts = {
      {"enabled", "keep links, load and world apart, true or false"},
      {"bodies", "names of the capsules and boxes described below body."},
      {"allowed", "pairs of bodies, first:second, that may meet"},
      {"link", "the joint that moves the body, or base"},
      {"required", "motion needs a fresh collision_world, true or false"},
      {"frame", "frame_id that a collision_world must carry: the arm's base"},
  };
  const std::string field = name.substr(name.rfind('.') + 1);
  if (const auto found = texts.find(field); found != texts.end()) return found->second;
  const auto with_unit = [](const auto& given) {
    return std::string(given.description) + " [" + given.unit + "]";
  };
  for (const VectorField& given : {kFrom, kTo, kPosition, kRpy, kSize}) {
    if (field == given.name) return with_unit(given);
  }
  if (field == kRadius.name) return with_unit(kRadius);
  for (const auto* fields : {&collision_fields(), &world_fields()}) {
    for (const NumberField& given : *fields) {
      if (field == given.name) return with_unit(given);
    }
  }
  return "";
}

std::optional<ConfigurationError> read_collision(const RawConfiguration& raw, Configuration& out) {
  std::set<std::string> robot = {kRobot + "enabled", kRobot + "bodies", kRobot + "allowed"};
  std::set<std::string> world = {kWorld + "required", kWorld + "bodies", kWorld + "frame"};
  for (const auto& field : collision_fields()) robot.insert(kRobot + field.name);
  for (const auto& field : world_fields()) world.insert(kWorld + field.name);
  add_body_fields(raw, kRobot, true, robot);
  add_body_fields(raw, kWorld, false, world);
  if (auto error = refuse_unknown(raw, kRobot, robot)) return error;
  if (auto error = refuse_unknown(raw, kWorld, world)) return error;
  const auto enabled = raw.flags.find(kRobot + "enabled");
  if (enabled == raw.flags.end()) {
    return ConfigurationError{kRobot + "enabled", "missing", "true, false"};
  }
  if (enabled->second) return read_enabled(raw, out);
  const auto required = raw.flags.find(kWorld + "required");
  if (required == raw.flags.end() || !required->second) return std::nullopt;
  return ConfigurationError{kWorld + "required", "true", "false, or " + kRobot + "enabled: true"};
}

}  // namespace openral::safety
