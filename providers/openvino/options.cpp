// One row an option: how its text is read. A misspelt option is refused with the list of all.
#include "providers/openvino/options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::openvino {

namespace {

using Reader = Result<void> (*)(const std::string& key, const std::string& text, OpenvinoOptions& options);

std::string listText(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& each : items)
    text += (text.empty() ? "" : ", ") + each;
  return text;
}

Result<void> readNumber(const std::string& key, const std::string& text, int64_t least, int64_t& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= 1'000'000) return {};
  return fail(ErrorCode::kInvalidArgument,
              "option '{}' of provider openvino is '{}': it takes a whole number from {} to 1000000", key, text, least);
}

Result<void> readWord(const std::string& key, const std::string& text, const std::vector<std::string>& words,
                      std::string& word) {
  if (std::find(words.begin(), words.end(), text) == words.end())
    return fail(ErrorCode::kInvalidArgument, "option '{}' of provider openvino is '{}': it takes {}", key, text,
                listText(words));
  word = text;
  return {};
}

Result<void> readSwitch(const std::string& key, const std::string& text, bool& isOn) {
  std::string word;
  CUTAWAY_CHECK(readWord(key, text, {"0", "1"}, word));
  isOn = word == "1";
  return {};
}

struct Row {
  const char* name;
  Reader read;
};
constexpr std::array<Row, 10> kRows{{
    {"device",
     [](const auto&, const std::string& text, OpenvinoOptions& options) -> Result<void> {
       options.device = text;
       return {};
     }},
    {"precision",
     [](const auto& key, const std::string& text, OpenvinoOptions& options) {
       return readWord(key, text, {"f32", "f16", "bf16"}, options.precision);
     }},
    {"threads", [](const auto& key, const std::string& text,
                   OpenvinoOptions& options) { return readNumber(key, text, 0, options.threads); }},
    {"streams", [](const auto& key, const std::string& text,
                   OpenvinoOptions& options) { return readNumber(key, text, 1, options.streams); }},
    {"cache_dir",
     [](const auto&, const std::string& text, OpenvinoOptions& options) -> Result<void> {
       options.cacheFolder = text;
       return {};
     }},
    {"performance_hint",
     [](const auto& key, const std::string& text, OpenvinoOptions& options) {
       return readWord(key, text, {"latency", "throughput", "cumulative_throughput"}, options.performanceHint);
     }},
    {"minimum_nodes", [](const auto& key, const std::string& text,
                         OpenvinoOptions& options) { return readNumber(key, text, 1, options.minimumNodes); }},
    {"maximum_nodes", [](const auto& key, const std::string& text,
                         OpenvinoOptions& options) { return readNumber(key, text, 1, options.maximumNodes); }},
    {"dynamic_shapes", [](const auto& key, const std::string& text,
                          OpenvinoOptions& options) { return readSwitch(key, text, options.dynamicShapes); }},
    {"isolate", [](const auto& key, const std::string& text,
                   OpenvinoOptions& options) { return readSwitch(key, text, options.isolate); }},
}};

// "GPU", "GPU.0" and composed ones such as "HETERO:GPU,CPU" are left to OpenVINO once their first word is known.
Result<void> checkDevice(const std::string& device, const std::vector<std::string>& devices) {
  static const std::array<std::string, 4> kComposed{"AUTO", "MULTI", "HETERO", "BATCH"};
  const std::string first = device.substr(0, device.find(':'));
  const std::string family = device.substr(0, device.find_first_of(":."));
  const auto known = [&](const std::string& each) {
    return each == device || each.substr(0, each.find('.')) == family;
  };
  if (std::find(kComposed.begin(), kComposed.end(), first) != kComposed.end()) return {};
  if (std::any_of(devices.begin(), devices.end(), known)) return {};
  return fail(ErrorCode::kInvalidArgument,
              "option 'device' of provider openvino is '{}': OpenVINO finds {} here, and AUTO, HETERO:... and "
              "MULTI:... over them",
              device, listText(devices));
}

std::string inUpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

Result<OpenvinoOptions> readOptions(const ProviderOptions& given, const std::vector<std::string>& devices) {
  OpenvinoOptions options;
  for (const auto& [key, text] : given) {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) { return key == each.name; });
    if (row == kRows.end()) {
      std::vector<std::string> names;
      for (const Row& each : kRows)
        names.emplace_back(each.name);
      return fail(ErrorCode::kInvalidArgument, "provider openvino has no option '{}'; it has {}", key, listText(names));
    }
    CUTAWAY_CHECK(row->read(key, text, options));
  }
  CUTAWAY_CHECK(checkDevice(options.device, devices));
  return options;
}

CompileSettings compileSettings(const OpenvinoOptions& options, int threads) {
  CompileSettings settings{.device = options.device, .properties = {{"INFERENCE_PRECISION_HINT", options.precision}}};
  auto& properties = settings.properties;
  const bool exact = options.precision == "f32";
  if (exact) properties.emplace_back("EXECUTION_MODE_HINT", "ACCURACY");
  if (options.device == "CPU") {
    properties.emplace_back("INFERENCE_NUM_THREADS", std::to_string(options.threads > 0 ? options.threads : threads));
    // Other sessions and other providers share the cores: pinned threads would pile up on the same ones.
    properties.emplace_back("ENABLE_CPU_PINNING", "NO");
    if (exact) properties.emplace_back("DYNAMIC_QUANTIZATION_GROUP_SIZE", "0");
  }
  if (options.streams > 0) properties.emplace_back("NUM_STREAMS", std::to_string(options.streams));
  if (!options.performanceHint.empty())
    properties.emplace_back("PERFORMANCE_HINT", inUpperCase(options.performanceHint));
  if (!options.cacheFolder.empty()) properties.emplace_back("CACHE_DIR", options.cacheFolder);
  return settings;
}

}  // namespace cutaway::openvino
