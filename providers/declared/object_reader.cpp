#include "providers/declared/object_reader.h"

#include <algorithm>
#include <cmath>

namespace cutaway::declared {

namespace {

// 2026, 2026-11 or 2026-11-21: sources often give no day.
bool isDate(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  const auto pair = [&](size_t at) { return at >= text.size() ? 1 : (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  return pair(5) >= 1 && pair(5) <= 12 && pair(8) >= 1 && pair(8) <= 31;
}

}  // namespace

std::string toText(const ProfileError& error) {
  const std::string place = error.path.empty() ? "the profile" : error.path;
  return error.line > 0 ? fmt::format("{}: {}, line {}", place, error.message, error.line)
                        : fmt::format("{}: {}", place, error.message);
}

void ProfileErrors::add(std::string path, int line, std::string message) {
  if (m_errors.size() < kMost) {
    m_errors.push_back({std::move(path), line, std::move(message)});
  } else {
    ++m_leftOut;
  }
}

ObjectReader::ObjectReader(const JsonValue& value, std::string path, ProfileErrors& errors)
    : m_value(value), m_path(std::move(path)), m_errors(errors) {
  if (!value.is(JsonValue::Kind::kObject))
    m_errors.add(m_path, value.line, fmt::format("is {}, and an object is wanted", kindName(value.kind)));
}

std::string ObjectReader::pathOf(std::string_view member) const {
  return m_path.empty() ? std::string(member) : fmt::format("{}.{}", m_path, member);
}

void ObjectReader::wrong(std::string_view member, std::string message) const {
  const JsonValue* found = m_value.member(member);
  m_errors.add(pathOf(member), found == nullptr ? m_value.line : found->line, std::move(message));
}

const JsonValue* ObjectReader::anyMember(std::string_view name) {
  m_asked.push_back(name);
  return m_value.member(name);
}

const JsonValue* ObjectReader::member(std::string_view name, JsonValue::Kind kind, Need need) {
  const JsonValue* found = anyMember(name);
  if (found == nullptr) {
    if (need == Need::kRequired && m_value.is(JsonValue::Kind::kObject))
      m_errors.add(pathOf(name), m_value.line, fmt::format("is missing; {} is wanted", kindName(kind)));
    return nullptr;
  }
  if (found->is(kind)) return found;
  wrong(name, fmt::format("is {} ({}), and {} is wanted", kindName(found->kind), toText(*found), kindName(kind)));
  return nullptr;
}

std::string ObjectReader::text(std::string_view name, Need need) {
  const JsonValue* found = member(name, JsonValue::Kind::kString, need);
  if (found == nullptr) return {};
  if (found->string.empty() && need == Need::kRequired) wrong(name, "is empty");
  return found->string;
}

std::string ObjectReader::date(std::string_view name, Need need) {
  const JsonValue* found = member(name, JsonValue::Kind::kString, need);
  if (found == nullptr) return {};
  if (!isDate(found->string))
    wrong(name, fmt::format("\"{}\" is no date; write it as 2026-11-21, 2026-11 or 2026", found->string));
  return found->string;
}

std::string ObjectReader::oneOf(std::string_view name, std::initializer_list<std::string_view> allowed,
                                std::string otherwise) {
  const JsonValue* found = member(name, JsonValue::Kind::kString);
  if (found == nullptr) return otherwise;
  if (std::find(allowed.begin(), allowed.end(), found->string) != allowed.end()) return found->string;
  wrong(name, fmt::format("\"{}\" is not known; allowed are {}", found->string, fmt::join(allowed, ", ")));
  return otherwise;
}

bool ObjectReader::flag(std::string_view name, bool otherwise) {
  const JsonValue* found = member(name, JsonValue::Kind::kBool);
  return found == nullptr ? otherwise : found->boolean;
}

std::optional<int64_t> ObjectReader::whole(std::string_view name, Span allowed) {
  const JsonValue* found = member(name, JsonValue::Kind::kNumber);
  if (found == nullptr) return std::nullopt;
  if (found->whole && allowed.contains(found->integer)) return found->integer;
  wrong(name, fmt::format("is {}, and a whole number of {} is wanted", toText(*found), toText(allowed)));
  return std::nullopt;
}

std::optional<double> ObjectReader::number(std::string_view name) {
  const JsonValue* found = member(name, JsonValue::Kind::kNumber);
  if (found == nullptr) return std::nullopt;
  return found->number;
}

double ObjectReader::amount(std::string_view name) {
  const JsonValue* found = member(name, JsonValue::Kind::kNumber);
  if (found == nullptr) return 0;
  if (found->number >= 0 && std::isfinite(found->number)) return found->number;
  wrong(name, fmt::format("is {}, and a number of 0 (not known) or more is wanted", toText(*found)));
  return 0;
}

std::vector<std::string> ObjectReader::texts(std::string_view name) {
  std::vector<std::string> list;
  const JsonValue* found = member(name, JsonValue::Kind::kArray);
  if (found == nullptr) return list;
  for (size_t i = 0; i < found->items.size(); ++i) {
    const JsonValue& item = found->items[i];
    if (item.is(JsonValue::Kind::kString) && !item.string.empty()) {
      list.push_back(item.string);
    } else {
      wrongAt(fmt::format("{}[{}]", pathOf(name), i), item, fmt::format("is {}, and a name is wanted", toText(item)));
    }
  }
  return list;
}

std::vector<int> ObjectReader::slotNumbers(std::string_view name) {
  std::vector<int> list;
  const JsonValue* found = member(name, JsonValue::Kind::kArray);
  if (found == nullptr) return list;
  for (size_t i = 0; i < found->items.size(); ++i) {
    const JsonValue& item = found->items[i];
    const bool slot = item.is(JsonValue::Kind::kNumber) && item.whole && item.integer >= 0 && item.integer < kMostSlots;
    if (!slot) {
      wrongAt(fmt::format("{}[{}]", pathOf(name), i), item,
              fmt::format("is {}, and the number of an input, counted from 0, is wanted", toText(item)));
    } else if (std::find(list.begin(), list.end(), static_cast<int>(item.integer)) != list.end()) {
      wrongAt(fmt::format("{}[{}]", pathOf(name), i), item, fmt::format("input {} stands here twice", item.integer));
    } else {
      list.push_back(static_cast<int>(item.integer));
    }
  }
  return list;
}

void ObjectReader::finish() {
  for (const auto& [name, value] : m_value.members) {
    if (std::find(m_asked.begin(), m_asked.end(), name) == m_asked.end())
      m_errors.add(pathOf(name), value.line,
                   fmt::format("is not known; allowed here are {}", fmt::join(m_asked, ", ")));
  }
}

}  // namespace cutaway::declared
