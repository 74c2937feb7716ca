// The lines of referenceKeys(), each as a statement of the language.
#include "engine/session/configuration/onnxruntime_code.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cutaway::session {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What the lines say, sorted by how it is set.
struct Settings {
  std::vector<std::string> providers;      // in onnxruntime's names, highest priority first
  std::vector<KeyValues> providerOptions;  // of each
  std::string level, order;                // names of enumerators; empty: not said
  std::string threads, workers;            // numbers; empty: not said
  bool parallel = false;
  KeyValues dims, keys;
  std::vector<std::string> comments;
};

std::vector<std::string> splitList(std::string_view list) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> words;
  while (!list.empty()) {
    const size_t end = std::min(list.find(kBetween), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + kBetween.size(), list.size()));
  }
  return words;
}

void take(const std::string& key, const std::string& value, Settings& settings) {
  constexpr std::string_view kDim = "free_dimension_override.";
  if (key == "providers") {
    settings.providers = splitList(value);
    settings.providerOptions.resize(settings.providers.size());
    return;
  }
  for (size_t i = 0; i < settings.providers.size(); ++i) {
    const std::string prefix = settings.providers[i] + ".";
    if (!key.starts_with(prefix)) continue;
    settings.providerOptions[i].emplace_back(key.substr(prefix.size()), value);
    return;
  }
  if (key == "graph_optimization_level") {
    settings.level = value;
  } else if (key == "intra_op_num_threads") {
    settings.threads = value;
  } else if (key == "execution_order") {
    if (value == "MEMORY_EFFICIENT")
      settings.comments.push_back("execution order " + value + ": builds for training alone have it");
    else if (value != "DEFAULT")
      settings.order = value;
  } else if (key.starts_with(kDim)) {
    settings.dims.emplace_back(key.substr(kDim.size()), value);
  } else {
    settings.keys.emplace_back(key, value);
  }
}

Settings settingsOf(Configuration configuration, const ProviderTable& table) {
  if (!configuration.providers || configuration.providers->empty())
    configuration.providers = std::vector{lastResort(table)};
  Settings settings;
  for (const std::string& line : referenceKeys(configuration, table)) {
    if (line.starts_with("# ")) {
      settings.comments.push_back(line.substr(2));
    } else if (const size_t equals = line.find(" = "); equals != std::string::npos) {
      take(line.substr(0, equals), line.substr(equals + 3), settings);
    }
  }
  settings.parallel = configuration.executor == "dataflow";
  if (const int workers = configuration.interThreads.value_or(0); settings.parallel && workers > 0)
    settings.workers = std::to_string(workers);
  return settings;
}

// In double quotes, as Python and C++ both read it.
std::string literal(std::string_view words) {
  std::string text = "\"";
  for (const char letter : words) {
    if (letter == '"' || letter == '\\')
      text += {'\\', letter};
    else if (static_cast<unsigned char>(letter) < 0x20)
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(letter));
    else
      text += letter;
  }
  return text + '"';
}

void addComments(const Settings& settings, const char* sign, std::string& code) {
  for (std::string comment : settings.comments) {
    std::ranges::replace(comment, '\n', ' ');
    code += fmt::format("{} {}\n", sign, comment);
  }
}

std::string pythonOptions(const KeyValues& options) {
  std::string text = "{";
  for (const auto& [key, value] : options)
    text += fmt::format("{}{}: {}", text.size() > 1 ? ", " : "", literal(key), literal(value));
  return text + "}";
}

