// Parameter values, and the overrides that the command line and parameter files give a node.
#pragma once

#include <rcl/arguments.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rclcpp {

// The order is that of ParameterValue's alternatives, and of rcl_interfaces/ParameterType.
enum ParameterType : std::uint8_t {
  PARAMETER_NOT_SET = 0,
  PARAMETER_BOOL = 1,
  PARAMETER_INTEGER = 2,
  PARAMETER_DOUBLE = 3,
  PARAMETER_STRING = 4,
  PARAMETER_BYTE_ARRAY = 5,
  PARAMETER_BOOL_ARRAY = 6,
  PARAMETER_INTEGER_ARRAY = 7,
  PARAMETER_DOUBLE_ARRAY = 8,
  PARAMETER_STRING_ARRAY = 9,
};

class ParameterValue {
 public:
  ParameterValue() = default;
  explicit ParameterValue(bool value) : value_(value) {}
  explicit ParameterValue(std::int64_t value) : value_(value) {}
  explicit ParameterValue(double value) : value_(value) {}
  explicit ParameterValue(std::string value) : value_(std::move(value)) {}
  explicit ParameterValue(std::vector<std::uint8_t> value) : value_(std::move(value)) {}
  explicit ParameterValue(std::vector<bool> value) : value_(std::move(value)) {}
  explicit ParameterValue(std::vector<std::int64_t> value) : value_(std::move(value)) {}
  explicit ParameterValue(std::vector<double> value) : value_(std::move(value)) {}
  explicit ParameterValue(std::vector<std::string> value) : value_(std::move(value)) {}

  [[nodiscard]] ParameterType get_type() const {
    return static_cast<ParameterType>(value_.index());
  }
  // Throws std::bad_variant_access if the value is of another type.
  template <typename T>
  [[nodiscard]] const T& get() const {
    return std::get<T>(value_);
  }

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::uint8_t>,
               std::vector<bool>, std::vector<std::int64_t>, std::vector<double>,
               std::vector<std::string>>
      value_;
};

namespace on_rcl {

// The overrides that match the node of this fully qualified name; later ones win.
[[nodiscard]] std::map<std::string, ParameterValue> overrides_of(const rcl_arguments_t& arguments,
                                                                 const std::string& node);

}  // namespace on_rcl
}  // namespace rclcpp
