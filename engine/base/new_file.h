#pragma once
// Files that appear under their names only once they are whole, alone or several together.
//
// Bytes go to a temporary file in the same folder (opened without following links), are flushed to the disk, and the
// file is renamed over the target. What was there before is untouched until that moment; a writer that ends early -
// error, Cancel, crash - leaves the target as it was, and all but a crash take the temporary file away. What a crash
// left is swept when the same name is written again: temporaries are called `.NAME.tmp<process>-<number>`, and a live
// writer holds a lock on its own. A target that is a symbolic link is replaced, not followed. Thread rule: one writer,
// one thread; several writers of the same target are fine, the last one stays. Example:
//   CUTAWAY_TRY(auto file, NewFile::create(path, {.overwrite = true}));
//   CUTAWAY_CHECK(file->write(bytes));
//   CUTAWAY_CHECK(file->publish());

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "engine/base/file_descriptor.h"
#include "engine/base/result.h"

namespace cutaway {

struct NewFileOptions {
  bool overwrite = true;  // false: publish() fails when the target exists, also when it came to be meanwhile
};

class NewFile {
 public:
  // INVALID_ARGUMENT: the target is a folder or no regular file; FAIL: it exists and may not be overwritten, or the
  // folder is missing or cannot be written.
  static Result<std::unique_ptr<NewFile>> create(std::filesystem::path path, const NewFileOptions& options);
  // Takes away what writers that died left in the folder under names that begin so; returns how many files. create()
  // does it for its own name.
  static int64_t sweep(const std::filesystem::path& folder, const std::string& namePrefix);
  ~NewFile();  // takes the temporary file away unless it was published
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Result<void> write(std::span<const std::byte> bytes);
  // Zeros up to the next multiple of `alignment`.
  Result<void> align(int64_t alignment);
  // Over bytes written before; the place for more stays at the end. For headers that are known last.
  Result<void> rewrite(int64_t offset, std::span<const std::byte> bytes);
  int64_t sizeBytes() const { return m_size; }
  const std::filesystem::path& path() const { return m_path; }
  // Another name in the same folder, for files whose names follow from their contents. Errors: as create;
  // INVALID_ARGUMENT: another folder.
  Result<void> setPath(std::filesystem::path path);

  // Flushed to the disk, but not under its name yet: several files are sealed first, then published one right after the
  // other.
  Result<void> seal();
  // Seals, renames, and flushes the folder. The file that others refer to is published first.
  Result<void> publish();

 private:
  NewFile(std::filesystem::path path, const NewFileOptions& options, FileDescriptor folder)
      : m_path(std::move(path)), m_options(options), m_folder(std::move(folder)) {}
  Result<void> checkTarget() const;
  Result<void> openTemporary();
  Result<void> rename();
  tl::unexpected<Error> systemFailure(int number) const;

  std::filesystem::path m_path;
  NewFileOptions m_options;
  FileDescriptor m_folder, m_file;
  std::string m_temporary;  // in the folder
  int64_t m_size = 0;
  bool m_sealed = false, m_published = false;
};

}  // namespace cutaway
