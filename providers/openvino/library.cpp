// dlopen of the module, with an answer for people when it fails.
#include "providers/openvino/library.h"

#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>

namespace cutaway::openvino {

namespace {

namespace fs = std::filesystem;

constexpr const char* kModuleName = "libcutaway_openvino.so";
#ifdef CUTAWAY_OPENVINO_LIBRARY_NAME
constexpr const char* kLibraryName = CUTAWAY_OPENVINO_LIBRARY_NAME;
#else
constexpr const char* kLibraryName = "libopenvino.so";
#endif

std::string howToGetIt(const std::vector<fs::path>& folders) {
  std::string text =
      "get it with 'pip install openvino==2026.4.1' into build/env and build again, or name the folder of its "
      "libraries in CUTAWAY_OPENVINO_DIR; searched: ";
  for (size_t i = 0; i < folders.size(); ++i)
    text += (i == 0 ? "" : ", ") + folders[i].string();
  if (folders.empty()) text += "nothing";
  return text;
}

fs::path firstWith(const std::vector<fs::path>& folders, const char* name) {
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) return folder / name;
  }
  return {};
}

std::string lastProblem() {
  const char* text = dlerror();
  return text == nullptr ? "no reason given" : text;
}

}  // namespace

Library openLibrary(const std::vector<fs::path>& folders) {
  const fs::path module = firstWith(folders, kModuleName);
  if (module.empty())
    return {nullptr, std::string(kModuleName) +
                         " is not there: this program was built without OpenVINO, or moved without it; " +
                         howToGetIt(folders)};
  // Opened first, it answers to the name that the module asks for.
  const fs::path library = firstWith(folders, kLibraryName);
  if (!library.empty()) dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return {nullptr, "OpenVINO's libraries cannot be opened (" + lastProblem() + "); " + howToGetIt(folders)};
  const auto factory = reinterpret_cast<BridgeFactory>(dlsym(handle, kBridgeSymbol));
  if (factory == nullptr)
    return {nullptr, module.string() + " is not this program's module: it has no function " + kBridgeSymbol};
  Bridge* const bridge = factory(kBridgeInterface);
  if (bridge == nullptr)
    return {nullptr, module.string() +
                         " belongs to another version of this program, or OpenVINO could not start; build both again"};
  return {bridge, {}};
}

std::vector<fs::path> searchFolders() {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  std::error_code ignored;
  add(fs::read_symlink("/proc/self/exe", ignored).parent_path());
  if (const char* named = std::getenv(kFolderVariable); named != nullptr) add(named);
#ifdef CUTAWAY_OPENVINO_MODULE_FOLDER
  add(CUTAWAY_OPENVINO_MODULE_FOLDER);
  add(CUTAWAY_OPENVINO_LIBRARY_FOLDER);
#endif
  return folders;
}

const Library& openvinoLibrary() {
  static const Library library = openLibrary(searchFolders());
  return library;
}

}  // namespace cutaway::openvino
