#include "providers/onnxruntime/plugin/plugin_settings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/options/plugin_options.h"

namespace cutaway::onnxruntime {

namespace {

constexpr std::string_view kVariableStart = "env.";
constexpr char kBetweenEntries = '+';

Result<int64_t> number(const PluginLibrary& plugin, const std::string& key, const std::string& value, int64_t least,
                       int64_t most) {
  int64_t read = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, problem] = std::from_chars(value.data(), end, read);
  if (problem == std::errc() && stop == end && read >= least && read <= most) return read;
  return fail(ErrorCode::kInvalidArgument, "option '{}' of provider {} is '{}': it takes a whole number from {} to {}",
              key, plugin.name, value, least, most);
}

class SettingsReader {
 public:
  explicit SettingsReader(const PluginLibrary& plugin) : m_plugin(plugin) {
    m_settings.session.level = OptimizationLevel::kNone;
    m_settings.session.customOperators = customLibraryPaths();
    m_settings.session.providers.push_back(
        {.name = {},
         .plugin = {.registration = plugin.registration, .library = plugin.path.string(), .environment = {}},
         .options = {}});
  }

  Result<PluginSettings> read(const ProviderOptions& options) {
    for (const auto& [key, value] : options)
      CUTAWAY_CHECK(readOne(key, value));
    quietPool();
    AppendedProvider& provider = m_settings.session.providers.front();
    const std::string& name = provider.name.empty() ? m_plugin.registration : provider.name;
    CUTAWAY_TRY(m_settings.notes, checkPluginOptions({name, m_plugin.version}, provider.options));
    return std::move(m_settings);
  }

 private:
  // Each group is a session, and each session has a pool of threads for kernels of ONNX Runtime, of which there are
  // none: threads that look for work all the time take the processor from the compiler.
  void quietPool() {
    constexpr const char* kSpinning = "session.intra_op.allow_spinning";
    const bool isSaid =
        std::ranges::any_of(m_settings.session.keys, [](const auto& key) { return key.first == kSpinning; });
    if (!isSaid) m_settings.session.keys.emplace_back(kSpinning, "0");
  }

  Result<void> readOne(const std::string& key, const std::string& value) {
    AppendedProvider& provider = m_settings.session.providers.front();
    if (key == "library") {
      provider.plugin.library = value;
    } else if (key == "ep") {
      provider.name = value;
    } else if (key == "folder") {
      m_settings.folder = value;
    } else if (key == "timeout") {
      CUTAWAY_TRY(m_settings.timeoutSeconds, number(m_plugin, key, value, 1, 1'000'000));
    } else if (key == "minimum_nodes") {
      CUTAWAY_TRY(m_settings.minimumNodes, number(m_plugin, key, value, 1, 1'000'000));
    } else if (key == "threads") {
      CUTAWAY_TRY(m_settings.session.intraThreads, number(m_plugin, key, value, 0, 4096));
    } else if (key == "level") {
      if (value != "none" && value != "basic")
        return fail(ErrorCode::kInvalidArgument,
                    "option 'level' of provider {} is '{}': it takes none, or basic (ONNX Runtime's own first level "
                    "over what it is given, which may put other nodes in the place of ours)",
                    m_plugin.name, value);
      m_settings.session.level = value == "basic" ? OptimizationLevel::kBasic : OptimizationLevel::kNone;
    } else if (key.starts_with(kVariableStart)) {
      provider.plugin.environment.emplace_back(key.substr(kVariableStart.size()), value);
    } else if (key.find('.') != std::string::npos) {
      m_settings.session.keys.emplace_back(key, value);
    } else {
      std::string entries = value;
      std::ranges::replace(entries, kBetweenEntries, ',');
      provider.options.emplace_back(key, std::move(entries));
    }
    return {};
  }

  const PluginLibrary& m_plugin;
  PluginSettings m_settings;
};

}  // namespace

Result<PluginSettings> readPluginSettings(const PluginLibrary& plugin, const ProviderOptions& options) {
  return SettingsReader(plugin).read(options);
}

std::string targetOf(const PluginSettings& settings) {
  std::string text;
  for (const AppendedProvider& provider : settings.session.providers) {
    text += provider.plugin.registration + '|' + provider.plugin.library + '|' + provider.name;
    for (const TextPairs* const pairs : {&provider.options, &provider.plugin.environment}) {
      for (const auto& [key, value] : *pairs)
        text += fmt::format(";{}={}", key, value);
    }
  }
  return text;
}

}  // namespace cutaway::onnxruntime
