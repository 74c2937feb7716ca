#include "sweep/plan/located_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/base/name_hint.h"
#include "engine/base/printable.h"

namespace cutaway::sweep {

std::string_view kindName(LocatedValue::Kind kind) {
  switch (kind) {
    case LocatedValue::Kind::kText:
      return "a text";
    case LocatedValue::Kind::kInteger:
      return "a whole number";
    case LocatedValue::Kind::kReal:
      return "a number";
    case LocatedValue::Kind::kSwitch:
      return "true or false";
    case LocatedValue::Kind::kList:
      return "a list";
    case LocatedValue::Kind::kTable:
      return "a table";
    case LocatedValue::Kind::kOther:
      break;
  }
  return "a date or a time";
}

void PlanErrors::add(const LocatedValue& where, std::string message) {
  m_lines.push_back(fmt::format("{}:{}:{}: {}", m_file, where.line, where.column, printable(message)));
}

Error PlanErrors::error() const {
  return {ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(m_lines, "\n")), {}};
}

MemberReader::MemberReader(const LocatedValue& table, std::string place, PlanErrors& errors)
    : m_table(table), m_place(std::move(place)), m_errors(errors) {}

const LocatedValue* MemberReader::any(std::string_view name) {
  m_asked.emplace_back(name);
  const auto found = std::ranges::find(m_table.members, name, &std::pair<std::string, LocatedValue>::first);
  return found == m_table.members.end() ? nullptr : &found->second;
}

const LocatedValue* MemberReader::take(std::string_view name, LocatedValue::Kind kind) {
  const LocatedValue* value = any(name);
  if (value == nullptr || value->kind == kind) return value;
  fail(*value, fmt::format("'{}' is {}, not {}", name, kindName(kind), kindName(value->kind)));
  return nullptr;
}

bool MemberReader::text(std::string_view name, std::string& target) {
  const LocatedValue* value = take(name, LocatedValue::Kind::kText);
  if (value == nullptr) return false;
  target = value->text;
  return true;
}

bool MemberReader::texts(std::string_view name, std::vector<std::string>& target) {
  const LocatedValue* value = any(name);
  if (value == nullptr) return false;
  if (value->kind == LocatedValue::Kind::kText) {
    target = {value->text};
    return true;
  }
  if (value->kind != LocatedValue::Kind::kList) {
    fail(*value, fmt::format("'{}' is a text or a list of texts, not {}", name, kindName(value->kind)));
    return false;
  }
  target.clear();
  for (const LocatedValue& item : value->items) {
    if (item.kind == LocatedValue::Kind::kText)
      target.push_back(item.text);
    else
      fail(item, fmt::format("'{}' is a list of texts, and this is {}", name, kindName(item.kind)));
  }
  return true;
}

bool MemberReader::integer(std::string_view name, int64_t& target, int64_t least, int64_t most) {
  const LocatedValue* value = take(name, LocatedValue::Kind::kInteger);
  if (value == nullptr) return false;
  if (value->integer < least || value->integer > most) {
    fail(*value, fmt::format("'{}' is {}: it lies between {} and {}", name, value->integer, least, most));
    return false;
  }
  target = value->integer;
  return true;
}

bool MemberReader::real(std::string_view name, double& target, double least, double most) {
  const LocatedValue* value = any(name);
  if (value == nullptr) return false;
  if (value->kind != LocatedValue::Kind::kReal && value->kind != LocatedValue::Kind::kInteger) {
    fail(*value, fmt::format("'{}' is a number, not {}", name, kindName(value->kind)));
    return false;
  }
  if (!(value->real >= least && value->real <= most)) {
    fail(*value, fmt::format("'{}' is {:g}: it lies between {:g} and {:g}", name, value->real, least, most));
    return false;
  }
  target = value->real;
  return true;
}

bool MemberReader::isOn(std::string_view name, bool& target) {
  const LocatedValue* value = take(name, LocatedValue::Kind::kSwitch);
  if (value == nullptr) return false;
  target = value->isOn;
  return true;
}

bool MemberReader::bytes(std::string_view name, int64_t& target) {
  const LocatedValue* value = any(name);
  if (value == nullptr) return false;
  const std::string text =
      value->kind == LocatedValue::Kind::kInteger ? fmt::format("{}", value->integer) : value->text;
  const Result<int64_t> size = parseBytes(text);
  if (!size) {
    fail(*value, fmt::format("'{}': {}", name, size.error().message));
    return false;
  }
  target = *size;
  return true;
}

const LocatedValue* MemberReader::table(std::string_view name) {
  return take(name, LocatedValue::Kind::kTable);
}

std::vector<const LocatedValue*> MemberReader::tables(std::string_view name) {
  const LocatedValue* value = any(name);
  if (value == nullptr) return {};
  if (value->kind == LocatedValue::Kind::kTable) return {value};
  std::vector<const LocatedValue*> tables;
  for (const LocatedValue& item : value->items) {
    if (item.kind == LocatedValue::Kind::kTable) tables.push_back(&item);
  }
  if (value->kind != LocatedValue::Kind::kList || tables.size() != value->items.size())
    fail(*value, fmt::format("'{}' is written as tables: [[{}]]", name, name));
  return tables;
}

void MemberReader::finish() {
  for (const auto& [name, value] : m_table.members) {
    if (std::ranges::find(m_asked, name) != m_asked.end()) continue;
    fail(value, fmt::format("there is no member '{}': {}", name, nameHint("there are", name, m_asked)));
  }
}

Result<int64_t> parseBytes(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1},      {"B", 1},      {"KB", 1e3},          {"MB", 1e6},           {"GB", 1e9},
      {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' '))
    unit.remove_prefix(1);
  const auto* const known = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  const bool isSize = error == std::errc() && known != std::end(kUnits) && std::isfinite(number) && number >= 0;
  if (!isSize || number * known->second > 9e18)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no size; a size is written 512MB or 2GiB", text);
  return static_cast<int64_t>(number * known->second);
}

}  // namespace cutaway::sweep
