#include "app/custom_operators/plugin_options.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "app/options/taken_option.h"
#include "engine/plugin/plugin_folder.h"
#include "engine/provider/provider_spec.h"
#include "providers/plugged/provider.h"

namespace cutaway {

void declarePlugins(CLI::App& command) {
  addTakenOptions(
      command, "--plugin", [](const std::string& folder) { return openPluginFolder(folder); },
      "a folder with plug-ins: operators, passes and overlays in libraries, which run inside of this program", "FOLDER")
      ->trigger_on_parse();
}

void addPluggedProvider(std::vector<std::string>& providers) {
  const std::vector<const PluginLibrary*> all = pluginLibraries();
  if (std::ranges::none_of(all, [](const PluginLibrary* each) { return each->tables->operatorCount > 0; })) return;
  const std::string name = pluggedProvider().name;
  const auto named = [&](const std::string& text) {
    const Result<ProviderSpec> spec = parseProviderSpec(text);
    return spec && spec->name == name;
  };
  if (std::ranges::none_of(providers, named)) providers.insert(providers.begin(), name);
}

}  // namespace cutaway
