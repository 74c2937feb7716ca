#include "engine/session/configuration/provider_key.h"

#include <algorithm>

#include "engine/provider/provider_spec.h"

namespace cutaway::session {
namespace {

constexpr std::string_view kPrefix = "ep.";

// `rest` begins with a quote.
std::optional<ProviderKey> quotedName(std::string_view rest) {
  ProviderKey key;
  size_t at = 1;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    key.provider += rest[at];
  }
  if (at + 2 >= rest.size() || rest[at + 1] != '.') return std::nullopt;
  key.option = std::string(rest.substr(at + 2));
  return key;
}

size_t knownName(std::string_view rest, std::span<const std::string> known) {
  size_t longest = 0;
  for (const std::string& name : known) {
    if (rest.starts_with(name) && rest.substr(name.size()).starts_with('.')) longest = std::max(longest, name.size());
  }
  return longest;
}

size_t firstDot(std::string_view rest) {
  bool isInside = false;
  for (size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == '(' || rest[at] == ')') isInside = rest[at] == '(';
    if (rest[at] == '.' && !isInside) return at;
  }
  return rest.size();
}

}  // namespace

std::optional<ProviderKey> splitProviderKey(std::string_view key, std::span<const std::string> known) {
  if (!key.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = key.substr(kPrefix.size());
  if (rest.starts_with('"')) return quotedName(rest);
  const size_t knownEnd = knownName(rest, known);
  const size_t end = knownEnd > 0 ? knownEnd : firstDot(rest);
  if (end == 0 || end + 1 >= rest.size()) return std::nullopt;
  const std::string_view option = rest.substr(end + 1);
  return ProviderKey{.provider = std::string(rest.substr(0, end)),
                     .option = std::string(option),
                     .isCertain = knownEnd > 0 || option.find('.') == std::string_view::npos};
}

std::string printProviderKey(std::string_view provider, std::string_view option) {
  std::string plain = fmt::format("{}{}.{}", kPrefix, provider, option);
  if (const auto read = splitProviderKey(plain, {}); read && read->isCertain && read->provider == provider)
    return plain;
  std::string quoted;
  for (const char letter : provider) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return fmt::format("{}\"{}\".{}", kPrefix, quoted, option);
}

std::vector<std::string> namesOf(std::span<const std::string> specs) {
  std::vector<std::string> names;
  for (const std::string& text : specs) {
    const Result<ProviderSpec> spec = parseProviderSpec(text);
    if (!spec) continue;
    names.push_back(spec->name);
    if (!spec->argument.empty())
      names.push_back(printProviderSpec({.name = spec->name, .argument = spec->argument, .options = {}}));
  }
  return names;
}

}  // namespace cutaway::session
