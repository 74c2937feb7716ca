#include "engine/base/free_memory.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace cutaway {
namespace {

constexpr std::string_view kGroups = "/sys/fs/cgroup";

// A file of the kernel's, as far as the buffer holds it; empty where there is none.
class ShortFile {
 public:
  explicit ShortFile(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t got = 0;
    while (m_length < m_text.size() && (got = ::read(file, m_text.data() + m_length, m_text.size() - m_length)) > 0)
      m_length += static_cast<size_t>(got);
    ::close(file);
  }
  std::string_view text() const { return {m_text.data(), m_length}; }

 private:
  std::array<char, 4096> m_text;
  size_t m_length = 0;
};

std::optional<int64_t> numberAt(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && value >= 0 ? std::optional(value) : std::nullopt;
}

// The number behind a word that begins a line.
std::optional<int64_t> numberOf(std::string_view lines, std::string_view word) {
  while (!lines.empty()) {
    if (lines.starts_with(word)) return numberAt(lines.substr(word.size()));
    lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
  }
  return std::nullopt;
}

// A path of no more than a buffer, with one name more at a time.
class Path {
 public:
  explicit Path(std::string_view start) { add(start); }
  bool add(std::string_view part) {
    if (m_length + part.size() >= m_text.size()) return false;
    std::memcpy(m_text.data() + m_length, part.data(), part.size());
    m_length += part.size();
    m_text[m_length] = '\0';
    return true;
  }
  // The text of a file in this folder.
  ShortFile file(std::string_view name) const {
    Path whole = *this;
    return ShortFile(whole.add("/") && whole.add(name) ? whole.m_text.data() : "");
  }

 private:
  std::array<char, 1024> m_text;
  size_t m_length = 0;
};

std::optional<int64_t> freeAt(const Path& group) {
  const ShortFile most = group.file("memory.max");
  if (most.text().empty()) return std::nullopt;
  return freeInGroup(most.text(), group.file("memory.current").text(), group.file("memory.stat").text());
}

void tighten(std::optional<int64_t>& least, std::optional<int64_t> other) {
  if (other) least = least ? std::min(*least, *other) : *other;
}

}  // namespace

std::optional<int64_t> freeInSystem(std::string_view meminfo) {
  constexpr int64_t kKilobyte = 1024;
  const std::optional<int64_t> available = numberOf(meminfo, "MemAvailable:");
  if (!available) return std::nullopt;
  return (*available + numberOf(meminfo, "SwapFree:").value_or(0)) * kKilobyte;
}

std::optional<int64_t> freeInGroup(std::string_view most, std::string_view current, std::string_view stat) {
  const std::optional<int64_t> limit = numberAt(most), held = numberAt(current);  // "max": no limit
  if (!limit || !held) return std::nullopt;
  return std::max<int64_t>(*limit - *held + numberOf(stat, "inactive_file ").value_or(0), 0);
}

std::optional<int64_t> freeMemoryBytes() {
  std::optional<int64_t> free = freeInSystem(ShortFile("/proc/meminfo").text());
  const ShortFile membership("/proc/self/cgroup");
  std::string_view lines = membership.text();
  const size_t start = lines.starts_with("0::/") ? 0 : lines.find("\n0::/");
  Path group(kGroups);
  tighten(free, freeAt(group));
  if (start == std::string_view::npos) return free;
  lines.remove_prefix(lines.find("0::/", start) + 4);
  std::string_view path = lines.substr(0, lines.find('\n'));
  // Inside a container the path may name groups that are not visible: missing files limit nothing.
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part == ".." || !group.add("/") || !group.add(part)) break;
    tighten(free, freeAt(group));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
  }
  return free;
}

bool isFree(int64_t sizeBytes) {
  constexpr int64_t kRest = int64_t{64} << 20;
  const std::optional<int64_t> free = freeMemoryBytes();
  return !free || sizeBytes <= *free - kRest;
}

}  // namespace cutaway
