// A parameter that rcl would hand on as something else than was given.
#pragma once

#include <optional>
#include <string>

namespace openral::safety {

// What is wrong with the ROS arguments, in one line: a name that files and `-p` give as values of
// two types, or as an empty list. Of two types rcl keeps a value each, and hands on a whole number
// before a decimal, whichever came last: a limit of 2 in a file would outlive `-p limit:=1.5`. An
// empty list has no type: it leaves an earlier list in force, and alone rclcpp refuses it without
// saying which.
[[nodiscard]] std::optional<std::string> misread_parameter(int argc, const char* const* argv);

}  // namespace openral::safety
