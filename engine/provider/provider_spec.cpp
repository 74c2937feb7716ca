#include "engine/provider/provider_spec.h"

namespace cutaway {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Splits at commas outside of brackets; brackets may not be nested.
Result<std::vector<std::string_view>> splitOutsideBrackets(std::string_view text) {
  std::vector<std::string_view> parts;
  char closing = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (closing == 0 && (letter == '{' || letter == '(')) {
      closing = letter == '{' ? '}' : ')';
    } else if (letter == closing) {
      closing = 0;
    } else if (closing == 0 && (letter == '}' || letter == ')')) {
      return fail(ErrorCode::kInvalidArgument, "'{}' has a '{}' at {} that nothing opens", text, letter, at + 1);
    } else if (closing == 0 && letter == ',') {
      parts.push_back(trimmed(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  if (closing != 0) return fail(ErrorCode::kInvalidArgument, "'{}' lacks a '{}'", text, closing);
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

Result<void> readOptions(std::string_view text, std::string_view whole, ProviderOptions& options) {
  if (trimmed(text).empty()) return {};
  CUTAWAY_TRY(const auto parts, splitOutsideBrackets(text));
  for (const std::string_view part : parts) {
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorCode::kInvalidArgument, "provider '{}': options are key=value, not '{}'", whole, part);
    const std::string key(trimmed(part.substr(0, equals)));
    if (!options.emplace(key, std::string(trimmed(part.substr(equals + 1)))).second)
      return fail(ErrorCode::kInvalidArgument, "provider '{}': option '{}' is given twice", whole, key);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> splitProviderList(std::string_view text) {
  CUTAWAY_TRY(const auto parts, splitOutsideBrackets(text));
  std::vector<std::string> names;
  for (const std::string_view part : parts) {
    if (part.empty()) return fail(ErrorCode::kInvalidArgument, "the list of providers '{}' has an empty entry", text);
    names.emplace_back(part);
  }
  return names;
}

Result<ProviderSpec> parseProviderSpec(std::string_view text) {
  const std::string_view whole = trimmed(text);
  std::string_view rest = whole;
  ProviderSpec spec;
  const size_t nameEnd = std::min(rest.find_first_of("({"), rest.size());
  spec.name = std::string(trimmed(rest.substr(0, nameEnd)));
  if (spec.name.empty() || spec.name.find_first_of(")}=,") != std::string::npos)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no provider: expected name, name(argument) or name{{key=value}}",
                whole);
  rest.remove_prefix(nameEnd);
  if (!rest.empty() && rest.front() == '(') {
    const size_t close = rest.find(')');
    if (close == std::string_view::npos) return fail(ErrorCode::kInvalidArgument, "provider '{}' lacks a ')'", whole);
    spec.argument = std::string(trimmed(rest.substr(1, close - 1)));
    if (spec.argument.empty())
      return fail(ErrorCode::kInvalidArgument, "provider '{}' has nothing between its brackets", whole);
    rest = trimmed(rest.substr(close + 1));
  }
  if (rest.empty()) return spec;
  if (rest.front() != '{' || rest.back() != '}')
    return fail(ErrorCode::kInvalidArgument,
                "provider '{}': '{}' is not understood; options are written {{key=value,...}}", whole, rest);
  CUTAWAY_CHECK(readOptions(rest.substr(1, rest.size() - 2), whole, spec.options));
  return spec;
}

std::string printProviderSpec(const ProviderSpec& spec) {
  std::string text = spec.name;
  if (!spec.argument.empty()) text += "(" + spec.argument + ")";
  if (spec.options.empty()) return text;
  std::string options;
  for (const auto& [key, value] : spec.options)
    options += (options.empty() ? "" : ",") + key + "=" + value;
  return text + "{" + options + "}";
}

}  // namespace cutaway
