#include "engine/edit/edit_text.h"

#include <charconv>
#include <cmath>

#include "engine/base/quote.h"

namespace cutaway::edit {
namespace {

constexpr size_t kMaxRank = 64;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n\r") - begin + 1);
}

std::string_view withoutBrackets(std::string_view text) {
  return text.size() >= 2 && text.front() == '[' && text.back() == ']' ? trimmed(text.substr(1, text.size() - 2))
                                                                       : text;
}

// Parts between commas; commas in double quotes belong to their part.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> list(1);
  bool isQuoted = false;
  for (const char letter : text) {
    if (letter == '"') isQuoted = !isQuoted;
    if (letter == ',' && !isQuoted)
      list.emplace_back();
    else
      list.back().push_back(letter);
  }
  for (std::string& each : list)
    each = std::string(trimmed(each));
  return list;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

Result<int64_t> readInteger(std::string_view text) {
  int64_t value = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return fail(ErrorCode::kInvalidArgument, "{} does not fit 64 bits", quotedText(text));
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return fail(ErrorCode::kInvalidArgument, "{} is not a whole number", quotedText(text));
  return value;
}

Result<float> readFloat(std::string_view text) {
  double value = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return fail(ErrorCode::kInvalidArgument, "{} is not a number", quotedText(text));
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow) && !std::isinf(value))
    return fail(ErrorCode::kInvalidArgument, "{} does not fit 32 bits", quotedText(text));
  return narrow;
}

template <typename T, typename Read>
Result<AttributeValue> readList(std::string_view text, Read&& read) {
  std::vector<T> list;
  const std::string_view inner = withoutBrackets(trimmed(text));
  if (inner.empty()) return AttributeValue(list);
  for (const std::string& part : parts(inner)) {
    CUTAWAY_TRY(T value, read(part));
    list.push_back(std::move(value));
  }
  return AttributeValue(std::move(list));
}

}  // namespace

Result<Dim> readDim(std::string_view text) {
  const std::string name = unquoted(std::string(trimmed(text)));
  if (name.empty()) return fail(ErrorCode::kInvalidArgument, "a dimension is a number or a name, and this is empty");
  const bool numeric = name.front() == '-' || name.front() == '+' || (name.front() >= '0' && name.front() <= '9');
  if (!numeric) return Dim(name);
  CUTAWAY_TRY(const int64_t value, readInteger(name));
  if (value < 0)
    return fail(ErrorCode::kInvalidArgument, "{} is negative; leave a dimension empty when it is not known", value);
  return Dim(value);
}

Result<std::optional<Shape>> readShape(std::string_view text) {
  const std::string_view whole = trimmed(text);
  if (whole.empty()) return std::optional<Shape>();
  const std::string_view inner = withoutBrackets(whole);
  std::vector<Dim> dims;
  if (!inner.empty()) {
    for (const std::string& part : parts(inner)) {
      if (part.empty() || part == "?") {
        dims.emplace_back();
        continue;
      }
      CUTAWAY_TRY(Dim dim, readDim(part));
      dims.push_back(std::move(dim));
    }
  }
  if (dims.size() > kMaxRank)
    return fail(ErrorCode::kInvalidArgument, "a shape of {} dimensions is above the limit of {}", dims.size(),
                kMaxRank);
  Shape shape(std::move(dims));
  int64_t count = 1;
  for (const Dim& dim : shape.dims())
    if (dim.isKnown() && dim.value() > 0 && __builtin_mul_overflow(count, dim.value(), &count))
      return fail(ErrorCode::kInvalidArgument, "{} has more elements than 64 bits count", quotedText(whole));
  return std::optional<Shape>(std::move(shape));
}

Result<AttributeValue> readAttribute(std::string_view kind, std::string_view text) {
  if (kind == "INT") {
    CUTAWAY_TRY(const int64_t value, readInteger(trimmed(text)));
    return AttributeValue(value);
  }
  if (kind == "FLOAT") {
    CUTAWAY_TRY(const float value, readFloat(trimmed(text)));
    return AttributeValue(value);
  }
  if (kind == "STRING") return AttributeValue(std::string(text));
  if (kind == "INTS") return readList<int64_t>(text, [](const std::string& part) { return readInteger(part); });
  if (kind == "FLOATS") return readList<float>(text, [](const std::string& part) { return readFloat(part); });
  if (kind == "STRINGS")
    return readList<std::string>(text, [](const std::string& part) { return Result<std::string>(unquoted(part)); });
  return fail(ErrorCode::kInvalidArgument, "an attribute of kind {} cannot be written as text",
              kind.empty() ? std::string_view("nothing") : kind);
}

}  // namespace cutaway::edit
