#include "providers/declared/profile_options.h"

#include <algorithm>
#include <charconv>

namespace cutaway::declared {

namespace {

using Kind = JsonValue::Kind;

enum class Form : uint8_t { kFlag, kNumber, kText, kTexts };

struct SingleFact {
  std::string_view option;
  std::string_view folder;  // the object that holds it; "" the profile itself
  std::string_view member;
  Form form;
};

constexpr SingleFact kFacts[] = {
    {"memory_bytes", "device", "memory_bytes", Form::kNumber},
    {"memory_bytes_per_second", "device", "memory_bytes_per_second", Form::kNumber},
    {"link_bytes_per_second", "device", "link_bytes_per_second", Form::kNumber},
    {"transfer_us", "device", "transfer_us", Form::kNumber},
    {"launch_us", "device", "launch_us", Form::kNumber},
    {"compiled", "groups", "compiled", Form::kFlag},
    {"minimum_nodes", "groups", "minimum_nodes", Form::kNumber},
    {"maximum_groups", "groups", "maximum_groups", Form::kNumber},
    {"quantized_units", "groups", "quantized_units", Form::kFlag},
    {"stop_operators", "groups", "stop_operators", Form::kTexts},
    {"whole_model_only", "groups", "whole_model_only", Form::kFlag},
    {"constants_only_inputs", "groups", "constants_only_inputs", Form::kFlag},
    {"preferred_layout", "", "preferred_layout", Form::kText},
    {"types", "", "types", Form::kTexts},
    {"maximum_rank", "", "maximum_rank", Form::kNumber},
    {"static_shapes", "", "static_shapes", Form::kFlag},
    {"bodies", "", "bodies", Form::kFlag},
    {"main_graph_only", "", "main_graph_only", Form::kFlag},
};
constexpr std::string_view kFlops = "flops_per_second.";
constexpr std::string_view kRule = "rule.";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// A number, true, false or null as what it says; everything else is a string.
JsonValue scalarOf(const std::string& text) {
  const char* end = text.data() + text.size();
  JsonValue value;
  if (text == "null") return value;
  if (text == "true" || text == "false") return JsonValue::ofBool(text == "true");
  value.kind = Kind::kNumber;
  if (const auto [stop, error] = std::from_chars(text.data(), end, value.integer);
      error == std::errc() && stop == end) {
    value.whole = true;
    value.number = static_cast<double>(value.integer);
    return value;
  }
  if (const auto [stop, error] = std::from_chars(text.data(), end, value.number); error == std::errc() && stop == end)
    return value;
  return JsonValue::ofString(text);
}

JsonValue listOf(const std::string& text) {
  JsonValue list;
  list.kind = Kind::kArray;
  if (text.empty()) return list;
  for (const std::string& part : split(text, ';'))
    list.items.push_back(scalarOf(part));
  return list;
}

std::string allowedOptions() {
  std::string text;
  for (const SingleFact& fact : kFacts)
    text += std::string(fact.option) + ", ";
  return text + "flops_per_second.TYPE, rule.OPERATOR.MEMBER, allow, refuse";
}

Result<JsonValue> valueFor(const SingleFact& fact, const std::string& text) {
  const JsonValue scalar = scalarOf(text);
  switch (fact.form) {
    case Form::kFlag:
      if (text == "1" || text == "true") return JsonValue::ofBool(true);
      if (text == "0" || text == "false") return JsonValue::ofBool(false);
      return fail(ErrorCode::kInvalidArgument, "option {}={}: 0 or 1 is wanted", fact.option, text);
    case Form::kNumber:
      if (scalar.is(Kind::kNumber)) return scalar;
      return fail(ErrorCode::kInvalidArgument, "option {}={}: a number is wanted", fact.option, text);
    case Form::kText:
      return JsonValue::ofString(text);
    case Form::kTexts:
      return listOf(text);
  }
  return scalar;
}

struct OperatorName {
  std::string domain;
  std::string op;
  bool names(const JsonValue& entry) const {
    const auto textOf = [&](std::string_view member) {
      const JsonValue* found = entry.member(member);
      return found != nullptr && found->is(Kind::kString) ? found->string : std::string();
    };
    const std::string entryDomain = textOf("domain");
    return textOf("op") == op && (entryDomain == "ai.onnx" ? "" : entryDomain) == domain;
  }
};

// "Gelu" or "com.microsoft:Gelu".
OperatorName operatorNamed(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {"", text};
  const std::string domain = text.substr(0, colon);
  return {domain == "ai.onnx" ? "" : domain, text.substr(colon + 1)};
}

JsonValue& listMember(JsonValue& profile, std::string_view name) {
  JsonValue& list = profile.memberOrNew(name);
  if (!list.is(Kind::kArray)) list = listOf("");
  return list;
}

void forget(JsonValue& profile, const OperatorName& name) {
  for (const std::string_view list : {"operators", "refused"}) {
    std::erase_if(listMember(profile, list).items, [&](const JsonValue& entry) { return name.names(entry); });
  }
}

Result<void> listOperators(const std::string& option, const std::string& text, JsonValue& profile) {
  for (const std::string& part : split(text, ';')) {
    const OperatorName name = operatorNamed(part);
    if (name.op.empty())
      return fail(ErrorCode::kInvalidArgument, "option {}={}: names of operators, with ';' between them, are wanted",
                  option, text);
    forget(profile, name);
    JsonValue entry;
    entry.memberOrNew("op") = JsonValue::ofString(name.op);
    if (!name.domain.empty()) entry.memberOrNew("domain") = JsonValue::ofString(name.domain);
    entry.memberOrNew("source") = JsonValue::ofString("");  // no source of the profile says so
    if (option == "refuse")
      entry.memberOrNew("reason") = JsonValue::ofString(fmt::format("option refuse={} says so", text));
    listMember(profile, option == "refuse" ? "refused" : "operators").items.push_back(std::move(entry));
  }
  return {};
}

// What the text means at this place of an operator's entry.
JsonValue ruleValue(const std::vector<std::string>& path, const std::string& text) {
  if (path.size() == 2 && path[0] == "attributes") {
    JsonValue rule;
    if (text == "absent") {
      rule.memberOrNew("absent") = JsonValue::ofBool(true);
    } else {
      rule.memberOrNew("one_of") = listOf(text);
    }
    return rule;
  }
  static constexpr std::string_view kLists[] = {"types", "ranks", "versions", "constant_inputs", "forbidden_inputs"};
  const bool list = text.find(';') != std::string::npos ||
                    std::find(std::begin(kLists), std::end(kLists), path[0]) != std::end(kLists) ||
                    path.back() == "one_of";
  return list ? listOf(text) : scalarOf(text);
}

void setRule(JsonValue& entry, const std::vector<std::string>& path, const std::string& text) {
  JsonValue* at = &entry;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (text == "any" && at->member(path[i]) == nullptr) return;
    at = &at->memberOrNew(path[i]);
  }
  if (text == "any") {
    at->removeMember(path.back());
  } else {
    at->memberOrNew(path.back()) = ruleValue(path, text);
  }
}

// rule.Resize.attributes.mode=..., rule.com.microsoft:Gelu.types.0=...
Result<void> changeRule(const std::string& option, const std::string& text, JsonValue& profile) {
  const std::string_view rest = std::string_view(option).substr(kRule.size());
  const size_t colon = rest.find(':');
  const size_t dot = rest.find('.', colon == std::string_view::npos ? 0 : colon);
  if (dot == std::string_view::npos || dot + 1 == rest.size())
    return fail(ErrorCode::kInvalidArgument,
                "option {}: rule.OPERATOR.MEMBER is wanted, such as rule.Resize.attributes.mode", option);
  const std::string label(rest.substr(0, dot));
  const OperatorName name = operatorNamed(label);
  const std::vector<std::string> path = split(rest.substr(dot + 1), '.');
  if (path.size() > 4) return fail(ErrorCode::kInvalidArgument, "option {}: no rule lies so deep", option);
  bool found = false;
  for (JsonValue& entry : listMember(profile, "operators").items) {
    if (!name.names(entry)) continue;
    found = true;
    setRule(entry, path, text);
    entry.memberOrNew("source") = JsonValue::ofString("");
    entry.memberOrNew("note") = JsonValue::ofString(fmt::format("by option {}={}", option, text));
  }
  if (!found)
    return fail(ErrorCode::kInvalidArgument, "option {}: the profile does not list operator {}; allow={} does", option,
                label, label);
  return {};
}

Result<void> applyOption(const std::string& option, const std::string& text, JsonValue& profile) {
  if (option == "allow" || option == "refuse") return listOperators(option, text, profile);
  if (option.rfind(kRule, 0) == 0) return changeRule(option, text, profile);
  if (option.rfind(kFlops, 0) == 0) {
    profile.memberOrNew("device").memberOrNew("flops_per_second").memberOrNew(option.substr(kFlops.size())) =
        scalarOf(text);
    return {};
  }
  const auto fact =
      std::find_if(std::begin(kFacts), std::end(kFacts), [&](const SingleFact& each) { return each.option == option; });
  if (fact == std::end(kFacts))
    return fail(ErrorCode::kInvalidArgument, "a declared provider has no option '{}'; it has {}", option,
                allowedOptions());
  CUTAWAY_TRY(JsonValue value, valueFor(*fact, text));
  (fact->folder.empty() ? profile : profile.memberOrNew(fact->folder)).memberOrNew(fact->member) = std::move(value);
  return {};
}

}  // namespace

Result<void> applyOptions(const ProviderOptions& options, JsonValue& profile) {
  for (const auto& [option, text] : options) {
    CUTAWAY_CHECK(applyOption(option, text, profile));
  }
  return {};
}

}  // namespace cutaway::declared
