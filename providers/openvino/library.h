#pragma once
// Finding and opening the module behind the device interface, once per process.
//
// Searched in this order: the folder of the executable, that of an installation's modules, the folder in
// CUTAWAY_OPENVINO_DIR, the folders of the build where the program lies in it.
// OpenVINO's own library is looked for in the same places and opened first, so that a copy that lies next to the
// program or where the variable points wins over the one the module was linked with. Thread rule: any thread. Example:
// const Library& library = openvinoLibrary();  if (library.bridge == nullptr) show(library.reason);

#include <filesystem>
#include <string>
#include <vector>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

inline constexpr const char* kModuleFile = "libcutaway_openvino.so";
inline constexpr const char* kFolderVariable = "CUTAWAY_OPENVINO_DIR";

struct Library {
  Bridge* bridge = nullptr;  // lives for the process
  std::string reason;        // why there is none, and how to get it
};

// Opens the module from the first of these folders that has it.
Library openLibrary(const std::vector<std::filesystem::path>& folders);
std::vector<std::filesystem::path> searchFolders();
// openLibrary(searchFolders()), done once.
const Library& openvinoLibrary();

}  // namespace cutaway::openvino
