#include "rclcpp/parameter.hpp"

#include <rcl_yaml_param_parser/parser.h>

#include <regex>

#include "rclcpp/context.hpp"

namespace rclcpp::on_rcl {
namespace {

template <typename To, typename Array>
std::vector<To> list_of(const Array& array) {
  return std::vector<To>(array.values, array.values + array.size);
}

ParameterValue value_of(const rcl_variant_t& variant) {
  if (variant.bool_value != nullptr) return ParameterValue(*variant.bool_value);
  if (variant.integer_value != nullptr) return ParameterValue(*variant.integer_value);
  if (variant.double_value != nullptr) return ParameterValue(*variant.double_value);
  if (variant.string_value != nullptr) return ParameterValue(std::string(variant.string_value));
  if (variant.byte_array_value != nullptr) {
    return ParameterValue(list_of<std::uint8_t>(*variant.byte_array_value));
  }
  if (variant.bool_array_value != nullptr) {
    return ParameterValue(list_of<bool>(*variant.bool_array_value));
  }
  if (variant.integer_array_value != nullptr) {
    return ParameterValue(list_of<std::int64_t>(*variant.integer_array_value));
  }
  if (variant.double_array_value != nullptr) {
    return ParameterValue(list_of<double>(*variant.double_array_value));
  }
  if (variant.string_array_value != nullptr) {
    const rcutils_string_array_t& array = *variant.string_array_value;
    return ParameterValue(std::vector<std::string>(array.data, array.data + array.size));
  }
  return {};
}

// In a parameter file's node name, `*` stands for one name and `**` for any number of them.
bool matches(const std::string& pattern, const std::string& node) {
  std::string expression = std::regex_replace(pattern, std::regex("/\\*\\*"), "(/\\w+)+");
  expression = std::regex_replace(expression, std::regex("/\\*"), "(/\\w+)");
  return std::regex_match(node, std::regex(expression));
}

}  // namespace

std::map<std::string, ParameterValue> overrides_of(const rcl_arguments_t& arguments,
                                                   const std::string& node) {
  std::map<std::string, ParameterValue> overrides;
  rcl_params_t* params = nullptr;
  require(rcl_arguments_get_param_overrides(&arguments, &params), "parameter overrides");
  if (params == nullptr) return overrides;
  for (std::size_t n = 0; n < params->num_nodes; ++n) {
    const std::string pattern = params->node_names[n];
    if (!matches(pattern[0] == '/' ? pattern : "/" + pattern, node)) continue;
    const rcl_node_params_t& given = params->params[n];
    for (std::size_t p = 0; p < given.num_params; ++p) {
      overrides[given.parameter_names[p]] = value_of(given.parameter_values[p]);
    }
  }
  rcl_yaml_node_struct_fini(params);
  return overrides;
}

}  // namespace rclcpp::on_rcl
