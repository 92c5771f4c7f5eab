#include "field_reader.hpp"

#include <cmath>
#include <cstdio>

namespace openral::safety {
namespace {

std::string range_of(const NumberField& field) {
  return "[" + text_of(field.low) + ", " + text_of(field.high) + "] " + field.unit;
}

}  // namespace

Nanoseconds to_nanoseconds(double seconds) {
  return static_cast<Nanoseconds>(std::llround(seconds * kSecond));
}

std::string text_of(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<ConfigurationError> read_number(const RawConfiguration& raw, const std::string& name,
                                              const NumberField& field, double& out) {
  const auto found = raw.numbers.find(name);
  if (found == raw.numbers.end()) {
    const auto text = raw.texts.find(name);
    return ConfigurationError{name, text == raw.texts.end() ? "missing" : "'" + text->second + "'",
                              range_of(field)};
  }
  if (!std::isfinite(found->second) || found->second < field.low || found->second > field.high) {
    return ConfigurationError{name, text_of(found->second), range_of(field)};
  }
  out = found->second;
  return std::nullopt;
}

std::optional<ConfigurationError> read_numbers(const RawConfiguration& raw,
                                               const std::string& prefix,
                                               const std::vector<NumberField>& fields,
                                               const std::vector<double*>& targets) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (auto error = read_number(raw, prefix + fields[i].name, fields[i], *targets[i])) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<ConfigurationError> read_flag(const RawConfiguration& raw, const std::string& name,
                                            bool& out) {
  const auto found = raw.flags.find(name);
  if (found == raw.flags.end()) return ConfigurationError{name, "missing", "true, false"};
  out = found->second;
  return std::nullopt;
}

std::optional<ConfigurationError> refuse_unknown(const RawConfiguration& raw,
                                                 const std::string& prefix,
                                                 const std::set<std::string>& known) {
  const auto check = [&](const auto& fields) -> std::optional<ConfigurationError> {
    for (auto field = fields.lower_bound(prefix); field != fields.end(); ++field) {
      const std::string& name = field->first;
      if (name.compare(0, prefix.size(), prefix) != 0) break;
      if (known.count(name) == 0) {
        return ConfigurationError{name, "unknown field", joined({known.begin(), known.end()})};
      }
    }
    return std::nullopt;
  };
  if (auto error = check(raw.numbers)) return error;
  if (auto error = check(raw.texts)) return error;
  if (auto error = check(raw.flags)) return error;
  if (auto error = check(raw.lists)) return error;
  return check(raw.vectors);
}

}  // namespace openral::safety
