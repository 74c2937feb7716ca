#pragma once
// Files that appear under their names only once they are whole, alone or several together.
//
// Bytes go to a file without a name in the same folder, are flushed to the disk, and the file is named and renamed over
// the target. What was there before is untouched until that moment; a writer that ends early - error, Cancel, kill -
// leaves the target as it was and nothing beside it. Where the file system knows no files without names, and for the
// moment between naming and renaming, the file is called `.NAME.tmp<process>-<number>`; what a kill left under such a
// name is swept when the same name is written again (a live writer holds a lock on its own). A target that is a
// symbolic link is replaced, not followed. Files that this program reads (ReadMark), directly or through a link, and
// files that are write-protected are no targets. Limits on file sizes are errors, not signals: the first NewFile has
// SIGXFSZ ignored unless the program handles it. Thread rule: one writer, one thread; several writers of the same
// target are fine, the last one stays. Example:
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
  bool overwrite = true;     // false: publish() fails when the target exists, also when it came to be meanwhile
  bool sameContent = false;  // what is read under this name has the same content, because the name follows from it
};

// What an error of writing is known by, wherever it arrives. onnxruntime has no status codes for files that are
// written, so these have numbers that its own never reach; people read them as the name beside.
inline constexpr ErrorCode kNotWritten{1001};   // FAIL: the disk's fault, or the folder's
inline constexpr ErrorCode kNotWritable{1002};  // INVALID_ARGUMENT: a name that nothing is to be written under
inline constexpr ErrorCode kNoFolder{1003};     // NO_SUCHFILE: the folder to write into is not there

// "'x' cannot be written: the disk is full after 12 bytes; ..." from errno.
Error writeFailure(const std::filesystem::path& path, int systemError, int64_t writtenBytes);
// Whether an error says that a file could not be written, which is the disk's fault or the user's and not the model's.
// What exists and may not be overwritten is refused by policy instead (Error::byPolicy).
bool isWriteFailure(const Error& error);
// Whether path leads, also through links, to something that keeps no content: a pipe, a device, a descriptor.
bool isPipeOrDevice(const std::filesystem::path& path);
// kNotWritable when path leads to a file that this program reads.
Result<void> refuseReadFile(const std::filesystem::path& path, const NewFileOptions& options);

class NewFile {
 public:
  // kNotWritable: the target is a folder, no regular file, or a file that is read; kNotWritten: the folder is missing
  // or cannot be written; FAIL by policy: it exists and may not be overwritten.
  static Result<std::unique_ptr<NewFile>> create(std::filesystem::path path, const NewFileOptions& options);
  // Takes away what writers that died left in the folder under names that begin so; returns how many files. create()
  // does it for its own name.
  static int64_t sweep(const std::filesystem::path& folder, const std::string& namePrefix);
  ~NewFile();  // nothing is left unless it was published
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Room on the disk for so many bytes behind those written, where the file system can promise it: a full disk is known
  // before the work is done.
  Result<void> reserve(int64_t bytes);
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
  Result<void> checkTarget();
  Result<void> openUnnamed();
  Result<void> openNamed();
  Result<void> nameTemporary();
  Result<void> rename();
  tl::unexpected<Error> systemFailure(int number) const;

  std::filesystem::path m_path;
  NewFileOptions m_options;
  FileDescriptor m_folder, m_file;
  std::string m_temporary;  // in the folder; empty: the file has no name yet
  int64_t m_size = 0;
  uint32_t m_oldMode = 0;  // permissions of the file that is replaced; 0: there is none
  bool m_sealed = false, m_published = false;
};

}  // namespace cutaway
