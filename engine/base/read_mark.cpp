#include "engine/base/read_mark.h"

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace cutaway {
namespace {

// The time of the last change tells a file from a later one that got the same inode.
using FileKey = std::tuple<uint64_t, uint64_t, int64_t, int64_t>;

FileKey keyOf(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

struct Marks {
  std::mutex mutex;
  std::map<FileKey, int64_t> owners;
  std::map<const std::byte*, std::shared_ptr<const ReadMark>> mappings;
};

Marks& marks() {
  static Marks all;
  return all;
}

std::atomic<bool> g_kept{false};

}  // namespace

std::shared_ptr<const ReadMark> ReadMark::make(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return nullptr;
  auto mark = std::shared_ptr<const ReadMark>(new ReadMark(status));
  const std::scoped_lock lock(marks().mutex);
  ++marks().owners[keyOf(status)];
  return mark;
}

std::shared_ptr<const ReadMark> ReadMark::of(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 ? make(status) : nullptr;
}

std::shared_ptr<const ReadMark> ReadMark::of(const std::filesystem::path& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? make(status) : nullptr;
}

ReadMark::~ReadMark() {
  if (g_kept) return;
  const std::scoped_lock lock(marks().mutex);
  const auto found = marks().owners.find(keyOf(m_status));
  if (found != marks().owners.end() && --found->second == 0) marks().owners.erase(found);
}

void markMapping(const std::byte* data, std::shared_ptr<const ReadMark> mark) {
  const std::scoped_lock lock(marks().mutex);
  marks().mappings[data] = std::move(mark);
}

void unmarkMapping(const std::byte* data) {
  std::shared_ptr<const ReadMark> last;  // ends after the lock
  const std::scoped_lock lock(marks().mutex);
  const auto found = marks().mappings.find(data);
  if (found == marks().mappings.end()) return;
  last = std::move(found->second);
  marks().mappings.erase(found);
}

bool isMarkedRead(const struct stat& status) {
  if (!g_kept) return false;
  const std::scoped_lock lock(marks().mutex);
  return marks().owners.contains(keyOf(status));
}

void keepReadMarks() {
  g_kept = true;
}

void allowWritingOverReadFiles() {
  g_kept = false;
}

}  // namespace cutaway
