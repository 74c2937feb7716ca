#pragma once
// JSON whose every value knows the line it stands in, so that what is wrong with a profile can be pointed at.
//
// Objects keep their members in the order of the file. Hostile files end in an error: kLargestFile bytes, kMostValues
// values and kDeepest levels are the limits, and a name that stands twice is refused. Thread rule: plain values.
// Example:
//   const Result<JsonValue> root = parseLocatedJson(text);
//   if (const JsonValue* groups = root->member("groups")) use(groups->line);

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::declared {

inline constexpr size_t kLargestFile = 8u << 20;
inline constexpr size_t kDeepest = 16;
inline constexpr size_t kMostValues = 400'000;

struct JsonValue {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool whole = false;  // a number that was written without fraction and fits in 64 bits
  bool boolean = false;
  int64_t integer = 0;  // of whole numbers
  double number = 0;
  std::string string;
  std::vector<JsonValue> items;                              // of arrays
  std::vector<std::pair<std::string, JsonValue>> members{};  // of objects
  int line = 0;                                              // counted from 1; 0: not from a file

  bool is(Kind wanted) const { return kind == wanted; }
  const JsonValue* member(std::string_view name) const;  // nullptr when there is none
  JsonValue* member(std::string_view name) { return const_cast<JsonValue*>(std::as_const(*this).member(name)); }
  JsonValue& memberOrNew(std::string_view name);  // makes this an object when it is something else
  bool removeMember(std::string_view name);

  static JsonValue ofString(std::string text);
  static JsonValue ofBool(bool value);
};

// "a string", "an object", ...
std::string_view kindName(JsonValue::Kind kind);
// The value as it would be written, cut when long: for messages.
std::string toText(const JsonValue& value);

// INVALID_ARGUMENT with the line for text that is no JSON, too large, too deep, or has a member twice.
Result<JsonValue> parseLocatedJson(std::string_view text);

}  // namespace cutaway::declared