std::string python(const std::string& model, const Settings& settings) {
  std::string code = "import onnxruntime as ort\n\noptions = ort.SessionOptions()\n";
  if (!settings.level.empty())
    code += fmt::format("options.graph_optimization_level = ort.GraphOptimizationLevel.{}\n", settings.level);
  if (!settings.threads.empty()) code += fmt::format("options.intra_op_num_threads = {}\n", settings.threads);
  if (settings.parallel) code += "options.execution_mode = ort.ExecutionMode.ORT_PARALLEL\n";
  if (!settings.workers.empty()) code += fmt::format("options.inter_op_num_threads = {}\n", settings.workers);
  if (!settings.order.empty()) code += fmt::format("options.execution_order = ort.ExecutionOrder.{}\n", settings.order);
  for (const auto& [name, size] : settings.dims)
    code += fmt::format("options.add_free_dimension_override_by_name({}, {})\n", literal(name), size);
  for (const auto& [key, value] : settings.keys)
    code += fmt::format("options.add_session_config_entry({}, {})\n", literal(key), literal(value));
  addComments(settings, "#", code);
  code += "\n# A provider that is a plug-in is registered first: ort.register_execution_provider_library(name, path)\n";
  code += fmt::format("session = ort.InferenceSession(\n    {},\n    sess_options=options,\n    providers=[",
                      literal(model));
  for (size_t i = 0; i < settings.providers.size(); ++i) {
    const std::string name = literal(settings.providers[i]);
    code += i > 0 ? ", " : "";
    code += settings.providerOptions[i].empty()
                ? name
                : fmt::format("({}, {})", name, pythonOptions(settings.providerOptions[i]));
  }
  return code + "],\n)\nprint(session.get_providers())\n";
}

std::string cppOptions(const KeyValues& options) {
  std::string text = "{";
  for (const auto& [key, value] : options)
    text += fmt::format("{}{{{}, {}}}", text.size() > 1 ? ", " : "", literal(key), literal(value));
  return text + "}";
}

// All but the last, which takes the rest: that one is always there.
std::string cppProviders(const Settings& settings) {
  std::string calls;
  for (size_t i = 0; i + 1 < settings.providers.size(); ++i)
    calls +=
        fmt::format("  append({}, {});\n", literal(settings.providers[i]), cppOptions(settings.providerOptions[i]));
  if (calls.empty()) return {};
  return R"(  // A provider that is a plug-in is registered first: env.RegisterExecutionProviderLibrary(name, path);
  const auto append = [&](const std::string& name, const std::unordered_map<std::string, std::string>& settings) {
    for (const Ort::ConstEpDevice& device : env.GetEpDevices()) {
      if (device.EpName() != name) continue;
      options.AppendExecutionProvider_V2(env, {device}, Ort::KeyValuePairs(settings));
      return;
    }
    throw std::runtime_error(name + " is not there");
  };
)" + calls;
}

std::string cpp(const std::string& model, const Settings& settings) {
  std::string code =
      "#include <stdexcept>\n#include <string>\n#include <unordered_map>\n\n#include <onnxruntime_cxx_api.h>\n\n"
      "int main() {\n  Ort::Env env(ORT_LOGGING_LEVEL_WARNING, \"model\");\n  Ort::SessionOptions options;\n";
  if (!settings.level.empty())
    code += fmt::format("  options.SetGraphOptimizationLevel(GraphOptimizationLevel::{});\n", settings.level);
  if (!settings.threads.empty()) code += fmt::format("  options.SetIntraOpNumThreads({});\n", settings.threads);
  if (settings.parallel) code += "  options.SetExecutionMode(ExecutionMode::ORT_PARALLEL);\n";
  if (!settings.workers.empty()) code += fmt::format("  options.SetInterOpNumThreads({});\n", settings.workers);
  if (!settings.order.empty())
    code += fmt::format("  // execution order {}: Python alone has a setting for it\n", settings.order);
  for (const auto& [name, size] : settings.dims)
    code += fmt::format("  Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(options, {}, {}));\n",
                        literal(name), size);
  for (const auto& [key, value] : settings.keys)
    code += fmt::format("  options.AddConfigEntry({}, {});\n", literal(key), literal(value));
  addComments(settings, "  //", code);
  code += cppProviders(settings);
  return code + fmt::format("  Ort::Session session(env, ORT_TSTR({}), options);\n}}\n", literal(model));
}

}  // namespace

std::string onnxruntimeCode(CodeLanguage language, const std::string& model, const Configuration& configuration,
                            const ProviderTable& table) {
  const Settings settings = settingsOf(configuration, table);
  return language == CodeLanguage::kPython ? python(model, settings) : cpp(model, settings);
}

}  // namespace cutaway::session
