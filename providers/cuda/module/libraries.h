#pragma once
// NVIDIA's libraries, found and opened when first asked for: beside the module, in CUTAWAY_CUDA_DIR, in the toolkit, in
// Python's packages, and last by name (the system's loader).
//
// Thread rule: any thread; each library is opened once and stays. Needs no device.
// Example:
//   const OpenedLibrary& library = cudnnLibrary();
//   if (!library) return Status::unsupported(library.reason);
//   const auto create = library.symbol<cudnnStatus_t(cudnnHandle_t*)>("cudnnCreate");

#include <filesystem>
#include <vector>

#include "engine/base/opened_library.h"

namespace cutaway::cuda {

// The reason where one is missing says how to get it: "cuDNN: libcudnn.so.9 is not there; ...".
const OpenedLibrary& cublasLtLibrary();
const OpenedLibrary& nvrtcLibrary();
// Opens what cuDNN itself looks up by name (cuBLASLt, cuBLAS, NVRTC) first, so that it is found wherever it lies.
const OpenedLibrary& cudnnLibrary();
const OpenedLibrary& cuptiLibrary();
// The shared CUDA run time, for libraries that look it up by name. The module itself carries its own.
const OpenedLibrary& cudartLibrary();

// The folders searched, best first. python: folders of Python packages (".../site-packages").
std::vector<std::filesystem::path> libraryFolders();
std::vector<std::filesystem::path> pythonFolders();

}  // namespace cutaway::cuda
