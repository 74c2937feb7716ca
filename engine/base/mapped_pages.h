#pragma once
// Which file a piece of mapped memory comes from, and giving its pages back.
//
// Thread rule: any thread; one short lock. Example: if (const auto place = placeInFile(bytes)) key = *place;
// releasePages(bytes);

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cutaway {

// The same bytes of the same file, unchanged, have the same place in every process and mapping.
struct FilePlace {
  uint64_t device = 0, inode = 0;
  int64_t modifiedNs = 0;
  uint64_t fileSize = 0;
  uint64_t offset = 0;
  auto operator<=>(const FilePlace&) const = default;
};
// nullopt unless all the bytes lie in one open MappedFile.
std::optional<FilePlace> placeInFile(std::span<const std::byte> bytes);
// Whole pages inside these bytes leave the process's memory. Contents are kept: the mapping is private and never
// written, so the system reads a page from the file again when somebody looks at it. Nothing happens to memory that is
// not a mapped file. Returns how many bytes were given back at most.
int64_t releasePages(std::span<const std::byte> bytes);
// How much of these bytes is in memory now, in whole pages; -1 when they are no mapped file's.
int64_t residentBytes(std::span<const std::byte> bytes);

// Called by MappedFile.
void registerMapping(const std::byte* data, const FilePlace& start);
void forgetMapping(const std::byte* data);

}  // namespace cutaway
