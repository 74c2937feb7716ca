// A path is walked by the system, not by us: openat2(2) with RESOLVE_BENEATH refuses every way out while it walks.
// Where it cannot decide - older systems, and links with absolute targets, which it refuses even when they stay inside
// - the file is pinned with O_PATH, which opens nothing yet, and the path that the system knows for the pinned file is
// looked at. Only then is it opened for reading, through the pin.

#include "engine/base/contained_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <system_error>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "engine/base/file_descriptor.h"
#include "engine/base/quote.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

// For messages: in quotes, control characters escaped, long ones cut.
std::string shown(const std::string& name) {
  constexpr size_t kMostShown = 200;
  const std::string text = quotedText(name.size() > kMostShown ? name.substr(0, kMostShown) + "..." : name);
  return fmt::format("'{}'", std::string_view(text).substr(1, text.size() - 2));
}

template <typename... Args>
tl::unexpected<Error> refuse(const std::string& name, fmt::format_string<Args...> format, Args&&... args) {
  return cutaway::fail(
      atFile(Error{ErrorCode::kInvalidGraph, fmt::format(format, std::forward<Args>(args)...), {}}, name));
}

// What is wrong with the text of a name; empty: nothing.
std::string problemOf(const std::string& name) {
  if (name.empty()) return "the file name is empty; it must name a file in the model's folder";
  if (name.find('\0') != std::string::npos) return fmt::format("the file name {} has a zero byte in it", shown(name));
  const bool isDrive =
      name.size() > 1 && name[1] == ':' && ((name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z'));
  if (name[0] == '/' || name[0] == '\\' || isDrive)
    return fmt::format("{} is an absolute path; only files in the model's folder are read", shown(name));
  if (name.size() >= PATH_MAX)
    return fmt::format("the file name has {} bytes; a path has fewer than {}", name.size(), PATH_MAX);
  const fs::path normal = fs::path(name).lexically_normal();
  if (*normal.begin() == "..")
    return fmt::format("{} leaves the model's folder (by '..'); only files in it are read", shown(name));
  return {};
}

int openBeneath(int folder, const std::string& name) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof(how)));
}

// The path that the system knows for an open file; empty where that is not told.
fs::path realPath(int descriptor) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = ::readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), text.data(), text.size());
  if (length <= 0 || length >= static_cast<ssize_t>(text.size()) || text[0] != '/') return {};
  return fs::path(std::string(text.data(), static_cast<size_t>(length)));
}

bool isInside(const fs::path& path, const fs::path& folder) {
  if (path.empty() || folder.empty()) return false;
  const auto [left, right] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return left == folder.end() || (std::next(left) == folder.end() && left->empty());
}

FileDescriptor openFolder(const fs::path& folder) {
  return FileDescriptor(::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

bool isMissing(int number) {
  return number == ENOENT || number == ENOTDIR || number == ENAMETOOLONG;
}

// The file, pinned but not opened for reading; invalid: it is missing. Errors: it lies elsewhere.
Result<FileDescriptor> pin(const fs::path& folder, const std::string& name, const ContainedRules& rules) {
  const FileDescriptor base = openFolder(folder);
  if (!base.valid()) {
    if (isMissing(errno)) return FileDescriptor();
    return refuse(name, "the model's folder '{}' cannot be opened: {}", folder.string(),
                  std::generic_category().message(errno));
  }
  FileDescriptor file(openBeneath(base.get(), name));
  if (file.valid()) return file;
  if (isMissing(errno)) return FileDescriptor();
  file = FileDescriptor(::openat(base.get(), name.c_str(), O_PATH | O_CLOEXEC));
  if (!file.valid()) {
    if (isMissing(errno)) return FileDescriptor();
    return refuse(name, "the file {} cannot be opened: {}", shown(name), std::generic_category().message(errno));
  }
  const fs::path real = realPath(file.get());
  const auto holds = [&](const fs::path& allowed) {
    const FileDescriptor opened = openFolder(allowed);
    return opened.valid() && isInside(real, realPath(opened.get()));
  };
  if (!isInside(real, realPath(base.get())) && !(!rules.otherFolder.empty() && holds(rules.otherFolder))) {
    return refuse(name, "{} leaves the model's folder (by a symbolic link); only files in it are read", shown(name));
  }
  return file;
}

Result<void> checkKind(const std::string& name, const struct stat& status, const ContainedRules& rules) {
  if (S_ISDIR(status.st_mode)) return refuse(name, "{} is a folder, not a regular file", shown(name));
  if (!S_ISREG(status.st_mode))
    return refuse(name, "{} is a {}, not a regular file", shown(name),
                  S_ISFIFO(status.st_mode) ? "pipe" : "device or socket");
  if (status.st_size == 0 && !rules.allowEmpty) return refuse(name, "the file {} is empty", shown(name));
  return {};
}

// O_NONBLOCK: what was pinned is a regular file; without /proc the name is walked again and may be a pipe by now.
FileDescriptor openPinned(int pinned, const fs::path& folder, const std::string& name) {
  FileDescriptor file(::open(fmt::format("/proc/self/fd/{}", pinned).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.valid() || errno != ENOENT) return file;
  const FileDescriptor base = openFolder(folder);
  return FileDescriptor(::openat(base.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

}  // namespace

Result<void> checkContainedName(const std::string& name) {
  const std::string problem = problemOf(name);
  if (!problem.empty()) return fail(ErrorCode::kInvalidArgument, "{}", problem);
  const std::string last = fs::path(name).filename().string();
  if (last.empty() || last == "." || last == "..")
    return fail(ErrorCode::kInvalidArgument, "{} names a folder, not a file", shown(name));
  return {};
}

Result<std::shared_ptr<const MappedFile>> openContained(const fs::path& folder, const std::string& name,
                                                        const ContainedRules& rules) {
  const std::string problem = problemOf(name);
  if (!problem.empty()) return refuse(name, "{}", problem);
  CUTAWAY_TRY(const FileDescriptor pinned, pin(folder, name, rules));
  if (!pinned.valid()) {
    if (rules.allowMissing) return nullptr;
    return refuse(name, "the file {} is missing; it should lie beside the model, in '{}'", shown(name),
                  folder.empty() ? "." : folder.string());
  }
  struct stat status{};
  if (::fstat(pinned.get(), &status) != 0)
    return refuse(name, "the file {} cannot be looked at: {}", shown(name), std::generic_category().message(errno));
  CUTAWAY_CHECK(checkKind(name, status, rules));
  const FileDescriptor file = openPinned(pinned.get(), folder, name);
  struct stat opened{};
  if (!file.valid() || ::fstat(file.get(), &opened) != 0)
    return refuse(name, "the file {} cannot be read: {}", shown(name), std::generic_category().message(errno));
  if (opened.st_dev != status.st_dev || opened.st_ino != status.st_ino)
    return refuse(name, "the file {} was exchanged while it was opened", shown(name));
  CUTAWAY_CHECK(checkKind(name, opened, rules));
  return MappedFile::openDescriptor(file.get(), folder / name);
}

}  // namespace cutaway
