#include "app/providers/provider_table.h"

#include <utility>

#include "engine/plugin/plugin_folder.h"
#include "providers/onnxruntime/plugin/plugin_rows.h"
#include "providers/plugged/provider.h"

namespace cutaway {

// The build writes the list from CMakeLists.txt: CUTAWAY_UNIT(name) for each provider.
#define CUTAWAY_UNIT(name) ProviderEntry name##Provider();
#include "providers_table.inc"
#undef CUTAWAY_UNIT

ProviderTable builtProviders() {
#define CUTAWAY_UNIT(name) name##Provider(),
  ProviderTable table{
#include "providers_table.inc"
  };
#undef CUTAWAY_UNIT
  // Libraries that are found or named when the program runs, before whoever takes the rest.
  for (ProviderEntry& plugin : pluginProviders()) {
    if (findEntry(table, plugin.name) == nullptr) table.insert(table.end() - 1, std::move(plugin));
  }
  // Kernels of plug-ins (--plugin), where there are any.
  if (!openedPlugins().empty()) table.insert(table.end() - 1, pluggedProvider());
  return table;
}

}  // namespace cutaway
