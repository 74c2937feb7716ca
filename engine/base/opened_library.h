#pragma once
// Libraries that are opened at run time: those of vendors, and the modules that this program keeps beside itself so
// that one build serves machines without the vendor's libraries.
//
// Whatever is opened stays open for the process. Knows the C++ library and the system alone: modules link it as well.
// Thread rule: any thread. Example:
//   const OpenedModule opened = openModule<Bridge>({.file = "libcutaway_chip.so", .needs = "the Chip SDK", .entry =
//   "chipBridge",
//                                           .version = 3, .remedy = "install it"}, moduleFolders("CUTAWAY_CHIP_DIR"));
//   if (opened.interface == nullptr) show(opened.reason);

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway {

enum class BindSymbols : unsigned char { kAtOnce, kWhenCalled };

struct OpenedLibrary {
  void* handle = nullptr;  // as the system gives it
  std::string path;        // where it was found; without a folder: the system's loader found it
  std::string reason;      // why there is none; empty: it is open
  explicit operator bool() const { return handle != nullptr; }
  void* address(const char* name) const;  // nullptr: it has none of that name, or is not open
  template <typename Function>
  Function* symbol(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }
};
OpenedLibrary openLibraryFile(const std::filesystem::path& path, BindSymbols bind = BindSymbols::kAtOnce);

// What a program knows of a module of its own.
struct ModuleDescription {
  std::string file;    // "libcutaway_cuda.so"
  std::string needs;   // what a build without the module lacked: "the CUDA toolkit"
  std::string entry;   // Interface* entry(int version): nullptr for a version that it does not serve
  int version = 0;     // of the interface, as the program was built with it
  std::string remedy;  // what to do where it is missing or cannot be opened
};

struct ModuleEntry {
  std::filesystem::path path;
  void* address = nullptr;
  std::string reason;  // why there is none, and what to do about it
};
ModuleEntry moduleEntry(const ModuleDescription& module, const std::vector<std::filesystem::path>& folders);
std::string otherVersion(const ModuleDescription& module, const std::filesystem::path& path);

template <typename Interface>
struct OpenedModule {
  Interface* interface = nullptr;  // what the entry gave; lives for the process
  std::string reason;              // why there is none, and what to do about it
};
// From the first of these folders that has the file.
template <typename Interface>
OpenedModule<Interface> openModule(const ModuleDescription& module, const std::vector<std::filesystem::path>& folders) {
  ModuleEntry entry = moduleEntry(module, folders);
  if (entry.address == nullptr) return {nullptr, std::move(entry.reason)};
  Interface* const interface = reinterpret_cast<Interface* (*)(int)>(entry.address)(module.version);
  if (interface == nullptr) return {nullptr, otherVersion(module, entry.path)};
  return {interface, {}};
}

// folder / file of the first folder that has it; empty: none has.
std::filesystem::path firstWith(const std::vector<std::filesystem::path>& folders, const std::string& file);
std::vector<std::filesystem::path> foldersIn(const char* variable);  // of the environment, joined by ':'
// Where modules lie, each folder once: beside the executable, where an installation has them (program_place.h), in the
// folders of the variable, where the build left them.
std::vector<std::filesystem::path> moduleFolders(const char* variable,
                                                 const std::vector<std::filesystem::path>& built = {});

}  // namespace cutaway
