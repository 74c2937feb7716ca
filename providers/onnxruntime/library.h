#pragma once
// Finding ONNX Runtime's library and the program that hosts it; neither is opened here.
//
// Searched: the folder that the user names (the provider's option folder) and no other; without one, in this order,
// CUTAWAY_ONNXRUNTIME_DIR, build/env, $VIRTUAL_ENV, the system. In each: the folder itself, its lib, and the
// site-packages of a Python environment in it. Thread rule: any thread. Example:
//   CUTAWAY_TRY(const LibraryPlace place, findLibrary());  use(place.path);

#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/protocol/host_start.h"

namespace cutaway::onnxruntime {

inline constexpr const char* kFolderVariable = "CUTAWAY_ONNXRUNTIME_DIR";

struct LibraryPlace {
  std::filesystem::path path;
  std::string source;  // what led there: "option folder", "CUTAWAY_ONNXRUNTIME_DIR", "build/env" ...
};

// NOT_FOUND with the places searched and how to get it; EP_FAIL where a folder that the user names has a file of that
// name that is no library for this machine. Others with such a file are passed over.
Result<LibraryPlace> findLibrary(const std::filesystem::path& namedFolder = {});
struct SearchFolder {
  std::filesystem::path folder;
  std::string source;
  bool isNamed = false;  // by the user: what is wrong there is told
};
Result<LibraryPlace> findLibraryIn(const std::vector<SearchFolder>& folders);
std::vector<SearchFolder> searchFolders();

// EP_FAIL naming the folders searched.
Result<std::filesystem::path> findHostProgram();

}  // namespace cutaway::onnxruntime
