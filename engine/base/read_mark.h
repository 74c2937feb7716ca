#pragma once
// Which files this program reads, so that no writer takes their place.
//
// A file is known by device and inode, so that neither another spelling of its path nor a link hides it. A program that
// does one piece of work and ends says keepReadMarks() first: what it reads is an input until it ends, and NewFile and
// writeFile refuse to take its place. Programs that stay open ask people instead; a file that is mapped keeps its bytes
// when another takes its name. Thread rule: any thread; one short lock. Example:
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

// False unless marks count.
bool isMarkedRead(const struct stat& status);
// From here on marks outlive their owners, and count.
void keepReadMarks();
// The user insists (--force): from here on marks do not count.
void allowWritingOverReadFiles();

}  // namespace cutaway
