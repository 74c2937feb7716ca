#include "engine/base/opened_library.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include <dlfcn.h>

#include "engine/base/program_place.h"

namespace cutaway {

namespace fs = std::filesystem;

namespace {

// The loader's own words, or the system's at the end of them.
bool isShortMemory(std::string_view said) {
  return said == "out of memory" || said.ends_with(std::strerror(ENOMEM));
}

}  // namespace

void* OpenedLibrary::address(const char* name) const {
  return handle == nullptr ? nullptr : dlsym(handle, name);
}

OpenedLibrary openLibraryFile(const fs::path& path, BindSymbols bind) {
  void* const handle = dlopen(path.c_str(), (bind == BindSymbols::kAtOnce ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
  if (handle != nullptr) return {handle, path.string(), {}};
  const char* said = dlerror();
  // A library that there is no memory for now is not one that cannot be used.
  if (said != nullptr && isShortMemory(said)) throw std::bad_alloc();
  return {nullptr, path.string(), said == nullptr ? "no reason given" : said};
}

ModuleEntry moduleEntry(const ModuleDescription& module, const std::vector<fs::path>& folders) {
  const fs::path path = firstWith(folders, module.file);
  if (path.empty())
    return {{},
            nullptr,
            module.file + " is not there: this program was built without " + module.needs + ", or moved without it; " +
                module.remedy};
  const OpenedLibrary library = openLibraryFile(path);
  if (!library) return {path, nullptr, path.string() + " cannot be opened (" + library.reason + "); " + module.remedy};
  void* const entry = library.address(module.entry.c_str());
  if (entry == nullptr)
    return {path, nullptr, path.string() + " is not this program's module: it has no function " + module.entry};
  return {path, entry, {}};
}

std::string otherVersion(const ModuleDescription& module, const fs::path& path) {
  return path.string() + " belongs to another version of this program, or " + module.needs +
         " could not start; build both again";
}

fs::path firstWith(const std::vector<fs::path>& folders, const std::string& file) {
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (fs::exists(folder / file, ignored)) return folder / file;
  }
  return {};
}

std::vector<fs::path> foldersIn(const char* variable) {
  std::vector<fs::path> folders;
  if (const char* value = std::getenv(variable); value != nullptr) {
    for (std::string_view rest = value; !rest.empty();) {
      const size_t end = std::min(rest.find(':'), rest.size());
      folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return folders;
}

std::vector<fs::path> moduleFolders(const char* variable, const std::vector<fs::path>& built) {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  if (const fs::path program = programFolder(); !program.empty()) {
    add(program);
    add((program / kModulesBesideProgram).lexically_normal());
  }
  if (const fs::path library = libraryFolder(); !library.empty()) {
    add(library);
    add(library / kModulesBesideLibrary);
  }
  for (const fs::path& folder : foldersIn(variable))
    add(folder);
  for (const fs::path& folder : built)
    add(folder);
  return folders;
}

}  // namespace cutaway
