// dlopen of the module, with an answer for people when it fails.
#include "providers/cuda/library.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <dlfcn.h>
#include <spdlog/fmt/fmt.h>

namespace cutaway::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModuleName = "libcutaway_cuda.so";
using BackendsFactory = DeviceBackends* (*)(int interface);

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
    return {nullptr,
            {},
            fmt::format("{} is not there: this program was built without the CUDA toolkit, or moved without the "
                        "module; name its folder in {}",
                        kModuleName, kFolderVariable)};
  void* const handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, {}, fmt::format("the module cannot be opened: {}", lastProblem())};
  const auto factory = reinterpret_cast<BackendsFactory>(dlsym(handle, kBackendSymbol));
  if (factory == nullptr)
    return {nullptr,
            {},
            fmt::format("{} is not this program's module: it has no function {}", module.string(), kBackendSymbol)};
  DeviceBackends* const backends = factory(kBackendInterface);
  if (backends == nullptr)
    return {
        nullptr, {}, fmt::format("{} belongs to another version of this program; build both again", module.string())};
  Library library{backends, {}, {}};
  if (Status status = backends->devices(library.devices); !status.ok()) library.reason = status.text;
  return library;
}

std::vector<fs::path> searchFolders() {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  std::error_code ignored;
  add(fs::read_symlink("/proc/self/exe", ignored).parent_path());
  if (const char* named = std::getenv(kFolderVariable); named != nullptr) {
    std::istringstream list(named);
    for (std::string folder; std::getline(list, folder, ':');)
      add(folder);
  }
#ifdef CUTAWAY_CUDA_MODULE_FOLDER
  add(CUTAWAY_CUDA_MODULE_FOLDER);
#endif
  return folders;
}

const Library& cudaLibrary() {
  static const Library library = openLibrary(searchFolders());
  return library;
}

}  // namespace cutaway::cuda
