#pragma once
// Finding and opening the module behind the device interface, once per process, and saying what is missing where there
// is no GPU.
//
// Thread rule: any thread. Example: const Library& library = cudaLibrary();  if (library.backends == nullptr)
// show(library.reason);

#include <filesystem>
#include <string>
#include <vector>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

inline constexpr const char* kModuleFile = "libcutaway_cuda.so";
inline constexpr const char* kFolderVariable =
    "CUTAWAY_CUDA_DIR";  // where the module and NVIDIA's libraries may lie, folders joined by ':'

struct Library {
  DeviceBackends* backends = nullptr;  // lives for the process
  std::vector<DeviceFacts> devices;    // empty with a reason
  std::string reason;                  // why nothing can run here, and what to do about it; empty: it can
};

Library openLibrary(const std::vector<std::filesystem::path>& folders);
std::vector<std::filesystem::path> searchFolders();
// openLibrary(searchFolders()), done once.
const Library& cudaLibrary();

}  // namespace cutaway::cuda
