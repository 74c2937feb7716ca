#include "engine/base/mapped_pages.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace cutaway {
namespace {

struct Mappings {
  std::mutex mutex;
  std::map<const std::byte*, FilePlace> byStart;  // FilePlace::fileSize is the length of the mapping
};

Mappings& mappings() {
  static Mappings all;
  return all;
}

// The part of the bytes that consists of whole pages; data is nullptr when there is none.
std::span<const std::byte> wholePages(std::span<const std::byte> bytes) {
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()), end = begin + bytes.size();
  const uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  return first < last ? std::span<const std::byte>(reinterpret_cast<const std::byte*>(first), last - first)
                      : std::span<const std::byte>();
}

}  // namespace

void registerMapping(const std::byte* data, const FilePlace& start) {
  const std::scoped_lock lock(mappings().mutex);
  mappings().byStart[data] = start;
}

void forgetMapping(const std::byte* data) {
  const std::scoped_lock lock(mappings().mutex);
  mappings().byStart.erase(data);
}

std::optional<FilePlace> placeInFile(std::span<const std::byte> bytes) {
  const std::scoped_lock lock(mappings().mutex);
  auto found = mappings().byStart.upper_bound(bytes.data());
  if (found == mappings().byStart.begin()) return std::nullopt;
  --found;
  const auto offset = static_cast<uint64_t>(bytes.data() - found->first);
  if (offset > found->second.fileSize || bytes.size() > found->second.fileSize - offset) return std::nullopt;
  FilePlace place = found->second;
  place.offset = offset;
  return place;
}

int64_t releasePages(std::span<const std::byte> bytes) {
  const std::span<const std::byte> pages = wholePages(bytes);
  if (pages.empty() || !placeInFile(bytes)) return 0;
  return ::madvise(const_cast<std::byte*>(pages.data()), pages.size(), MADV_DONTNEED) == 0
             ? static_cast<int64_t>(pages.size())
             : 0;
}

int64_t residentBytes(std::span<const std::byte> bytes) {
  if (!placeInFile(bytes)) return -1;
  const std::span<const std::byte> pages = wholePages(bytes);
  if (pages.empty()) return 0;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> present(pages.size() / page);
  if (::mincore(const_cast<std::byte*>(pages.data()), pages.size(), present.data()) != 0) return -1;
  return static_cast<int64_t>(std::ranges::count_if(present, [](unsigned char flags) { return (flags & 1) != 0; })) *
         static_cast<int64_t>(page);
}

}  // namespace cutaway
