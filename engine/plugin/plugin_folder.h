#pragma once
// Plug-ins of this program: the libraries of the folders that were named, with what they bring.
//
// A library is opened in this process and stays open. Its operators are known everywhere from then on
// (engine/schema/added_schemas.h); kernels, passes and overlays are asked for where they belong. The list only grows.
// Thread rule: any thread; folders are opened before models are loaded and windows are made. Example:
//   CUTAWAY_CHECK(openPluginFolder("plugins"));
//   for (const OpenedPlugin& each : openedPlugins()) show(each.tables->name);

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/plugin/plugin_interface.h"

namespace cutaway {

struct OpenedPlugin {
  std::filesystem::path path;
  const plugin::Library* tables = nullptr;
  std::vector<std::string> notes;  // about operators that are known without it
};

// Every file that ends in .so, by name. One that was opened before is not opened again. INVALID_ARGUMENT: no such
// folder, or nothing in it; EP_FAIL with the file: no plug-in, another version of the interface, a table that lacks a
// name or a function.
Result<void> openPluginFolder(const std::filesystem::path& folder);
// References live for the process.
std::vector<const OpenedPlugin*> openedPlugins();

}  // namespace cutaway
