#include "engine/base/write_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include "engine/base/file_descriptor.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

// Not waiting: a pipe that nobody reads is refused.
Result<void> writeStraight(const fs::path& path, std::string_view content) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) return fail(writeFailure(path, errno, 0));
  const int flags = ::fcntl(file.get(), F_GETFL);
  if (flags >= 0) (void)::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK);
  size_t written = 0;
  while (written < content.size()) {
    const ssize_t count = ::write(file.get(), content.data() + written, content.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(writeFailure(path, count < 0 ? errno : ENOSPC, static_cast<int64_t>(written)));
    written += static_cast<size_t>(count);
  }
  return {};
}

}  // namespace

Result<void> writeFile(const fs::path& path, std::string_view content, const NewFileOptions& options) {
  CUTAWAY_CHECK(refuseReadFile(path, options));
  if (isPipeOrDevice(path)) return writeStraight(path, content);
  CUTAWAY_TRY(const std::unique_ptr<NewFile> file, NewFile::create(path, options));
  CUTAWAY_CHECK(file->reserve(static_cast<int64_t>(content.size())));
  CUTAWAY_CHECK(file->write(std::as_bytes(std::span(content.data(), content.size()))));
  return file->publish();
}

}  // namespace cutaway
