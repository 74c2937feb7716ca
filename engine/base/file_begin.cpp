#include "engine/base/file_begin.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "engine/base/file_descriptor.h"

namespace cutaway {

std::optional<std::string> fileBegin(const std::filesystem::path& path, size_t mostBytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid()) return std::nullopt;
  std::string bytes;
  std::array<char, 4096> piece;
  while (bytes.size() < mostBytes) {
    const ssize_t count = ::read(file.get(), piece.data(), std::min(piece.size(), mostBytes - bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    bytes.append(piece.data(), static_cast<size_t>(count));
  }
  return bytes;
}

}  // namespace cutaway
