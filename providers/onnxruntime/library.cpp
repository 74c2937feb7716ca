#include "providers/onnxruntime/library.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/folder_entries.h"
#include "engine/base/opened_library.h"
#include "engine/base/program_place.h"
#include "providers/onnxruntime/elf_file.h"
#include "providers/onnxruntime/protocol/host_start.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraryStart = "libonnxruntime.so";

// "libonnxruntime.so.1.31.1" before "libonnxruntime.so.1": the longest name says most; the newest of those.
std::vector<fs::path> librariesIn(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::path& entry : folderEntries(folder)) {
    if (entry.filename().string().starts_with(kLibraryStart)) found.push_back(entry);
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string left = a.filename().string();
    const std::string right = b.filename().string();
    return left.size() != right.size() ? left.size() > right.size() : left > right;
  });
  return found;
}

// The folder itself, that of an unpacked release, those of Python environments.
std::vector<fs::path> placesIn(const fs::path& folder) {
  std::vector<fs::path> places{folder, folder / "lib", folder / "capi", folder / "onnxruntime" / "capi"};
  for (const char* const lib : {"lib", "lib64"}) {
    for (const fs::path& python : folderEntries(folder / lib)) {
      if (python.filename().string().starts_with("python3"))
        places.push_back(python / "site-packages" / "onnxruntime" / "capi");
    }
  }
  return places;
}

// What is left of the build for programs that lie in it: its programs, and the Python environment beside it.
std::vector<fs::path> builtProgramFolders() {
#ifdef CUTAWAY_BUILD_FOLDER
  return foldersOfBuild(CUTAWAY_BUILD_FOLDER, {CUTAWAY_BUILD_FOLDER "/bin"});
#else
  return {};
#endif
}

std::vector<fs::path> builtEnvironments() {
#ifdef CUTAWAY_BUILD_FOLDER
  return foldersOfBuild(CUTAWAY_BUILD_FOLDER, {CUTAWAY_ENVIRONMENT_FOLDER});
#else
  return {};
#endif
}

std::string howToGetIt(const std::vector<SearchFolder>& folders) {
  std::string text = fmt::format(
      "get it with 'pip install onnxruntime' into {}, or name the folder of its library in CUTAWAY_ONNXRUNTIME_DIR; "
      "searched: ",
      builtEnvironments().empty() ? "a Python environment and activate that"
                                  : "build/env or another Python environment");
  for (size_t i = 0; i < folders.size(); ++i)
    text += (i == 0 ? "" : ", ") + folders[i].folder.string();
  return text;
}

}  // namespace

std::vector<SearchFolder> searchFolders() {
  std::vector<SearchFolder> folders;
  const auto add = [&](const fs::path& folder, const char* source, bool isNamed) {
    if (!folder.empty()) folders.push_back({folder, source, isNamed});
  };
  for (const fs::path& folder : foldersIn(kFolderVariable))
    add(folder, kFolderVariable, true);
  for (const fs::path& folder : builtEnvironments())
    add(folder, "build/env", false);
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment != nullptr)
    add(environment, "$VIRTUAL_ENV", false);
  for (const char* const folder : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                   "/usr/lib64", "/usr/lib", "/opt/onnxruntime"})
    add(folder, "the system", false);
  return folders;
}

Result<LibraryPlace> findLibraryIn(const std::vector<SearchFolder>& folders) {
  for (const SearchFolder& searched : folders) {
    // A file is what the user means himself.
    std::error_code problem;
    std::vector<fs::path> candidates;
    if (searched.isNamed && fs::is_regular_file(searched.folder, problem)) candidates.push_back(searched.folder);
    for (const fs::path& place : placesIn(searched.folder)) {
      for (fs::path& library : librariesIn(place))
        candidates.push_back(std::move(library));
    }
    std::string firstProblem;
    for (const fs::path& library : candidates) {
      const std::string wrong = libraryProblem(library);
      if (wrong.empty()) return LibraryPlace{library, searched.source};
      if (firstProblem.empty()) firstProblem = wrong;
    }
    if (searched.isNamed && !firstProblem.empty())
      return fail(ErrorCode::kEpFail, "{} ({})", firstProblem, searched.source);
  }
  return fail(ErrorCode::kNotFound, "ONNX Runtime's library is not found; {}", howToGetIt(folders));
}

Result<LibraryPlace> findLibrary(const fs::path& namedFolder) {
  if (namedFolder.empty()) return findLibraryIn(searchFolders());
  Result<LibraryPlace> place = findLibraryIn({{namedFolder, "option folder", true}});
  // Another ONNX Runtime than the one that was asked for would speak for it.
  if (!place && place.error().code == ErrorCode::kNotFound)
    return fail(ErrorCode::kNotFound,
                "ONNX Runtime's library is not in '{}' (option folder): name the folder of libonnxruntime.so, or name "
                "none to search the usual places",
                namedFolder.string());
  return place;
}

Result<fs::path> findHostProgram() {
  const std::vector<fs::path> folders = moduleFolders(kHostVariable, builtProgramFolders());
  const fs::path program = firstWith(folders, kHostProgram);
  if (!program.empty()) return program;
  std::string searched;
  for (const fs::path& folder : folders)
    searched += (searched.empty() ? "" : ", ") + folder.string();
  return fail(ErrorCode::kEpFail,
              "{}, the program that hosts ONNX Runtime, is not found; it lies beside this program, or in a folder that "
              "{} names; searched: {}",
              kHostProgram, kHostVariable, searched);
}

}  // namespace cutaway::onnxruntime
