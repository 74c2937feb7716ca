// The configuration as one line: settings between semicolons, "name=value"; a value that holds a semicolon or quotes,
// and a name that holds them or an equals sign, stands in double quotes with \" and \\ in it.

#include <algorithm>
#include <charconv>

#include "engine/provider/provider_spec.h"
#include "engine/session/configuration/configuration_text.h"
#include "engine/session/configuration/limits.h"
#include "engine/session/configuration/provider_key.h"

namespace cutaway::session {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n'))
    text.remove_suffix(1);
  return text;
}

// Splits at semicolons outside of quotes and brackets.
Result<std::vector<std::string_view>> splitSettings(std::string_view line) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  bool quoted = false;
  for (size_t at = 0; at < line.size(); ++at) {
    if (quoted && line[at] == '\\')
      ++at;
    else if (line[at] == '"')
      quoted = !quoted;
    else if (!quoted && line[at] == ';')
      parts.push_back(trimmed(line.substr(begin, at - begin))), begin = at + 1;
  }
  if (quoted) return fail(ErrorCode::kInvalidArgument, "the configuration '{}' lacks a closing quote", line);
  parts.push_back(trimmed(line.substr(begin)));
  std::erase_if(parts, [](std::string_view part) { return part.empty(); });
  return parts;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string plain;
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '\\' && at + 2 < text.size()) ++at;
    plain += text[at];
  }
  return plain;
}

// Where the value's equals sign stands; npos: there is none outside of quotes.
size_t equalsOf(std::string_view setting) {
  bool isQuoted = false;
  for (size_t at = 0; at < setting.size(); ++at) {
    if (isQuoted && setting[at] == '\\')
      ++at;
    else if (setting[at] == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted && setting[at] == '=')
      return at;
  }
  return std::string_view::npos;
}

std::string quoted(const std::string& text, const char* special = ";\"") {
  const bool plain = text.find_first_of(special) == std::string::npos && trimmed(text) == text;
  if (plain) return text;
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "\"";
}

Result<int64_t> number(const std::string& text, std::string_view what) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::kInvalidArgument, "{} takes a number, not '{}'", what, text);
  return value;
}

Result<void> readNumber(Configuration& configuration, const std::string& name, const std::string& value) {
  CUTAWAY_TRY(const int64_t count, number(value, name));
  if (name == "opt-level") return setOptimizationLevel(configuration, count, name);
  if (name == "inter-threads") return setInterThreads(configuration, count, name);
  return name == "min-group" ? setMinimumGroup(configuration, count, name) : setThreads(configuration, count, name);
}

Result<void> readDim(Configuration& configuration, const std::string& value) {
  const size_t equals = value.rfind('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorCode::kInvalidArgument, "dim takes NAME=SIZE, not '{}'", value);
  CUTAWAY_TRY(const int64_t size, number(value.substr(equals + 1), "dim " + value.substr(0, equals)));
  return setDim(configuration, value.substr(0, equals), size, "dim");
}

Result<void> readSetting(Configuration& configuration, const std::string& name, const std::string& value,
                         const std::vector<std::string>& known) {
  if (name == "providers") {
    CUTAWAY_TRY(const std::vector<std::string> specs, splitProviderList(value));
    return addProviders(configuration, specs, "providers");
  }
  if (name == "pin") {
    CUTAWAY_TRY(NodePin pin, parsePin(value));
    if (!configuration.pins) configuration.pins.emplace();
    configuration.pins->push_back(std::move(pin));
    return {};
  }
  if (name == "pins") {  // no pins, where there are some now
    if (value != "none")
      return fail(ErrorCode::kInvalidArgument, "pins takes 'none'; a pin is written pin=KIND:PATTERN=PROVIDER");
    configuration.pins.emplace();
    return {};
  }
  if (name == "opt-level" || name == "min-group" || name == "threads" || name == "inter-threads")
    return readNumber(configuration, name, value);
  if (name == "precision") return setPrecision(configuration, value, name);
  if (name == "order") return setOrder(configuration, value, name);
  if (name == "plan") return setPlanRules(configuration, value, name);
  if (name == "in-place") return setInPlace(configuration, value, name);
  if (name == "executor") return setExecutor(configuration, value, name);
  if (name == "dim") return readDim(configuration, value);
  if (name.find('.') != std::string::npos) return addKey(configuration, name, value, name, known);
  return fail(
      ErrorCode::kInvalidArgument,
      "a configuration has no setting '{}'; it has providers, pin, pins, min-group, opt-level, precision, order, plan, "
      "in-place, executor, threads, inter-threads, dim, and session keys (with a dot in their name)",
      name);
}

}  // namespace

