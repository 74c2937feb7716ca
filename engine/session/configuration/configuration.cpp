// Configurations as settings of a session, and pins as text.

#include "engine/session/configuration/configuration.h"

#include <algorithm>
#include <cctype>

#include "engine/base/read_text_file.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/configuration/configuration_text.h"
#include "engine/session/configuration/provider_key.h"

namespace cutaway::session {
namespace {

struct PinWord {
  NodePin::Kind kind;
  std::string_view word;
};
constexpr PinWord kPinWords[] = {
    {NodePin::Kind::kNode, "node"}, {NodePin::Kind::kScope, "scope"}, {NodePin::Kind::kOperator, "op"}};

std::string nameOf(const ProviderSpec& spec) {
  return printProviderSpec({.name = spec.name, .argument = spec.argument, .options = {}});
}

// Options of a provider in the list go to its entry, where they win; those of others wait among the session keys.
Result<void> setOption(SessionOptions& options, const std::string& provider, const std::string& option,
                       const std::string& value) {
  for (std::string& text : options.providers) {
    CUTAWAY_TRY(ProviderSpec spec, parseProviderSpec(text));
    if (spec.name != provider && nameOf(spec) != provider) continue;
    spec.options[option] = value;
    text = printProviderSpec(spec);
    return {};
  }
  options.config[printProviderKey(provider, option)] = value;
  return {};
}

// For the first provider that lets its user choose what it computes in; kernels of the others compute in the model's
// types.
Result<void> setPrecision(SessionOptions& options, const std::string& precision, const ProviderTable& table) {
  for (const std::string& text : options.providers) {
    CUTAWAY_TRY(const ProviderSpec spec, parseProviderSpec(text));
    const ProviderEntry* entry = findEntry(table, spec.name);
    if (entry == nullptr || entry->precisionOption.empty()) continue;
    return setOption(options, spec.name, entry->precisionOption, precision);
  }
  if (precision == "f32") return {};
  std::vector<std::string> able;
  for (const ProviderEntry& entry : table) {
    if (!entry.precisionOption.empty()) able.push_back(entry.name);
  }
  if (able.empty())
    return fail(ErrorCode::kInvalidArgument,
                "precision {}: the providers of this build compute in the types that the model has", precision);
  return fail(
      ErrorCode::kInvalidArgument,
      "precision {} needs provider {} in the list of providers: nodes of the others compute in the types that the "
      "model has",
      precision, fmt::join(able, " or "));
}

}  // namespace

Result<void> Configuration::applyTo(SessionOptions& options, const ProviderTable& table) const {
  if (providers) options.providers = *providers;
  for (const auto& [provider, all] : providerOptions) {
    for (const auto& [option, value] : all)
      CUTAWAY_CHECK(setOption(options, provider, option, value));
  }
  if (precision) CUTAWAY_CHECK(setPrecision(options, *precision, table));
  if (pins) options.pins = *pins;
  if (minimumGroupNodes) options.minimumGroupNodes = *minimumGroupNodes;
  if (optimizationLevel) options.optimizationLevel = *optimizationLevel;
  if (order) options.order = *order;
  if (planRules) options.planRules = *planRules;
  if (inPlace) options.inPlace = *inPlace;
  if (executor) options.executor = *executor;
  if (interThreads) options.interThreads = *interThreads;
  if (threads) options.threads = *threads;
  const std::vector<std::string> known = namesOf(options.providers);
  for (const auto& [key, value] : keys) {
    if (const auto parts = splitProviderKey(key, known); parts && parts->isCertain)
      CUTAWAY_CHECK(setOption(options, parts->provider, parts->option, value));
    else
      options.config[key] = value;
  }
  for (const auto& [name, value] : dims)
    options.dims[name] = value;
  return {};
}

Configuration configurationOf(const SessionOptions& options) {
  Configuration result;
  std::vector<std::string> names;
  const std::vector<std::string> known = namesOf(options.providers);
  for (const auto& [key, value] : options.config) {
    if (const auto parts = splitProviderKey(key, known); parts && parts->isCertain)
      result.providerOptions[parts->provider][parts->option] = value;
    else
      result.keys[key] = value;
  }
  for (const std::string& text : options.providers) {
    const Result<ProviderSpec> spec = parseProviderSpec(text);
    names.push_back(spec ? nameOf(*spec) : text);
    if (!spec) continue;
    for (const auto& [option, value] : spec->options)
      result.providerOptions[nameOf(*spec)][option] = value;
  }
  result.providers = std::move(names);
  result.pins = options.pins;
  result.minimumGroupNodes = options.minimumGroupNodes;
  result.optimizationLevel = options.optimizationLevel;
  result.order = options.order;
  result.planRules = options.planRules;
  result.inPlace = options.inPlace;
  result.executor = options.executor;
  result.interThreads = options.interThreads;
  result.threads = options.threads;
  result.dims = options.dims;
  return result;
}

Result<Configuration> readConfiguration(const std::string& text) {
  if (!text.ends_with(".json")) return configurationFromLine(text);
  CUTAWAY_TRY(const std::string content,
              readTextFile(text, {.what = "the configuration", .largestBytes = 16 * 1024 * 1024}));
  return configurationFromJson(content, text);
}

Result<NodePin> parsePin(std::string_view text) {
  constexpr std::string_view kForms = "node:NAME=PROVIDER, scope:PREFIX=PROVIDER or op:OPERATOR=PROVIDER";
  const size_t colon = text.find(':');
  const size_t equals = text.rfind('=');
  if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon)
    return fail(ErrorCode::kInvalidArgument, "'{}' is no pin: it is written {}", text, kForms);
  NodePin pin;
  const std::string_view word = text.substr(0, colon);
  const auto known = std::ranges::find_if(kPinWords, [&](const PinWord& each) { return each.word == word; });
  if (known == std::end(kPinWords))
    return fail(ErrorCode::kInvalidArgument, "pin '{}': '{}' is not node, scope or op", text, word);
  pin.kind = known->kind;
  pin.pattern = std::string(text.substr(colon + 1, equals - colon - 1));
  pin.provider = std::string(text.substr(equals + 1));
  if (pin.pattern.empty()) return fail(ErrorCode::kInvalidArgument, "pin '{}' names no node between ':' and '='", text);
  if (pin.provider.empty()) return fail(ErrorCode::kInvalidArgument, "pin '{}' names no provider behind '='", text);
  return pin;
}

std::string printPin(const NodePin& pin) {
  const auto known = std::ranges::find_if(kPinWords, [&](const PinWord& each) { return each.kind == pin.kind; });
  return fmt::format("{}:{}={}", known->word, pin.pattern, pin.provider);
}

}  // namespace cutaway::session
