#pragma once
// The JSON of -p: which plugin provider onnxruntime's tool would load, and what of it means something here.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const PluginChoice choice, readPluginFile("plugin.json"));

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::sharing {

struct PluginChoice {
  std::string provider;                        // selected_ep_name; empty: not said
  std::map<std::string, std::string> options;  // default_ep_options
  std::vector<std::string> notes;
};

// NO_SUCHFILE; INVALID_ARGUMENT: no JSON object, an unknown member, a member of another kind, ep_library_path
// (libraries are not loaded), devices chosen by index.
Result<PluginChoice> readPluginFile(const std::filesystem::path& file);

}  // namespace cutaway::sharing