Result<Configuration> configurationFromLine(std::string_view line) {
  Configuration configuration;
  CUTAWAY_TRY(const auto settings, splitSettings(line));
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<std::string> known;
  for (const std::string_view setting : settings) {
    const size_t equals = equalsOf(setting);
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorCode::kInvalidArgument,
                  "'{}' is no setting: expected NAME=VALUE, or the name of a file that ends in .json", setting);
    pairs.emplace_back(unquoted(trimmed(setting.substr(0, equals))), unquoted(trimmed(setting.substr(equals + 1))));
    if (pairs.back().first != "providers") continue;
    if (const auto specs = splitProviderList(pairs.back().second)) known = namesOf(*specs);
  }
  for (const auto& [name, value] : pairs)
    CUTAWAY_CHECK(readSetting(configuration, name, value, known));
  return configuration;
}

std::string configurationLine(const Configuration& configuration, const ProviderTable& table) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& name, const std::string& value) {
    parts.push_back(fmt::format("{}={}", quoted(name, ";\"="), quoted(value)));
  };
  if (configuration.providers)
    add("providers", configuration.providers->empty() ? lastResort(table)
                                                      : fmt::format("{}", fmt::join(*configuration.providers, ",")));
  for (const auto& [provider, options] : configuration.providerOptions)
    for (const auto& [option, value] : options)
      add(printProviderKey(provider, option), value);
  if (configuration.optimizationLevel) add("opt-level", std::to_string(*configuration.optimizationLevel));
  if (configuration.pins && configuration.pins->empty()) add("pins", "none");
  if (configuration.pins)
    for (const NodePin& pin : *configuration.pins)
      add("pin", printPin(pin));
  if (configuration.minimumGroupNodes) add("min-group", std::to_string(*configuration.minimumGroupNodes));
  if (configuration.precision) add("precision", *configuration.precision);
  if (configuration.order) add("order", *configuration.order);
  if (configuration.planRules) add("plan", *configuration.planRules);
  if (configuration.inPlace) add("in-place", *configuration.inPlace ? "1" : "0");
  if (configuration.executor) add("executor", *configuration.executor);
  if (configuration.threads) add("threads", std::to_string(*configuration.threads));
  if (configuration.interThreads) add("inter-threads", std::to_string(*configuration.interThreads));
  for (const auto& [name, size] : configuration.dims)
    add("dim", fmt::format("{}={}", name, size));
  for (const auto& [key, value] : configuration.keys)
    add(key, value);
  return fmt::format("{}", fmt::join(parts, "; "));
}

Result<void> setOptimizationLevel(Configuration& configuration, int64_t level, std::string_view what) {
  if (level < 0 || level > 3) return fail(ErrorCode::kInvalidArgument, "{} is 0 to 3, not {}", what, level);
  configuration.optimizationLevel = static_cast<int>(level);
  return {};
}

Result<void> setMinimumGroup(Configuration& configuration, int64_t nodes, std::string_view what) {
  if (nodes < 1) return fail(ErrorCode::kInvalidArgument, "{} is 1 or more, not {}", what, nodes);
  configuration.minimumGroupNodes = nodes;
  return {};
}

