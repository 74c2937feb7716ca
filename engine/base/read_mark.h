#pragma once
// Which files this program reads, so that no writer takes their place.
//
// A file is known by device and inode, so that neither another spelling of its path nor a link hides it. It counts as
// read while a mark of it lives; a program that does one piece of work and ends keeps all marks (keepReadMarks).
// NewFile and writeFile ask. Thread rule: any thread; one short lock. Example:
//   const std::shared_ptr<const ReadMark> mark = ReadMark::of(descriptor);   ...   if (isMarkedRead(status)) refuse();

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

namespace cutaway {

class ReadMark {
 public:
  // Of an open file; nullptr for what is no regular file. A MappedFile has one by itself.
  static std::shared_ptr<const ReadMark> of(int descriptor);
  // Of a file by its path; nullptr also where there is none.
  static std::shared_ptr<const ReadMark> of(const std::filesystem::path& path);
  ~ReadMark();
  ReadMark(const ReadMark&) = delete;
  ReadMark& operator=(const ReadMark&) = delete;

 private:
  static std::shared_ptr<const ReadMark> make(const struct stat& status);
  explicit ReadMark(const struct stat& status) : m_status(status) {}
  struct stat m_status;
};

// Called by MappedFile: the mark lives as long as the mapping.
void markMapping(const std::byte* data, std::shared_ptr<const ReadMark> mark);
void unmarkMapping(const std::byte* data);

bool isMarkedRead(const struct stat& status);
// From here on marks outlive their owners: what was read once is an input until the program ends.
void keepReadMarks();

}  // namespace cutaway
