#include "providers/cuda/module/libraries.h"

#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>

namespace cutaway::cuda {
namespace {

namespace fs = std::filesystem;

class FolderList {
 public:
  void add(const fs::path& folder) {
    std::error_code ignored;
    if (folder.empty() || !fs::is_directory(folder, ignored) ||
        std::find(m_folders.begin(), m_folders.end(), folder) != m_folders.end())
      return;
    m_folders.push_back(folder);
  }
  // Folders in `parent` whose name starts so, in order of name.
  void addEach(const fs::path& parent, const std::string& start, const fs::path& below) {
    std::error_code failed;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end; entry.increment(failed)) {
      if (entry->path().filename().string().rfind(start, 0) == 0) found.push_back(entry->path() / below);
    }
    std::sort(found.begin(), found.end());
    for (const fs::path& each : found)
      add(each);
  }
  std::vector<fs::path> take() { return std::move(m_folders); }

 private:
  std::vector<fs::path> m_folders;
};

fs::path moduleFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&moduleFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  return fs::absolute(info.dli_fname, ignored).parent_path();
}

// A Python at <prefix>/bin/python3 keeps its packages in <prefix>/lib/python3.x. An environment's python3 is a link,
// which is followed step by step: each prefix on the way counts.
void addPython(FolderList& list, fs::path python) {
  std::error_code failed;
  for (int steps = 0; steps < 8 && fs::exists(python, failed); ++steps) {
    const fs::path lib = python.parent_path().parent_path() / "lib";
    list.addEach(lib, "python3", "site-packages");
    list.addEach(lib, "python3", "dist-packages");
    const fs::path target = fs::read_symlink(python, failed);
    if (failed) return;
    python = target.is_absolute() ? target : python.parent_path() / target;
  }
}

// title: "cuDNN"; package: what pip calls it.
OpenedLibrary openLibrary(const char* title, const char* file, const char* package) {
  std::string broken;
  for (const fs::path& folder : libraryFolders()) {
    std::error_code ignored;
    const fs::path path = folder / file;
    if (!fs::exists(path, ignored)) continue;
    OpenedLibrary library = openLibraryFile(path, BindSymbols::kWhenCalled);
    if (library) return library;
    if (broken.empty()) broken = library.reason;
  }
  if (OpenedLibrary library = openLibraryFile(file, BindSymbols::kWhenCalled)) return library;
  const std::string how = std::string("; install the CUDA toolkit or the Python package ") + package +
                          ", or name the folder it lies in in CUTAWAY_CUDA_DIR";
  return {nullptr,
          {},
          std::string(title) + ": " + file + (broken.empty() ? " is not there" : " cannot be opened (" + broken + ")") +
              how};
}

}  // namespace

std::vector<fs::path> pythonFolders() {
  FolderList list;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* prefix = std::getenv(variable); prefix != nullptr)
      addPython(list, fs::path(prefix) / "bin" / "python3");
  }
  for (const fs::path& folder : foldersIn("PATH"))
    addPython(list, folder / "python3");
  return list.take();
}

std::vector<fs::path> libraryFolders() {
  FolderList list;
  list.add(moduleFolder());
  for (const fs::path& folder : foldersIn("CUTAWAY_CUDA_DIR")) {
    list.add(folder);
    list.add(folder / "lib");
    list.add(folder / "lib64");
  }
#ifdef CUTAWAY_CUDA_TOOLKIT_FOLDER
  list.add(CUTAWAY_CUDA_TOOLKIT_FOLDER);
#endif
  const char* home = std::getenv("CUDA_HOME");
  for (const fs::path& toolkit : {fs::path(home == nullptr ? "" : home), fs::path("/usr/local/cuda")}) {
    if (toolkit.empty()) continue;
    list.add(toolkit / "lib64");
    list.add(toolkit / "extras" / "CUPTI" / "lib64");
  }
  for (const fs::path& packages : pythonFolders())
    list.addEach(packages / "nvidia", "", "lib");
  return list.take();
}

const OpenedLibrary& cublasLtLibrary() {
  static const OpenedLibrary library = openLibrary("cuBLASLt", "libcublasLt.so.13", "nvidia-cublas");
  return library;
}

const OpenedLibrary& nvrtcLibrary() {
  // NVRTC opens its built-in functions by name; opened before, they are found wherever they lie.
  static const OpenedLibrary builtins = openLibrary("NVRTC", "libnvrtc-builtins.so.13.0", "nvidia-cuda-nvrtc");
  static const OpenedLibrary library = openLibrary("NVRTC", "libnvrtc.so.13", "nvidia-cuda-nvrtc");
  return library;
}

const OpenedLibrary& cudnnLibrary() {
  cublasLtLibrary();
  nvrtcLibrary();
  static const OpenedLibrary cublas = openLibrary("cuBLAS", "libcublas.so.13", "nvidia-cublas");
  static const OpenedLibrary library = openLibrary("cuDNN", "libcudnn.so.9", "nvidia-cudnn-cu13");
  return library;
}

const OpenedLibrary& cuptiLibrary() {
  static const OpenedLibrary library = openLibrary("CUPTI", "libcupti.so.13", "nvidia-cuda-cupti");
  return library;
}

const OpenedLibrary& cudartLibrary() {
  static const OpenedLibrary library = openLibrary("the CUDA run time", "libcudart.so.13", "nvidia-cuda-runtime");
  return library;
}

}  // namespace cutaway::cuda
