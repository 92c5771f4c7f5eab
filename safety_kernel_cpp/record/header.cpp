#include "header.hpp"

#include <cstddef>

#include "line.hpp"

namespace openral::safety {
namespace {

constexpr std::string_view kMagic = "openral_kernel_record";
// More than any field of a configuration holds: a corrupt count must not ask for all memory.
constexpr std::size_t kMaxElements = 1024;

template <typename Values, typename Each>
void read_elements(LineReader& line, Values& values, Each each) {
  std::size_t count = 0;
  line.integer(count);
  if (count > kMaxElements) line.fail("at most 1024 elements", std::to_string(count));
  for (std::size_t i = 0; i < count && line.ok(); ++i) each(values.emplace_back());
}

}  // namespace

std::vector<std::string> header_lines(const RecordHeader& header, std::uint64_t hash) {
  std::vector<std::string> lines;
  LineWriter line;
  const auto end = [&] {
    line.finish();
    lines.push_back(line.text());
    line.clear();
  };
  const auto begin = [&](std::string_view kind, const std::string& name) {
    line.word(kind);
    line.name(name);
  };
  line.word(kMagic);
  line.integer(kRecordVersion);
  end();
  line.word("epoch");
  line.integer(header.first_epoch);
  end();
  for (const auto& [name, value] : header.raw.numbers) {
    begin("number", name);
    line.real(value);
    end();
  }
  for (const auto& [name, value] : header.raw.flags) {
    begin("flag", name);
    line.flag(value);
    end();
  }
  for (const auto& [name, value] : header.raw.texts) {
    begin("text", name);
    line.name(value);
    end();
  }
  for (const auto& [name, values] : header.raw.lists) {
    begin("list", name);
    line.integer(values.size());
    for (const auto& value : values) line.name(value);
    end();
  }
  for (const auto& [name, values] : header.raw.vectors) {
    begin("vector", name);
    line.integer(values.size());
    for (const double value : values) line.real(value);
    end();
  }
  line.word("hash");
  line.integer(hash);
  end();
  return lines;
}

bool HeaderReader::take(std::string_view text) {
  LineReader line(text);
  const std::string_view kind = line.next();
  std::string name;
  if (!begun_) {
    int version = 0;
    if (kind != kMagic) {
      line.fail("'" + std::string(kMagic) + "'", kind);
    } else {
      line.integer(version);
      if (version != kRecordVersion) {
        line.fail("version " + std::to_string(kRecordVersion), std::to_string(version));
      }
    }
    begun_ = true;
  } else if (kind == "epoch") {
    line.integer(header_.first_epoch);
  } else if (kind == "number") {
    line.name(name);
    line.real(header_.raw.numbers[name]);
  } else if (kind == "flag") {
    line.name(name);
    line.flag(header_.raw.flags[name]);
  } else if (kind == "text") {
    line.name(name);
    line.name(header_.raw.texts[name]);
  } else if (kind == "list") {
    line.name(name);
    read_elements(line, header_.raw.lists[name], [&](std::string& value) { line.name(value); });
  } else if (kind == "vector") {
    line.name(name);
    read_elements(line, header_.raw.vectors[name], [&](double& value) { line.real(value); });
  } else if (kind == "hash") {
    std::uint64_t hash = 0;
    line.integer(hash);
    if (const auto error = configure(header_.raw, configuration_)) {
      line.fail("a configuration that this kernel takes", error->text());
    } else if (hash != configuration_.hash) {
      line.fail("the hash of the recorded configuration, " + std::to_string(configuration_.hash),
                std::to_string(hash));
    }
    complete_ = line.ok();
  } else {
    line.fail("epoch, number, flag, text, list, vector or hash", kind);
  }
  if (line.ok() && !line.at_end()) line.fail("the end of the line", line.next());
  error_ = line.error();
  return line.ok();
}

}  // namespace openral::safety
