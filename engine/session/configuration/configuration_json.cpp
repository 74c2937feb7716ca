// The configuration as a file: every member is checked, and a message names the file and the member's place.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/json_fault.h"
#include "engine/session/configuration/configuration_text.h"
#include "engine/session/configuration/provider_key.h"

namespace cutaway::session {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kSchema = "cutaway.configuration/1";

struct Reader {
  std::string_view file;
  std::vector<std::string> known{};  // names of the providers that are listed
  Configuration configuration{};

  std::string at(std::string_view place) const { return fmt::format("{}: {}", file, place); }
  Error wrongType(std::string_view place, const char* expected, const Json& found) const {
    return {ErrorCode::kInvalidArgument,
            fmt::format("{} is {}, not {} ({})", at(place), expected, found.type_name(),
                        found.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60)),
            {}};
  }
  Result<std::string> text(const Json& json, std::string_view place) const {
    if (!json.is_string()) return fail(wrongType(place, "a text", json));
    return json.get<std::string>();
  }
  Result<int64_t> number(const Json& json, std::string_view place) const {
    if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX))
      return fail(wrongType(place, "a whole number", json));
    return json.get<int64_t>();
  }
  // Numbers and switches are what their text says: {"num_streams": 2} means "2".
  Result<std::string> scalar(const Json& json, std::string_view place) const {
    if (json.is_boolean()) return std::string(json.get<bool>() ? "1" : "0");
    if (json.is_number()) return json.dump();
    if (!json.is_string()) return fail(wrongType(place, "a text, a number or a switch", json));
    return json.get<std::string>();
  }

  Result<void> providers(const Json& json) {
    if (!json.is_array()) return fail(wrongType("providers", "a list of texts", json));
    std::vector<std::string> specs;
    for (size_t i = 0; i < json.size(); ++i) {
      CUTAWAY_TRY(std::string spec, text(json[i], fmt::format("providers[{}]", i)));
      specs.push_back(std::move(spec));
    }
    return addProviders(configuration, specs, at("providers"));
  }

  Result<void> options(const Json& json) {
    if (!json.is_object()) return fail(wrongType("options", "an object of providers", json));
    for (const auto& [provider, all] : json.items()) {
      const std::string place = "options." + provider;
      if (!all.is_object()) return fail(wrongType(place, "an object of options", all));
      for (const auto& [option, value] : all.items()) {
        CUTAWAY_TRY(configuration.providerOptions[provider][option], scalar(value, place + "." + option));
      }
    }
    return {};
  }

  Result<NodePin> pin(const Json& json, const std::string& place) const {
    if (!json.is_object()) return fail(wrongType(place, "an object", json));
    NodePin pin;
    int kinds = 0;
    for (const auto& [name, value] : json.items()) {
      CUTAWAY_TRY(const std::string word, text(value, place + "." + name));
      if (word.empty()) return fail(ErrorCode::kInvalidArgument, "{} is empty", at(place + "." + name));
      if (name == "provider") {
        pin.provider = word;
        continue;
      }
      if (name == "node")
        pin.kind = NodePin::Kind::kNode;
      else if (name == "scope")
        pin.kind = NodePin::Kind::kScope;
      else if (name == "operator")
        pin.kind = NodePin::Kind::kOperator;
      else
        return fail(ErrorCode::kInvalidArgument,
                    "{}: a pin has no member '{}'; it has one of node, scope and operator, and provider", at(place),
                    name);
      pin.pattern = word;
      ++kinds;
    }
    if (kinds != 1)
      return fail(ErrorCode::kInvalidArgument, "{} needs exactly one of node, scope and operator", at(place));
    if (pin.provider.empty()) return fail(ErrorCode::kInvalidArgument, "{} needs a provider", at(place));
    return pin;
  }

  Result<void> pins(const Json& json) {
    if (!json.is_array()) return fail(wrongType("pins", "a list of pins", json));
    configuration.pins.emplace();
    for (size_t i = 0; i < json.size(); ++i) {
      CUTAWAY_TRY(NodePin read, pin(json[i], fmt::format("pins[{}]", i)));
      configuration.pins->push_back(std::move(read));
    }
    return {};
  }

  Result<void> keys(const Json& json) {
    if (!json.is_object()) return fail(wrongType("keys", "an object of session keys", json));
    for (const auto& [key, value] : json.items()) {
      CUTAWAY_TRY(const std::string word, scalar(value, "keys." + key));
      CUTAWAY_CHECK(addKey(configuration, key, word, at("keys"), known));
    }
    return {};
  }

  Result<void> dims(const Json& json) {
    if (!json.is_object()) return fail(wrongType("dims", "an object of dimension names", json));
    for (const auto& [name, value] : json.items()) {
      CUTAWAY_TRY(const int64_t size, number(value, "dims." + name));
      CUTAWAY_CHECK(setDim(configuration, name, size, at("dims")));
    }
    return {};
  }

  using SetNumber = Result<void> (*)(Configuration&, int64_t, std::string_view);
  using SetText = Result<void> (*)(Configuration&, std::string_view, std::string_view);

  Result<void> member(const std::string& name, const Json& value) {
    constexpr std::pair<std::string_view, SetNumber> kNumbers[] = {{"opt_level", setOptimizationLevel},
                                                                   {"minimum_group_nodes", setMinimumGroup},
                                                                   {"threads", setThreads},
                                                                   {"inter_threads", setInterThreads}};
    constexpr std::pair<std::string_view, SetText> kTexts[] = {
        {"precision", setPrecision}, {"order", setOrder}, {"plan", setPlanRules}, {"executor", setExecutor}};
    constexpr std::pair<std::string_view, Result<void> (Reader::*)(const Json&)> kParts[] = {
        {"providers", &Reader::providers},
        {"options", &Reader::options},
        {"pins", &Reader::pins},
        {"keys", &Reader::keys},
        {"dims", &Reader::dims}};
    for (const auto& [known, set] : kNumbers) {
      if (known != name) continue;
      CUTAWAY_TRY(const int64_t read, number(value, name));
      return set(configuration, read, at(name));
    }
    for (const auto& [known, set] : kTexts) {
      if (known != name) continue;
      CUTAWAY_TRY(const std::string read, text(value, name));
      return set(configuration, read, at(name));
    }
    for (const auto& [known, read] : kParts) {
      if (known == name) return (this->*read)(value);
    }
    if (name == "in_place") {
      CUTAWAY_TRY(const std::string read, scalar(value, name));
      return setInPlace(configuration, value.is_boolean() ? (value.get<bool>() ? "1" : "0") : read, at(name));
    }
    return fail(ErrorCode::kInvalidArgument,
                "{}: a configuration has no member '{}'; it has schema, providers, options, pins, minimum_group_nodes, "
                "opt_level, precision, order, plan, in_place, executor, threads, inter_threads, keys and dims",
                file, name);
  }
};

