#include "parameter_types.hpp"

#include <rcl_yaml_param_parser/parser.h>
#include <rcutils/error_handling.h>

#include <map>
#include <memory>
#include <set>

namespace openral::safety {
namespace {

using Params = std::unique_ptr<rcl_params_t, void (*)(rcl_params_t*)>;
using Types = std::map<std::string, std::set<std::string>>;  // by name

constexpr const char* kEmpty = "an empty list";

std::set<std::string> types_of(const rcl_variant_t& value) {
  std::set<std::string> types;
  const auto note = [&](const void* given, const char* type) {
    if (given != nullptr) types.insert(type);
  };
  note(value.bool_value, "a flag");
  note(value.integer_value, "a whole number");
  note(value.double_value, "a decimal");
  note(value.string_value, "a text");
  note(value.byte_array_value, "bytes");
  note(value.bool_array_value, "a list of flags");
  note(value.integer_array_value, "a list of whole numbers");
  note(value.double_array_value, "a list of decimals");
  note(value.string_array_value, "a list of texts");
  return types;
}

// True if a file's section for `nodes` may be this one's: `/**`, or by its own name.
bool for_us(const std::string& nodes) {
  const std::string last = nodes.substr(nodes.rfind('/') + 1);
  return last == "**" || last == "*" || last == "safety_kernel";
}

// Of every node: a file for several may name this one in many ways. Another's empty list, which is
// no fault of a Python node's, stays its own.
void note_types(const rcl_params_t& params, Types& types) {
  for (std::size_t n = 0; n < params.num_nodes; ++n) {
    const rcl_node_params_t& node = params.params[n];
    for (std::size_t p = 0; p < node.num_params; ++p) {
      std::set<std::string> given = types_of(node.parameter_values[p]);
      if (given.empty() && for_us(params.node_names[n])) given.insert(kEmpty);
      types[node.parameter_names[p]].merge(given);
    }
  }
}

Params empty_params() {
  return {rcl_yaml_node_struct_init(rcutils_get_default_allocator()), rcl_yaml_node_struct_fini};
}

// What cannot be read is refused by rcl itself, with its place.
void note_file(const char* path, Types& types) {
  const Params params = empty_params();
  if (params != nullptr && rcl_parse_yaml_file(path, params.get())) note_types(*params, types);
  rcutils_reset_error();
}

// `name:=value` or `node:name:=value`.
void note_override(const std::string& text, Types& types) {
  const auto end = text.find(":=");
  if (end == std::string::npos) return;
  const auto colon = text.rfind(':', end - 1);
  const bool named = colon < end;
  const std::string node = named ? text.substr(0, colon) : "/**";
  const std::string name = named ? text.substr(colon + 1, end - colon - 1) : text.substr(0, end);
  const Params params = empty_params();
  if (params != nullptr && !node.empty() && !name.empty() &&
      rcl_parse_yaml_value(node.c_str(), name.c_str(), text.c_str() + end + 2, params.get())) {
    note_types(*params, types);
  }
  rcutils_reset_error();
}

}  // namespace

std::optional<std::string> misread_parameter(int argc, const char* const* argv) {
  Types types;
  bool ros = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--ros-args") ros = true;
    if (argument == "--") ros = false;
    if (!ros || i + 1 == argc) continue;
    if (argument == "--params-file") note_file(argv[++i], types);
    if (argument == "-p" || argument == "--param") note_override(argv[++i], types);
  }
  for (const auto& [name, given] : types) {
    if (given.size() == 1 && *given.begin() == kEmpty) {
      return name + " = an empty list, valid: at least one entry, or the name left out";
    }
    if (given.size() < 2) continue;
    return name + " = both " + *given.begin() + " and " + *std::next(given.begin()) +
           ", valid: values of one type, wherever it is given";
  }
  return std::nullopt;
}

}  // namespace openral::safety
