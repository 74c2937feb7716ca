#pragma once
// A folder for files that the library can only write by name: made when first asked for, removed with the object.
//
// Thread rule: one thread. Example: ScratchFolder scratch(path);  CUTAWAY_TRY(const std::string prefix,
// scratch.path("profile"));

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "providers/onnxruntime/protocol/shared_memory.h"

namespace cutaway::onnxruntime {

class ScratchFolder {
 public:
  explicit ScratchFolder(std::string folder) : m_folder(std::move(folder)) {}
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  // A name in the folder that no file has. FAIL where the folder cannot be made.
  Result<std::string> name(const std::string& what);
  // Reads a file that the library wrote, and removes it.
  static Result<std::shared_ptr<const SharedMemory>> take(const std::string& file, uint64_t& sizeBytes);
  // The same for a file of which only the start of its path is known, as the library makes it. NOT_FOUND.
  Result<std::shared_ptr<const SharedMemory>> takeStarting(const std::string& start, uint64_t& sizeBytes) const;

 private:
  std::string m_folder;
  bool m_isMade = false;
  int m_count = 0;
};

}  // namespace cutaway::onnxruntime
