// A parameter that is given twice, as values of two types.
#pragma once

#include <optional>
#include <string>

namespace openral::safety {

// What is wrong with the ROS arguments, in one line: a name that files and `-p` give as values of
// two types. Of such values rcl keeps one a type, and hands on a whole number before a decimal,
// whichever came last: a limit of 2 in a file would outlive `-p limit:=1.5`.
[[nodiscard]] std::optional<std::string> parameter_of_two_types(int argc, const char* const* argv);

}  // namespace openral::safety