Result<void> setThreads(Configuration& configuration, int64_t threads, std::string_view what) {
  if (threads < 0 || threads > kMostThreads)
    return fail(ErrorCode::kInvalidArgument, "{} is 0 (all) to {}, not {}", what, kMostThreads, threads);
  configuration.threads = static_cast<int>(threads);
  return {};
}

Result<void> setPrecision(Configuration& configuration, std::string_view precision, std::string_view what) {
  if (precision != "f32" && precision != "f16" && precision != "bf16")
    return fail(ErrorCode::kInvalidArgument, "{} is f32, f16 or bf16, not '{}'", what, precision);
  configuration.precision = std::string(precision);
  return {};
}

Result<void> setOrder(Configuration& configuration, std::string_view order, std::string_view what) {
  if (order != "default" && order != "priority" && order != "memory" && order != "fifo" && order != "onnxruntime")
    return fail(ErrorCode::kInvalidArgument, "{} is default, priority, memory, fifo or onnxruntime, not '{}'", what,
                order);
  configuration.order = std::string(order);
  return {};
}

Result<void> setPlanRules(Configuration& configuration, std::string_view rules, std::string_view what) {
  if (rules == "reference") rules = "onnxruntime";  // its name in files of earlier versions
  if (rules != "cutaway" && rules != "onnxruntime" && rules != "onnxruntime-counters")
    return fail(ErrorCode::kInvalidArgument, "{} is cutaway, onnxruntime or onnxruntime-counters, not '{}'", what,
                rules);
  configuration.planRules = std::string(rules);
  return {};
}

Result<void> setExecutor(Configuration& configuration, std::string_view executor, std::string_view what) {
  if (executor != "sequential" && executor != "dataflow")
    return fail(ErrorCode::kInvalidArgument, "{} is sequential or dataflow, not '{}'", what, executor);
  configuration.executor = std::string(executor);
  return {};
}

Result<void> setInPlace(Configuration& configuration, std::string_view value, std::string_view what) {
  if (value != "0" && value != "1") return fail(ErrorCode::kInvalidArgument, "{} is 0 or 1, not '{}'", what, value);
  configuration.inPlace = value == "1";
  return {};
}

Result<void> setInterThreads(Configuration& configuration, int64_t threads, std::string_view what) {
  if (threads < 0 || threads > kMostThreads)
    return fail(ErrorCode::kInvalidArgument, "{} is 0 (automatic) to {}, not {}", what, kMostThreads, threads);
  configuration.interThreads = static_cast<int>(threads);
  return {};
}

Result<void> setDim(Configuration& configuration, const std::string& name, int64_t size, std::string_view what) {
  if (name.empty() || size < 0)
    return fail(ErrorCode::kInvalidArgument, "{} '{}' is bound to 0 or more, not {}", what, name, size);
  configuration.dims[name] = size;
  return {};
}

Result<void> addProviders(Configuration& configuration, const std::vector<std::string>& specs, std::string_view what) {
  std::vector<std::string> names;
  for (const std::string& text : specs) {
    Result<ProviderSpec> spec = parseProviderSpec(text);
    if (!spec) return fail(ErrorCode::kInvalidArgument, "{}: {}", what, spec.error().message);
    const std::string name = printProviderSpec({.name = spec->name, .argument = spec->argument, .options = {}});
    for (const auto& [option, value] : spec->options)
      configuration.providerOptions[name][option] = value;
    names.push_back(name);
  }
  configuration.providers = std::move(names);
  return {};
}

// What might be meant for a provider that the text does not list stays a key until the list is known.
Result<void> addKey(Configuration& configuration, const std::string& key, const std::string& value,
                    std::string_view what, const std::vector<std::string>& known) {
  if (key.find('.') == std::string::npos)
    return fail(ErrorCode::kInvalidArgument, "{}: '{}' is no session key: those have a dot in their name", what, key);
  if (const auto parts = splitProviderKey(key, known); parts && parts->isCertain)
    configuration.providerOptions[parts->provider][parts->option] = value;
  else
    configuration.keys[key] = value;
  return {};
}

}  // namespace cutaway::session
