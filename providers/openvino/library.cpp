#include "providers/openvino/library.h"

#include "engine/base/opened_library.h"
#include "engine/base/program_place.h"

namespace cutaway::openvino {

namespace {

namespace fs = std::filesystem;

#ifdef CUTAWAY_OPENVINO_LIBRARY_NAME
constexpr const char* kLibraryName = CUTAWAY_OPENVINO_LIBRARY_NAME;
#else
constexpr const char* kLibraryName = "libopenvino.so";
#endif

std::string howToGetIt(const std::vector<fs::path>& folders) {
  std::string text =
#ifdef CUTAWAY_OPENVINO_BUILD_FOLDER
      "get it with 'pip install openvino==2026.4.1' into build/env and build again, or name the folder of its "
      "libraries in CUTAWAY_OPENVINO_DIR; searched: ";
#else
      "install the package cutaway-openvino, or get it with 'pip install openvino==2026.4.1' and name the folder of "
      "its "
      "libraries in CUTAWAY_OPENVINO_DIR; searched: ";
#endif
  for (size_t i = 0; i < folders.size(); ++i)
    text += (i == 0 ? "" : ", ") + folders[i].string();
  if (folders.empty()) text += "nothing";
  return text;
}

}  // namespace

Library openLibrary(const std::vector<fs::path>& folders) {
  // Opened first, it answers to the name that the module asks for.
  const fs::path library = firstWith(folders, kLibraryName);
  if (!library.empty() && !firstWith(folders, kModuleFile).empty()) openLibraryFile(library);
  OpenedModule opened = openModule<Bridge>({.file = kModuleFile,
                                            .needs = "OpenVINO",
                                            .entry = kBridgeSymbol,
                                            .version = kBridgeInterface,
                                            .remedy = howToGetIt(folders)},
                                           folders);
  return {opened.interface, std::move(opened.reason)};
}

std::vector<fs::path> searchFolders() {
#ifdef CUTAWAY_OPENVINO_BUILD_FOLDER
  return moduleFolders(kFolderVariable,
                       foldersOfBuild(CUTAWAY_OPENVINO_BUILD_FOLDER,
                                      {CUTAWAY_OPENVINO_BUILD_FOLDER "/bin", CUTAWAY_OPENVINO_LIBRARY_FOLDER}));
#else
  return moduleFolders(kFolderVariable);
#endif
}

const Library& openvinoLibrary() {
  static const Library library = openLibrary(searchFolders());
  return library;
}

}  // namespace cutaway::openvino
