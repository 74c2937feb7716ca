#pragma once
// A file mapped read-only into memory; weights point into it and are never copied.
//
// Thread rule: immutable after open. Example: CUTAWAY_TRY(auto file, MappedFile::open(path)); parse(file->bytes());

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/result.h"

namespace cutaway {

class MappedFile {
 public:
  // NO_SUCHFILE when missing, INVALID_ARGUMENT when it is a folder or not a regular file. An empty file gives empty
  // bytes().
  static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  // Of a file that is open for reading already, and stays the caller's to close. path: for messages.
  static Result<std::shared_ptr<const MappedFile>> openDescriptor(int descriptor, const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {m_data, m_size}; }
  const std::filesystem::path& path() const { return m_path; }

 private:
  MappedFile(std::filesystem::path path, const std::byte* data, size_t size)
      : m_path(std::move(path)), m_data(data), m_size(size) {}
  std::filesystem::path m_path;
  const std::byte* m_data;
  size_t m_size;
};

}  // namespace cutaway
