#include "duo_in_a_cell.hpp"

namespace openral::safety::duo {

void set_capsule(RawConfiguration& raw, const std::string& prefix, const std::vector<double>& from,
                 const std::vector<double>& to, double radius) {
  raw.vectors[prefix + ".from"] = from;
  raw.vectors[prefix + ".to"] = to;
  raw.numbers[prefix + ".radius"] = radius;
}

RawConfiguration raw_in_a_cell() {
  RawConfiguration raw = duo::raw_in_space();
  raw.vectors["robot.arm.workspace_min"] = {-2.5, -2.5, 0};
  raw.vectors["robot.arm.workspace_max"] = {2.5, 2.5, 0.2};
  raw.numbers["robot.arm.tool_speed_max"] = 2;
  const std::string robot = "robot.collision.";
  raw.flags[robot + "enabled"] = true;
  raw.numbers[robot + "margin"] = 0.02;
  raw.numbers[robot + "stop_margin"] = 0.01;
  raw.lists[robot + "bodies"] = {"pedestal", "upper", "fore"};
  raw.texts[robot + "body.pedestal.link"] = "base";
  raw.vectors[robot + "body.pedestal.position"] = {0, 0, -0.2};
  raw.vectors[robot + "body.pedestal.rpy"] = {0, 0, 0};
  raw.vectors[robot + "body.pedestal.size"] = {0.2, 0.2, 0.3};
  raw.texts[robot + "body.upper.link"] = "shoulder";
  set_capsule(raw, robot + "body.upper", {0, 0, 0}, {1, 0, 0}, 0.05);
  raw.texts[robot + "body.fore.link"] = "elbow";
  set_capsule(raw, robot + "body.fore", {0, 0, 0}, {1, 0, 0}, 0.05);
  raw.flags["world.required"] = false;
  raw.lists["world.bodies"] = {"post"};
  set_capsule(raw, "world.body.post", {0, -1.5, -1}, {0, -1.5, 1}, 0.05);
  return raw;
}

RawConfiguration raw_in_a_world() {
  RawConfiguration raw = raw_in_a_cell();
  raw.flags["world.required"] = true;
  raw.numbers["world.age_max_s"] = 0.05;
  raw.texts["world.frame"] = "base_link";
  return raw;
}

WorldBody world_box(const char* name, const Vector3& position, const Vector3& size) {
  WorldBody body;
  body.name.assign(name);
  body.shape = kWorldBox;
  body.position = position;
  body.orientation = {0, 0, 0, 1};
  body.size = size;
  return body;
}

WorldBody world_capsule(const char* name, const Vector3& position, double radius, double length) {
  WorldBody body = world_box(name, position, {radius, length, 0});
  body.shape = kWorldCapsule;
  return body;
}

std::unique_ptr<CollisionWorld> world() {
  auto world = std::make_unique<CollisionWorld>();
  world->frame.assign("base_link");
  return world;
}

std::unique_ptr<CollisionWorld> world_with(const WorldBody& body) {
  auto world = duo::world();
  world->bodies[world->body_count++] = body;
  return world;
}

}  // namespace openral::safety::duo
