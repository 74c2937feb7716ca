#include "app/custom_operators/plugin_options.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "app/options/taken_option.h"
#include "engine/base/folder_entries.h"
#include "engine/plugin/plugin_folder.h"
#include "engine/provider/provider_spec.h"
#include "engine/stages/load/function_library.h"
#include "providers/plugged/provider.h"

namespace cutaway {
namespace {

// Libraries of functions are models, and need no library of code beside them.
Result<void> openFolder(const std::string& folder) {
  CUTAWAY_TRY(const size_t functions, load::openFunctionLibraries(folder));
  const bool hasCode = std::ranges::any_of(folderEntries(folder),
                                           [](const std::filesystem::path& each) { return each.extension() == ".so"; });
  return hasCode || functions == 0 ? openPluginFolder(folder) : Result<void>();
}

}  // namespace

void declarePlugins(CLI::App& command) {
  addTakenOptions(command, "--plugin", openFolder,
                  "a folder with plug-ins: operators, passes and overlays in libraries, which run inside of this "
                  "program, and models "
                  "whose functions others call",
                  "FOLDER")
      ->trigger_on_parse();
}

void addPluggedProvider(std::vector<std::string>& providers) {
  const std::vector<const OpenedPlugin*> all = openedPlugins();
  if (std::ranges::none_of(all, [](const OpenedPlugin* each) { return each->tables->operatorCount > 0; })) return;
  const std::string name = pluggedProvider().name;
  const auto named = [&](const std::string& text) {
    const Result<ProviderSpec> spec = parseProviderSpec(text);
    return spec && spec->name == name;
  };
  if (std::ranges::none_of(providers, named)) providers.insert(providers.begin(), name);
}

}  // namespace cutaway
