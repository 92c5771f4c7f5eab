// The small robot among things that it could hit.
//
//            y
//            |   upper      fore
//   pedestal o----------o----------o      from above; the arm is 0.1 m high, both links are
//            |          1          2  x   capsules with a radius of 0.05 m
//            |
//            |
//            * post, at (0, -1.5), radius 0.05 m, from z = -1 to z = 1
//
// The stretched arm at shoulder angle -pi/2 + phi is 1.5 sin phi - 0.1 away from the post.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collision_world.hpp"
#include "duo_in_space.hpp"

namespace openral::safety::duo {

void set_capsule(RawConfiguration& raw, const std::string& prefix, const std::vector<double>& from,
                 const std::vector<double>& to, double radius);

RawConfiguration raw_in_a_cell();

// Motion needs a world that is at most 50 ms old.
RawConfiguration raw_in_a_world();

WorldBody world_box(const char* name, const Vector3& position, const Vector3& size);

WorldBody world_capsule(const char* name, const Vector3& position, double radius, double length);

// An empty one.
std::unique_ptr<CollisionWorld> world();

std::unique_ptr<CollisionWorld> world_with(const WorldBody& body);

}  // namespace openral::safety::duo
