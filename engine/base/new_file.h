#pragma once
// Files that appear under their names only once they are whole, alone or several together.
//
// Bytes go to a temporary file in the same folder (opened without following links), are flushed to the disk, and the file is renamed over the target. What was there before is untouched until that
// moment; a writer that ends early - error, Cancel, crash - leaves the target as it was, and all but a crash take the temporary file away.
// Thread rule: one writer, one thread.
// Example:
//   CUTAWAY_TRY(auto file, NewFile::create(path, {.overwrite = true}));
//   CUTAWAY_CHECK(file->write(bytes));
//   CUTAWAY_CHECK(file->publish());

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/result.h"

namespace cutaway {

struct NewFileOptions {
  bool overwrite = true;  // false: publish() fails when the target exists
};

class NewFile {
 public:
  // INVALID_ARGUMENT: the target is a folder or no regular file; FAIL: it exists and may not be overwritten, or the folder cannot be written.
  static Result<std::unique_ptr<NewFile>> create(std::filesystem::path path, const NewFileOptions& options);
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

  // Flushed to the disk, but not under its name yet: several files are sealed first, then published one right after the other.
  Result<void> seal();
  // Seals, renames, and flushes the folder. The file that others refer to is published first.
  Result<void> publish();

 private:
  NewFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor, const NewFileOptions& options) : m_path(std::move(path)), m_temporary(std::move(temporary)), m_descriptor(descriptor), m_options(options) {}
  std::filesystem::path m_path, m_temporary;
  int m_descriptor = -1;
  NewFileOptions m_options;
  int64_t m_size = 0;
  bool m_published = false;
};

}  // namespace cutaway
