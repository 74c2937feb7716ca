#include "providers/onnxruntime/plugin/plugin_rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_provider.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"
#include "providers/onnxruntime/record/recorded_provider.h"

namespace cutaway {

namespace {

using namespace onnxruntime;

Result<PluginLibrary> pluginAt(size_t index) {
  std::vector<PluginLibrary> plugins = pluginLibraries();
  if (index >= plugins.size()) return fail(ErrorCode::kNotFound, "there is no such plug-in library");
  return std::move(plugins[index]);
}

// The library alone is looked at: opening it takes longer than a list of providers should.
ProviderStatus probePlugin(size_t index) {
  const Result<PluginLibrary> plugin = pluginAt(index);
  if (!plugin) return {.usable = false, .version = {}, .reason = plugin.error().message};
  if (plugin->path.empty())
    return {.usable = false, .version = {}, .reason = fmt::format("its library is not found; {}", howToGet(*plugin))};
  const Result<LibraryPlace> place = findLibrary();
  if (!place) return {.usable = false, .version = plugin->version, .reason = place.error().message};
  const std::string version = plugin->version.empty() ? plugin->path.filename().string() : plugin->version;
  return {.usable = true, .version = fmt::format("{} ({})", version, plugin->source), .reason = {}};
}

// Rows are functions without a state, so each place in the list of libraries has its own.
constexpr size_t kMostRows = 16;

template <size_t Index>
ProviderStatus probeAt() {
  return probePlugin(Index);
}
template <size_t Index>
Result<std::unique_ptr<ExecutionProvider>> createAt(const ProviderRequest& request) {
  CUTAWAY_TRY(PluginLibrary plugin, pluginAt(Index));
  return createPluginProvider(std::move(plugin), request);
}

struct RowFunctions {
  decltype(ProviderEntry::probe) probe;
  decltype(ProviderEntry::create) create;
};
template <size_t... Index>
constexpr std::array<RowFunctions, sizeof...(Index)> rowFunctions(std::index_sequence<Index...> /*places*/) {
  return {{{&probeAt<Index>, &createAt<Index>}...}};
}

}  // namespace

ProviderTable pluginProviders() {
  static constexpr auto kFunctions = rowFunctions(std::make_index_sequence<kMostRows>{});
  ProviderTable table;
  const std::vector<PluginLibrary> plugins = pluginLibraries();
  for (size_t i = 0; i < std::min(plugins.size(), kMostRows); ++i) {
    const PluginLibrary& plugin = plugins[i];
    table.push_back({.name = plugin.name,
                     .displayName = plugin.title,
                     .description = plugin.isSimulator
                                        ? "plug-in of ONNX Runtime: compiles for its hardware and simulates it here"
                                        : "plug-in of ONNX Runtime, in a process of its own",
                     .probe = kFunctions[i].probe,
                     .create = kFunctions[i].create,
                     .contextSources = {{.name = plugin.registration, .title = plugin.title}}});
  }
  table.push_back(recordedProvider());
  return table;
}

bool needsOptions(const std::string& name) {
  const std::vector<PluginLibrary> plugins = pluginLibraries();
  const auto plugin = std::ranges::find(plugins, name, &PluginLibrary::name);
  return plugin != plugins.end() && !readPluginSettings(*plugin, {});
}

}  // namespace cutaway
