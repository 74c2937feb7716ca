#include "providers/cuda/library.h"

#include "engine/base/opened_library.h"
#include "engine/base/program_place.h"

namespace cutaway::cuda {

Library openLibrary(const std::vector<std::filesystem::path>& folders) {
  const OpenedModule opened =
      openModule<DeviceBackends>({.file = kModuleFile,
                                  .needs = "the CUDA toolkit",
                                  .entry = kBackendSymbol,
                                  .version = kBackendInterface,
                                  .remedy = std::string("name the folder of the module in ") + kFolderVariable},
                                 folders);
  if (opened.interface == nullptr) return {nullptr, {}, opened.reason};
  Library library{opened.interface, {}, {}};
  if (Status status = opened.interface->devices(library.devices); !status.ok()) library.reason = status.text;
  return library;
}

std::vector<std::filesystem::path> searchFolders() {
#ifdef CUTAWAY_CUDA_BUILD_FOLDER
  return moduleFolders(kFolderVariable, foldersOfBuild(CUTAWAY_CUDA_BUILD_FOLDER, {CUTAWAY_CUDA_BUILD_FOLDER "/bin"}));
#else
  return moduleFolders(kFolderVariable);
#endif
}

const Library& cudaLibrary() {
  static const Library library = openLibrary(searchFolders());
  return library;
}

}  // namespace cutaway::cuda