// What is wrong with the list is told where it is read.
std::vector<std::string> listedNames(const Json& root) {
  const auto list = root.find("providers");
  std::vector<std::string> specs;
  if (list == root.end() || !list->is_array()) return specs;
  for (const Json& each : *list)
    if (each.is_string()) specs.push_back(each.get<std::string>());
  return namesOf(specs);
}

Error parseError(std::string_view json, std::string_view file, size_t byte) {
  const std::string_view before = json.substr(0, std::min(byte > 0 ? byte - 1 : 0, json.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return {ErrorCode::kInvalidArgument, fmt::format("{}: no JSON at line {}, column {}", file, line, column), {}};
}

}  // namespace

Result<Configuration> configurationFromJson(std::string_view json, std::string_view file) {
  Json root;
  try {
    root = Json::parse(json);
  } catch (const Json::parse_error& error) {
    return fail(parseError(json, file, error.byte));
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kInvalidArgument, "{}: {}", file, jsonFault(error));
  }
  Reader reader{.file = file};
  if (!root.is_object())
    return fail(ErrorCode::kInvalidArgument, "{}: a configuration is a JSON object, not {}", file, root.type_name());
  if (!root.contains("schema"))
    return fail(ErrorCode::kInvalidArgument, "{}: member schema is missing; it is \"{}\"", file, kSchema);
  reader.known = listedNames(root);
  for (const auto& [name, value] : root.items()) {
    if (name != "schema") {
      CUTAWAY_CHECK(reader.member(name, value));
    } else if (value != kSchema) {
      return fail(ErrorCode::kInvalidArgument, "{}: schema {} is not known here; this version reads \"{}\"", file,
                  value.dump(-1, ' ', true, Json::error_handler_t::replace), kSchema);
    }
  }
  return std::move(reader.configuration);
}

std::string configurationToJson(const Configuration& configuration) {
  Json json;
  json["schema"] = kSchema;
  if (configuration.providers) json["providers"] = *configuration.providers;
  for (const auto& [provider, options] : configuration.providerOptions)
    for (const auto& [option, value] : options)
      json["options"][provider][option] = value;
  if (configuration.pins) {
    json["pins"] = Json::array();
    for (const NodePin& pin : *configuration.pins) {
      const char* kind = pin.kind == NodePin::Kind::kNode    ? "node"
                         : pin.kind == NodePin::Kind::kScope ? "scope"
                                                             : "operator";
      json["pins"].push_back({{kind, pin.pattern}, {"provider", pin.provider}});
    }
  }
  if (configuration.minimumGroupNodes) json["minimum_group_nodes"] = *configuration.minimumGroupNodes;
  if (configuration.optimizationLevel) json["opt_level"] = *configuration.optimizationLevel;
  if (configuration.precision) json["precision"] = *configuration.precision;
  if (configuration.order) json["order"] = *configuration.order;
  if (configuration.planRules) json["plan"] = *configuration.planRules;
  if (configuration.inPlace) json["in_place"] = *configuration.inPlace;
  if (configuration.executor) json["executor"] = *configuration.executor;
  if (configuration.threads) json["threads"] = *configuration.threads;
  if (configuration.interThreads) json["inter_threads"] = *configuration.interThreads;
  for (const auto& [key, value] : configuration.keys)
    json["keys"][key] = value;
  for (const auto& [name, size] : configuration.dims)
    json["dims"][name] = size;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cutaway::session
