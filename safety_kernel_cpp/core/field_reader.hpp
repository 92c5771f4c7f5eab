// Reads fields of the configuration, one at a time, and says what is wrong with one.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "configuration.hpp"

namespace openral::safety {

[[nodiscard]] Nanoseconds to_nanoseconds(double seconds);
[[nodiscard]] std::string text_of(double value);
[[nodiscard]] std::string joined(const std::vector<std::string>& names);

// A finite number within the field's range.
[[nodiscard]] std::optional<ConfigurationError> read_number(const RawConfiguration& raw,
                                                            const std::string& name,
                                                            const NumberField& field, double& out);

// Every one of `fields` below `prefix`, into `targets` in their order.
[[nodiscard]] std::optional<ConfigurationError> read_numbers(const RawConfiguration& raw,
                                                             const std::string& prefix,
                                                             const std::vector<NumberField>& fields,
                                                             const std::vector<double*>& targets);

[[nodiscard]] std::optional<ConfigurationError> read_flag(const RawConfiguration& raw,
                                                          const std::string& name, bool& out);

// Nothing below `prefix` but `known`: a misspelt field would leave its limit out.
[[nodiscard]] std::optional<ConfigurationError> refuse_unknown(const RawConfiguration& raw,
                                                               const std::string& prefix,
                                                               const std::set<std::string>& known);

}  // namespace openral::safety
