#include "providers/declared/located_json.h"

#include <iterator>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "engine/base/json_fault.h"

namespace cutaway::declared {

namespace {

constexpr size_t kLongestText = 60;

// Where the parser is: the line of the last character that is no white space. After a number the parser has read one
// character more, which may be the end of the line and must not count.
struct Position {
  int line = 1;
  int lastInk = 1;
};

// Hands the text to the parser and counts lines on the way.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : m_at(at), m_position(position) {}
  reference operator*() const { return *m_at; }
  CountingIterator& operator++() {
    const char letter = *m_at++;
    if (letter == '\n') {
      ++m_position->line;
    } else if (letter != ' ' && letter != '\t' && letter != '\r') {
      m_position->lastInk = m_position->line;
    }
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }
  bool operator!=(const CountingIterator& other) const { return m_at != other.m_at; }

 private:
  const char* m_at;
  Position* m_position;
};

// Builds the tree from the parser's events; the open containers lie on a stack of its own, so depth costs no call
// stack.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(const Position& position) : m_position(position) {}

  bool null() override { return add({.kind = JsonValue::Kind::kNull, .string = {}, .items = {}}); }
  bool boolean(bool value) override {
    return add({.kind = JsonValue::Kind::kBool, .boolean = value, .string = {}, .items = {}});
  }
  bool number_integer(number_integer_t value) override {
    return add({.kind = JsonValue::Kind::kNumber,
                .whole = true,
                .integer = value,
                .number = static_cast<double>(value),
                .string = {},
                .items = {}});
  }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<int64_t>::max());
    return add({.kind = JsonValue::Kind::kNumber,
                .whole = fits,
                .integer = fits ? static_cast<int64_t>(value) : 0,
                .number = static_cast<double>(value),
                .string = {},
                .items = {}});
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return add({.kind = JsonValue::Kind::kNumber, .number = value, .string = {}, .items = {}});
  }
  bool string(string_t& value) override {
    return add({.kind = JsonValue::Kind::kString, .string = std::move(value), .items = {}});
  }
  bool binary(binary_t& /*value*/) override { return refuse("binary data is no part of JSON text"); }
  bool start_object(size_t /*count*/) override { return open(JsonValue::Kind::kObject); }
  bool start_array(size_t /*count*/) override { return open(JsonValue::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!m_open.back().names.insert(name).second) return refuse(fmt::format("member \"{}\" stands here twice", name));
    m_open.back().key = std::move(name);
    return true;
  }

  bool parse_error(size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& exception) override {
    // Of syntax the position follows, and what was expected comes last.
    const std::string text(jsonFault(exception));
    const size_t colon = text.find(": ");
    return refuse(colon == std::string::npos ? text : text.substr(colon + 2));
  }

  JsonValue take() { return std::move(m_root); }
  const std::string& error() const { return m_error; }
  int errorLine() const { return m_errorLine; }

 private:
  struct Open {
    JsonValue value;
    std::string key;  // of the member being read
    std::unordered_set<std::string> names;
  };

  bool refuse(std::string message) {
    m_error = std::move(message);
    m_errorLine = m_position.lastInk;
    return false;
  }
  bool open(JsonValue::Kind kind) {
    if (m_open.size() == kDeepest) return refuse(fmt::format("more than {} levels of brackets", kDeepest));
    m_open.push_back({});
    m_open.back().value.kind = kind;
    m_open.back().value.line = m_position.lastInk;
    return true;
  }
  bool close() {
    JsonValue done = std::move(m_open.back().value);
    m_open.pop_back();
    return place(std::move(done));
  }
  bool add(JsonValue value) {
    value.line = m_position.lastInk;
    return place(std::move(value));
  }
  bool place(JsonValue value) {
    if (++m_count > kMostValues) return refuse(fmt::format("more than {} values", kMostValues));
    if (m_open.empty()) {
      m_root = std::move(value);
    } else if (m_open.back().value.is(JsonValue::Kind::kArray)) {
      m_open.back().value.items.push_back(std::move(value));
    } else {
      m_open.back().value.members.emplace_back(std::move(m_open.back().key), std::move(value));
    }
    return true;
  }

  const Position& m_position;
  std::vector<Open> m_open;
  JsonValue m_root;
  std::string m_error;
  int m_errorLine = 0;
  size_t m_count = 0;
};

void write(const JsonValue& value, std::string& text) {
  if (text.size() > kLongestText) return;
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      text += "null";
      return;
    case JsonValue::Kind::kBool:
      text += value.boolean ? "true" : "false";
      return;
    case JsonValue::Kind::kNumber:
      text += value.whole ? fmt::format("{}", value.integer) : fmt::format("{}", value.number);
      return;
    case JsonValue::Kind::kString:
      text += '"' + value.string + '"';
      return;
    case JsonValue::Kind::kArray:
      text += '[';
      for (size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) text += ", ";
        write(value.items[i], text);
      }
      text += ']';
      return;
    case JsonValue::Kind::kObject:
      text += "{...}";
      return;
  }
}

}  // namespace

const JsonValue* JsonValue::member(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

JsonValue& JsonValue::memberOrNew(std::string_view name) {
  kind = Kind::kObject;
  if (JsonValue* found = member(name)) return *found;
  members.emplace_back(std::string(name), JsonValue());
  return members.back().second;
}

bool JsonValue::removeMember(std::string_view name) {
  return std::erase_if(members, [&](const auto& each) { return each.first == name; }) > 0;
}

JsonValue JsonValue::ofString(std::string text) {
  return {.kind = Kind::kString, .string = std::move(text), .items = {}};
}

JsonValue JsonValue::ofBool(bool value) {
  return {.kind = Kind::kBool, .boolean = value, .string = {}, .items = {}};
}

std::string_view kindName(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBool:
      return "true or false";
    case JsonValue::Kind::kNumber:
      return "a number";
    case JsonValue::Kind::kString:
      return "a string";
    case JsonValue::Kind::kArray:
      return "an array";
    case JsonValue::Kind::kObject:
      return "an object";
  }
  return "nothing";
}

std::string toText(const JsonValue& value) {
  std::string text;
  write(value, text);
  if (text.size() > kLongestText) text = text.substr(0, kLongestText) + "...";
  return text;
}

Result<JsonValue> parseLocatedJson(std::string_view text) {
  if (text.size() > kLargestFile)
    return fail(ErrorCode::kInvalidArgument, "a profile may have {} bytes, and this has {}", kLargestFile, text.size());
  Position position;
  TreeBuilder builder(position);
  const bool done = nlohmann::json::sax_parse(CountingIterator(text.data(), &position),
                                              CountingIterator(text.data() + text.size(), &position), &builder);
  if (!done) return fail(ErrorCode::kInvalidArgument, "line {}: {}", builder.errorLine(), builder.error());
  return builder.take();
}

}  // namespace cutaway::declared
