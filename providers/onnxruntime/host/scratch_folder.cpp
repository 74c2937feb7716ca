#include "providers/onnxruntime/host/scratch_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>

#include "engine/base/folder_entries.h"
#include "engine/base/mapped_file.h"

namespace cutaway::onnxruntime {

namespace fs = std::filesystem;

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (m_isMade) fs::remove_all(m_folder, ignored);
}

Result<std::string> ScratchFolder::name(const std::string& what) {
  // Nobody else may have made it, or look into it.
  if (!m_isMade && mkdir(m_folder.c_str(), 0700) != 0)
    return fail(ErrorCode::kFail, "the folder {} for files of ONNX Runtime cannot be made: {}", m_folder,
                std::strerror(errno));
  m_isMade = true;
  return fmt::format("{}/{}-{}", m_folder, what, ++m_count);
}

Result<std::shared_ptr<const SharedMemory>> ScratchFolder::take(const std::string& file, uint64_t& sizeBytes) {
  CUTAWAY_TRY(const std::shared_ptr<const MappedFile> mapped, MappedFile::open(file));
  const std::span<const std::byte> bytes = mapped->bytes();
  sizeBytes = bytes.size();
  Result<std::shared_ptr<const SharedMemory>> memory =
      SharedMemory::of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::error_code ignored;
  fs::remove(file, ignored);
  return memory;
}

Result<std::shared_ptr<const SharedMemory>> ScratchFolder::takeStarting(const std::string& start,
                                                                        uint64_t& sizeBytes) const {
  for (const fs::path& entry : folderEntries(m_folder)) {
    // "run-1" is not the start of "run-12_...".
    if (entry.string().starts_with(start + "_")) return take(entry.string(), sizeBytes);
  }
  return fail(ErrorCode::kNotFound, "ONNX Runtime wrote no profile");
}

}  // namespace cutaway::onnxruntime
