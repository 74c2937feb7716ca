#include "providers/onnxruntime/options/plugin_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "engine/base/name_hint.h"
#include "providers/onnxruntime/options/known_options.h"

namespace cutaway::onnxruntime {
namespace {

constexpr char kBetweenValues = ',';

std::vector<std::string_view> valuesOf(std::string_view text) {
  std::vector<std::string_view> values;
  while (true) {
    const size_t end = text.find(kBetweenValues);
    values.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return values;
    text.remove_prefix(end + 1);
  }
}

std::optional<int64_t> wholeNumber(std::string_view text) {
  int64_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

bool isSameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

const KnownValue* knownValue(const KnownOption& option, std::string_view text) {
  const auto found = std::ranges::find_if(option.values, [&](const KnownValue& each) {
    return each.text == text || (each.isTaken && isSameWord(each.title, text));
  });
  return found == option.values.end() ? nullptr : &*found;
}

const std::string* given(const TextPairs& options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &TextPairs::value_type::first);
  return found == options.end() ? nullptr : &found->second;
}

// "one of 43 (SM8550), 69 (SM8750)": the whole list, for a person who has to choose.
std::string allValues(const KnownOption& option) {
  std::string text;
  for (const KnownValue& value : option.values)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", value.text,
                        value.title.empty() ? "" : fmt::format(" ({})", value.title));
  return text;
}

class Check {
 public:
  Check(const KnownProvider& known, const TextPairs& options) : known_(known), options_(options) {}

  Result<void> one(const KnownOption& option, const std::string& text) const {
    if (option.rule == ValueRule::kRefused)
      return fail(ErrorCode::kInvalidArgument, "option '{}' of {} cannot be set: {}", option.name, known_.provider,
                  option.about);
    for (const std::string_view value : option.isList ? valuesOf(text) : std::vector<std::string_view>{text})
      CUTAWAY_CHECK(value_(option, value));
    if (text == option.standard) return {};
    for (const Together& rule : option.together)
      CUTAWAY_CHECK(beside(option, text, rule));
    return {};
  }

  // Of an option that is not given.
  Result<void> missing(const KnownOption& option) const {
    if (!option.isNeeded) return {};
    if (!option.neededUnless.empty() && given(options_, option.neededUnless) != nullptr) return {};
    if (!option.neededIf.empty()) {
      const std::string* const other = given(options_, option.neededIf);
      if (other == nullptr || *other != option.neededValue) return {};
    }
    const std::string allowed = allValues(option);
    return fail(ErrorCode::kInvalidArgument, "{} needs option '{}': {}{}{}", known_.provider, option.name, option.about,
                allowed.empty() ? "" : "; it takes ", allowed);
  }

 private:
  Result<void> value_(const KnownOption& option, std::string_view value) const {
    if (option.rule == ValueRule::kText && !value.empty()) return {};
    if (option.rule == ValueRule::kText)
      return fail(ErrorCode::kInvalidArgument, "option '{}' of {} is empty: {}", option.name, known_.provider,
                  option.about);
    if (option.rule == ValueRule::kWhole) {
      const std::optional<int64_t> number = wholeNumber(value);
      if (number && *number >= option.least && *number <= option.most) return {};
      return fail(ErrorCode::kInvalidArgument, "option '{}' of {} is '{}': it takes a whole number from {}{}",
                  option.name, known_.provider, value, option.least,
                  option.most == INT64_MAX ? " on" : fmt::format(" to {}", option.most));
    }
    if (knownValue(option, value) != nullptr) return {};
    std::vector<std::string> near;
    for (const KnownValue& each : option.values) {
      near.push_back(each.text);
      if (each.isTaken) near.push_back(each.title);
    }
    const std::string hint = nameHint("it takes", value, near);
    const bool isGuess = !hint.starts_with("it takes");
    return fail(ErrorCode::kInvalidArgument, "option '{}' of {} is '{}'{}it takes {}", option.name, known_.provider,
                value, isGuess ? fmt::format(": {} ", hint) : ": ", allValues(option));
  }

