// toml++'s tree becomes ours: the one file that includes its headers, which are compiled without exceptions.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include "sweep/plan/located_value.h"
#include <toml++/toml.h>

#include "engine/base/printable.h"
#include "engine/base/read_text_file.h"

namespace cutaway::sweep {

namespace {

constexpr int64_t kLargestPlanBytes = 16 * 1024 * 1024;

// Deep nesting is the parser's to refuse (TOML_MAX_NESTED_VALUES), which bounds this recursion.
LocatedValue converted(const toml::node& node) {
  LocatedValue value;
  value.line = node.source().begin.line;
  value.column = node.source().begin.column;
  using Kind = LocatedValue::Kind;
  if (const auto* const text = node.as_string()) {
    value.kind = Kind::kText;
    value.text = text->get();
  } else if (const auto* const integer = node.as_integer()) {
    value.kind = Kind::kInteger;
    value.integer = integer->get();
    value.real = static_cast<double>(value.integer);
  } else if (const auto* const real = node.as_floating_point()) {
    value.kind = Kind::kReal;
    value.real = real->get();
  } else if (const auto* const isOn = node.as_boolean()) {
    value.kind = Kind::kSwitch;
    value.isOn = isOn->get();
  } else if (const auto* const list = node.as_array()) {
    value.kind = Kind::kList;
    for (const toml::node& item : *list)
      value.items.push_back(converted(item));
  } else if (const auto* const table = node.as_table()) {
    value.kind = Kind::kTable;
    for (const auto& [name, member] : *table)
      value.members.emplace_back(std::string(name.str()), converted(member));
    std::stable_sort(value.members.begin(), value.members.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.line, a.second.column) < std::pair(b.second.line, b.second.column);
    });
  }
  return value;
}

}  // namespace

Result<LocatedValue> readToml(const std::filesystem::path& file) {
  CUTAWAY_TRY(const std::string text, readTextFile(file, {.what = "the plan", .largestBytes = kLargestPlanBytes}));
  const toml::parse_result parsed = toml::parse(text, file.string());
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return fail(ErrorCode::kInvalidArgument, "{}:{}:{}: {}", file.string(), at.line, at.column,
                printable(parsed.error().description()));
  }
  return converted(parsed.table());
}

}  // namespace cutaway::sweep
