#include "engine/base/mapped_file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/base/file_descriptor.h"
#include "engine/base/mapped_pages.h"
#include "engine/base/read_mark.h"

namespace cutaway {
namespace {

tl::unexpected<Error> systemFailure(const std::filesystem::path& path, int number) {
  const bool missing = number == ENOENT || number == ENOTDIR || number == ENAMETOOLONG;
  const std::string reason = std::generic_category().message(number);
  Error error{missing ? ErrorCode::kNoSuchFile : ErrorCode::kFail,
              missing ? fmt::format("there is no file '{}'", path.string())
                      : fmt::format("cannot read '{}': {}", path.string(), reason),
              {}};
  return fail(atFile(std::move(error), path.string()));
}

tl::unexpected<Error> notAFile(const std::filesystem::path& path, std::string_view what) {
  return fail(
      atFile(Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is {}", path.string(), what), {}}, path.string()));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe that nobody writes to must be refused, not waited for.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return systemFailure(path, errno);
  return openDescriptor(file.get(), path);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::openDescriptor(int descriptor,
                                                                     const std::filesystem::path& path) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return systemFailure(path, errno);
  if (S_ISDIR(status.st_mode)) return notAFile(path, "a folder");
  if (!S_ISREG(status.st_mode)) return notAFile(path, "not a regular file");

  const auto size = static_cast<size_t>(status.st_size);
  const std::byte* data = nullptr;
  if (size > 0) {
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) return systemFailure(path, errno);
    data = static_cast<const std::byte*>(mapped);
    markMapping(data, ReadMark::of(descriptor));
    registerMapping(data, {.device = status.st_dev,
                           .inode = status.st_ino,
                           .modifiedNs = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
                           .fileSize = size,
                           .offset = 0});
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(path, data, size));
}

MappedFile::~MappedFile() {
  if (m_data == nullptr) return;
  forgetMapping(m_data);
  unmarkMapping(m_data);
  ::munmap(const_cast<std::byte*>(m_data), m_size);
}

}  // namespace cutaway