  Result<void> beside(const KnownOption& option, const std::string& text, const Together& rule) const {
    const std::string* const other = given(options_, rule.other);
    switch (rule.rule) {
      case TogetherRule::kNot:
        return isOn(rule.other, other) ? bothGiven(option, rule) : Result<void>{};
      case TogetherRule::kWith:
        if (other != nullptr && *other == rule.value) return {};
        return fail(ErrorCode::kInvalidArgument, "option '{}' of {} does nothing without {}={}", option.name,
                    known_.provider, rule.other, rule.value);
      case TogetherRule::kAtLeast:
        return atLeast(option, other, rule);
      case TogetherRule::kCount:
        break;
    }
    const size_t count = valuesOf(text).size();
    if (other == nullptr || valuesOf(*other).size() == count) return {};
    return fail(ErrorCode::kInvalidArgument, "option '{}' of {} has {} values and {} has {}: it takes one for each",
                option.name, known_.provider, count, rule.other, valuesOf(*other).size());
  }

  Result<void> atLeast(const KnownOption& option, const std::string* other, const Together& rule) const {
    const auto row = std::ranges::find(known_.options, rule.other, &KnownOption::name);
    bool isEnough = other != nullptr;
    for (const std::string_view each : isEnough ? valuesOf(*other) : std::vector<std::string_view>{}) {
      const KnownValue* const value = row == known_.options.end() ? nullptr : knownValue(*row, each);
      const std::optional<int64_t> number = wholeNumber(value != nullptr ? value->text : each);
      isEnough = isEnough && number && *number >= *wholeNumber(rule.value);
    }
    if (isEnough) return {};
    return fail(ErrorCode::kInvalidArgument, "option '{}' of {} needs {} of {} or more{}", option.name, known_.provider,
                rule.other, rule.value, other == nullptr ? "" : fmt::format(", not {}", *other));
  }

  // Given, and not with the value that holds anyway.
  bool isOn(std::string_view name, const std::string* value) const {
    if (value == nullptr) return false;
    const auto row = std::ranges::find(known_.options, name, &KnownOption::name);
    return row == known_.options.end() || *value != row->standard;
  }

  Result<void> bothGiven(const KnownOption& option, const Together& rule) const {
    return fail(ErrorCode::kInvalidArgument, "options '{}' and '{}' of {} exclude each other: give one", option.name,
                rule.other, known_.provider);
  }

  const KnownProvider& known_;
  const TextPairs& options_;
};

}  // namespace

Result<std::vector<std::string>> checkPluginOptions(const PluginVersion& plugin, const TextPairs& options) {
  std::vector<std::string> notes;
  const KnownProvider* const known = findKnownProvider(plugin.provider);
  if (known == nullptr) {
    if (!options.empty())
      notes.push_back(fmt::format("nothing is known of the options of {}: they go to it unchecked", plugin.provider));
    return notes;
  }
  const bool isSameVersion = plugin.package.empty() || plugin.package == known->version;
  if (!isSameVersion)
    notes.push_back(fmt::format("{} is of version {}; its options are checked by what {} knew", known->package,
                                plugin.package, known->version));

  const Check check(*known, options);
  for (size_t i = 0; i < options.size(); ++i) {
    const auto& [name, value] = options[i];
    if (std::ranges::find(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(i), name,
                          &TextPairs::value_type::first) != options.begin() + static_cast<std::ptrdiff_t>(i))
      return fail(ErrorCode::kInvalidArgument, "option '{}' of {} is given twice", name, known->provider);
    const auto option = std::ranges::find(known->options, name, &KnownOption::name);
    if (option != known->options.end()) {
      CUTAWAY_CHECK(check.one(*option, value));
      continue;
    }
    std::vector<std::string> names;
    for (const KnownOption& each : known->options)
      names.push_back(each.name);
    const std::string hint = nameHint("it has", name, names);
    if (isSameVersion)
      return fail(ErrorCode::kInvalidArgument, "{} ({} {}) has no option '{}': {}", known->provider, known->package,
                  known->version, name, hint);
    notes.push_back(fmt::format("option '{}' is not known of {} {}: it goes to {} unchecked", name, known->package,
                                known->version, known->provider));
  }
  for (const KnownOption& option : known->options) {
    if (given(options, option.name) == nullptr) CUTAWAY_CHECK(check.missing(option));
  }
  return notes;
}

}  // namespace cutaway::onnxruntime
