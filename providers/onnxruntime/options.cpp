// One row an option: how its text is read. A misspelt option is refused with the list of all.
#include "providers/onnxruntime/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "providers/onnxruntime/custom/custom_libraries.h"

namespace cutaway::onnxruntime {

namespace {

constexpr std::string_view kPluginLibrary = "library";  // "NAME:library=PATH"
constexpr char kBetweenProviders = '+';
constexpr char kBeforeOption = ':';

struct Text {
  const std::string& key;
  const std::string& value;
};
using Reader = Result<void> (*)(const Text& text, OnnxruntimeOptions& options);

Result<int64_t> number(const Text& text, int64_t least, int64_t most) {
  int64_t value = 0;
  const char* const end = text.value.data() + text.value.size();
  const auto [stop, problem] = std::from_chars(text.value.data(), end, value);
  if (problem == std::errc() && stop == end && value >= least && value <= most) return value;
  return fail(ErrorCode::kInvalidArgument,
              "option '{}' of provider onnxruntime is '{}': it takes a whole number from {} to {}", text.key,
              text.value, least, most);
}

Result<bool> yesOrNo(const Text& text) {
  CUTAWAY_TRY(const int64_t value, number(text, 0, 1));
  return value == 1;
}

Result<void> readLevel(const Text& text, OnnxruntimeOptions& options) {
  static constexpr std::array<std::pair<std::string_view, OptimizationLevel>, 5> kLevels{
      {{"none", OptimizationLevel::kNone},
       {"basic", OptimizationLevel::kBasic},
       {"extended", OptimizationLevel::kExtended},
       {"layout", OptimizationLevel::kLayout},
       {"all", OptimizationLevel::kAll}}};
  const auto* const level = std::ranges::find(kLevels, text.value, [](const auto& each) { return each.first; });
  if (level == kLevels.end())
    return fail(ErrorCode::kInvalidArgument,
                "option 'level' of provider onnxruntime is '{}': it takes none, basic, extended, layout or all",
                text.value);
  options.settings.level = level->second;
  return {};
}

Result<void> readExecution(const Text& text, OnnxruntimeOptions& options) {
  if (text.value != "sequential" && text.value != "parallel")
    return fail(ErrorCode::kInvalidArgument,
                "option 'execution' of provider onnxruntime is '{}': it takes sequential or parallel", text.value);
  options.settings.parallel = text.value == "parallel";
  return {};
}

Result<void> readProviders(const Text& text, OnnxruntimeOptions& options) {
  std::string_view rest = text.value;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(kBetweenProviders), rest.size());
    if (end == 0)
      return fail(ErrorCode::kInvalidArgument,
                  "option 'providers' of provider onnxruntime is '{}': it takes names with '{}' between them",
                  text.value, kBetweenProviders);
    const std::string name(rest.substr(0, end));
    options.settings.providers.push_back({.name = name, .plugin = {.registration = name}, .options = {}});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<void> readNodes(const Text& text, OnnxruntimeOptions& options) {
  if (text.value != "all" && text.value != "custom")
    return fail(ErrorCode::kInvalidArgument,
                "option 'nodes' of provider onnxruntime is '{}': it takes all, or custom (nodes of custom operators, "
                "whose libraries --custom-ops names)",
                text.value);
  options.customOnly = text.value == "custom";
  return {};
}

struct Row {
  const char* name;
  Reader read;
};
constexpr std::array<Row, 12> kRows{{
    {"folder",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       options.folder = text.value;
       return {};
     }},
    {"level", readLevel},
    {"execution", readExecution},
    {"threads",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.settings.intraThreads, number(text, 0, 4096));
       return {};
     }},
    {"inter_threads",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.settings.interThreads, number(text, 0, 4096));
       return {};
     }},
    {"arena",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.settings.arena, yesOrNo(text));
       return {};
     }},
    {"memory_pattern",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.settings.memoryPattern, yesOrNo(text));
       return {};
     }},
    {"prepacking",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(const bool isOn, yesOrNo(text));
       options.settings.keys.emplace_back("session.disable_prepacking", isOn ? "0" : "1");
       return {};
     }},
    {"providers", readProviders},
    {"nodes", readNodes},
    {"timeout",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.timeoutSeconds, number(text, 1, 1'000'000));
       return {};
     }},
    {"minimum_nodes",
     [](const Text& text, OnnxruntimeOptions& options) -> Result<void> {
       CUTAWAY_TRY(options.minimumNodes, number(text, 1, 1'000'000));
       return {};
     }},
}};

// "NAME:KEY": an option of one of the appended providers.
Result<void> readProviderOption(const Text& text, OnnxruntimeOptions& options) {
  const size_t colon = text.key.find(kBeforeOption);
  const std::string name = text.key.substr(0, colon);
  const auto provider = std::ranges::find(options.settings.providers, name, &AppendedProvider::name);
  if (provider == options.settings.providers.end())
    return fail(ErrorCode::kInvalidArgument,
                "option '{}' of provider onnxruntime is for {}, which option 'providers' does not name", text.key,
                name);
  const std::string key = text.key.substr(colon + 1);
  if (key == kPluginLibrary) {
    provider->plugin.library = text.value;
  } else {
    provider->options.emplace_back(key, text.value);
  }
  return {};
}

}  // namespace

Result<OnnxruntimeOptions> readOptions(const ProviderOptions& given) {
  OnnxruntimeOptions options;
  options.settings.customOperators = customLibraryPaths();
  std::vector<Text> ofProviders;  // once all providers are known
  for (const auto& [key, value] : given) {
    const Text text{key, value};
    if (const auto* const row = std::ranges::find(kRows, key, [](const Row& each) { return std::string(each.name); });
        row != kRows.end()) {
      CUTAWAY_CHECK(row->read(text, options));
    } else if (key.find(kBeforeOption) != std::string::npos) {
      ofProviders.push_back(text);
    } else if (key.find('.') != std::string::npos) {
      options.settings.keys.emplace_back(key, value);
    } else {
      std::string names;
      for (const Row& each : kRows)
        names += (names.empty() ? "" : ", ") + std::string(each.name);
      return fail(ErrorCode::kInvalidArgument,
                  "provider onnxruntime has no option '{}'; it has {}, session keys of ONNX Runtime (with a dot), and "
                  "PROVIDER:OPTION for those that 'providers' names",
                  key, names);
    }
  }
  for (const Text& text : ofProviders)
    CUTAWAY_CHECK(readProviderOption(text, options));
  return options;
}

}  // namespace cutaway::onnxruntime
