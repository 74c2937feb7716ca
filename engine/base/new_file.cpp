// Everything happens relative to the folder's descriptor, so that nobody can exchange the folder between two steps. The
// order that survives a crash at any moment: bytes, fsync of the file, rename, fsync of the folder.

#include "engine/base/new_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "engine/base/log.h"
#include "engine/base/read_mark.h"
#include "engine/base/short_memory.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".tmp";
// Of a name, so that mark and numbers fit into the 255 bytes of a file name.
constexpr size_t kMostNameBytes = 200;

// A temporary must not be swept between its making and its locking; other processes are kept off by the process number
// in its name.
std::mutex& namesMutex() {
  static std::mutex mutex;
  return mutex;
}

std::string stemOf(const std::string& name) {
  return "." + name.substr(0, kMostNameBytes);
}

std::string nextName(const std::string& stem) {
  static std::atomic<uint64_t> number{0};
  return fmt::format("{}{}{}-{}", stem, kMark, ::getpid(), number++);
}

// The process that made a temporary `.NAME.tmp<process>-<number>`, when the name is one and NAME begins so.
std::optional<pid_t> makerOf(std::string_view name, std::string_view stem, bool isWhole) {
  if (!name.starts_with(stem)) return std::nullopt;
  const size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos || mark < stem.size() || (isWhole && mark != stem.size())) return std::nullopt;
  const char* const end = name.data() + name.size();
  pid_t process = 0;
  int64_t number = 0;
  const auto first = std::from_chars(name.data() + mark + kMark.size(), end, process);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-' || process <= 0) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  if (second.ec != std::errc() || second.ptr != end || number < 0) return std::nullopt;
  return process;
}

bool isAlive(pid_t process) {
  return process != ::getpid() && (::kill(process, 0) == 0 || errno != ESRCH);
}

// Nobody holds the lock that every live writer holds on its temporary (numbers of processes are used again, and differ
// between containers).
bool isAbandoned(int folder, const std::string& name) {
  const FileDescriptor file(::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

int64_t sweepFolder(int folder, std::string_view stem, bool isWhole) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), ::closedir);
  if (entries == nullptr) {
    ::close(copy);
    return 0;
  }
  std::vector<std::string> stale;
  while (const dirent* entry = ::readdir(entries.get())) {
    const auto maker = makerOf(entry->d_name, stem, isWhole);
    if (maker && !isAlive(*maker)) stale.emplace_back(entry->d_name);
  }
  return std::ranges::count_if(stale, [&](const std::string& name) {
    return isAbandoned(folder, name) && ::unlinkat(folder, name.c_str(), 0) == 0;
  });
}

FileDescriptor openFolder(const fs::path& folder) {
  return FileDescriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

template <typename Call>
auto untilDone(Call&& call) {
  auto result = call();
  while (result < 0 && errno == EINTR)
    result = call();
  return result;
}

tl::unexpected<Error> failAt(const fs::path& path, ErrorCode code, std::string_view reason) {
  return fail(atFile({code, fmt::format("'{}' cannot be written: {}", path.string(), reason), {}}, path.string()));
}

// The signal of a file that grows past its limit would end the program in the middle; the error says the same.
void ignoreFileSizeSignal() {
  [[maybe_unused]] static const bool done = [] {
    struct sigaction action{};
    if (::sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) ::signal(SIGXFSZ, SIG_IGN);
    return true;
  }();
}

// Names in these folders are the system's own: a file there would take the place of a device or of a descriptor.
bool isSystemFolder(const fs::path& folder) {
  const std::string name = folder.string();
  return name == "/dev" || name == "/dev/fd" || name == "/proc" || name.starts_with("/proc/");
}

fs::path folderOf(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path real = fs::canonical(folder, error);
  throwIfShort(error);
  return error ? folder : real;
}

constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;

constexpr std::string_view kIsRead = "it is read here, and writing over it would lose it; name another file";
constexpr std::string_view kIsFolder = "it is a folder";

}  // namespace

Error writeFailure(const fs::path& path, int number, int64_t writtenBytes) {
  std::string reason = std::generic_category().message(number);
  if (number == ENOSPC || number == EDQUOT)
    reason = fmt::format("the disk is full after {} bytes; free some space or write elsewhere", writtenBytes);
  if (number == EFBIG) reason = fmt::format("files here may not be larger than {} bytes", writtenBytes);
  if (number == ENOENT) reason = "its folder does not exist: make it first";
  if (number == EFAULT)
    reason = "a file that its content is read from became shorter: start again when nobody writes it";
  if (number == ENXIO) reason = "nobody reads the pipe";
  return failAt(path, kNotWritten, reason).value();
}

bool isWriteFailure(const Error& error) {
  return error.code == kNotWritten || error.code == kNotWritable || error.code == kNoFolder;
}

bool isPipeOrDevice(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode)) return true;
  return S_ISREG(status.st_mode) && isSystemFolder(folderOf(path));
}

Result<void> refuseReadFile(const fs::path& path, const NewFileOptions& options) {
  struct stat status{};
  if (options.sameContent || ::stat(path.c_str(), &status) != 0 || !isMarkedRead(status)) return {};
  return failAt(path, kNotWritable, kIsRead);
}

tl::unexpected<Error> NewFile::systemFailure(int number) const {
  return fail(writeFailure(m_path, number, m_size));
}

Result<void> NewFile::checkTarget() {
  const std::string name = m_path.filename().string();
  if (name.empty() || name == "." || name == "..") return failAt(m_path, kNotWritable, kIsFolder);
  m_oldMode = 0;
  struct stat status{};
  if (::fstatat(m_folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return systemFailure(errno);
  }
  const bool isLink = S_ISLNK(status.st_mode);
  if (isLink) (void)::fstatat(m_folder.get(), name.c_str(), &status, 0);
  if (S_ISDIR(status.st_mode)) return failAt(m_path, kNotWritable, kIsFolder);
  if ((!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) || isSystemFolder(folderOf(m_path)))
    return failAt(m_path, kNotWritable, "it is a pipe or device; only a regular file is replaced");
  if (!m_options.sameContent && isMarkedRead(status)) return failAt(m_path, kNotWritable, kIsRead);
  if (!m_options.overwrite)
    return fail({ErrorCode::kFail,
                 fmt::format("the file '{}' exists already and is not to be overwritten", m_path.string()),
                 {.file = m_path.string(), .node = {}, .value = {}},
                 true});
  if (isLink) return {};
  if ((status.st_mode & kAnyWrite) == 0) return failAt(m_path, kNotWritten, "it is write-protected");
  m_oldMode = status.st_mode & kPermissions;
  return {};
}

// The kernel takes the file away with its last descriptor, however the program ends.
Result<void> NewFile::openUnnamed() {
  m_file = FileDescriptor(::openat(m_folder.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  if (!m_file.valid()) return systemFailure(errno);
  // Naming it later goes through the process's own descriptors; without /proc it could not be named at all.
  struct stat status{};
  if (::stat(fmt::format("/proc/self/fd/{}", m_file.get()).c_str(), &status) != 0) {
    m_file = FileDescriptor();
    return systemFailure(ENOENT);
  }
  return {};
}

Result<void> NewFile::openNamed() {
  const std::string stem = stemOf(m_path.filename().string());
  for (int attempt = 0; attempt < 1000; ++attempt) {
    m_temporary = nextName(stem);
    m_file = FileDescriptor(
        ::openat(m_folder.get(), m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!m_file.valid() && errno != EEXIST && errno != EINTR) return systemFailure(errno);
    if (!m_file.valid()) continue;
    (void)::flock(m_file.get(),
                  LOCK_EX | LOCK_NB);  // not every file system has locks: the process number decides there
    return {};
  }
  return systemFailure(EEXIST);
}

Result<void> NewFile::nameTemporary() {
  if (!m_temporary.empty()) return {};
  const std::string stem = stemOf(m_path.filename().string());
  const std::string own = fmt::format("/proc/self/fd/{}", m_file.get());
  (void)::flock(m_file.get(), LOCK_EX | LOCK_NB);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string name = nextName(stem);
    if (::linkat(AT_FDCWD, own.c_str(), m_folder.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      m_temporary = std::move(name);  // a copy could fail, and the file would be left
      return {};
    }
    if (errno != EEXIST && errno != EINTR) return systemFailure(errno);
  }
  return systemFailure(EEXIST);
}

Result<std::unique_ptr<NewFile>> NewFile::create(fs::path path, const NewFileOptions& options) {
  FileDescriptor folder = openFolder(path.parent_path());
  if (!folder.valid()) {
    const int number = errno;
    return failAt(path, kNotWritten,
                  fmt::format("the folder '{}' cannot be opened: {}", path.parent_path().string(),
                              std::generic_category().message(number)));
  }
  auto file = std::unique_ptr<NewFile>(new NewFile(std::move(path), options, std::move(folder)));
  CUTAWAY_CHECK(file->checkTarget());
  ignoreFileSizeSignal();
  const std::scoped_lock lock(namesMutex());
  sweepFolder(file->m_folder.get(), stemOf(file->m_path.filename().string()), true);
  if (file->openUnnamed()) return file;
  CUTAWAY_CHECK(file->openNamed());
  return file;
}

int64_t NewFile::sweep(const fs::path& folder, const std::string& namePrefix) {
  const FileDescriptor opened = openFolder(folder);
  const std::scoped_lock lock(namesMutex());
  return opened.valid() ? sweepFolder(opened.get(), stemOf(namePrefix), false) : 0;
}

NewFile::~NewFile() {
  if (m_file.valid() && !m_published && !m_temporary.empty()) ::unlinkat(m_folder.get(), m_temporary.c_str(), 0);
}

Result<void> NewFile::setPath(fs::path path) {
  if (path.parent_path() != m_path.parent_path())
    return failAt(path, kNotWritable,
                  fmt::format("'{}' is in another folder than '{}'", path.string(), m_path.string()));
  std::swap(m_path, path);
  auto checked = checkTarget();
  if (!checked) std::swap(m_path, path);
  return checked;
}

Result<void> NewFile::reserve(int64_t bytes) {
  if (bytes <= 0) return {};
  const int done = untilDone([&] { return ::fallocate(m_file.get(), FALLOC_FL_KEEP_SIZE, m_size, bytes); });
  if (done == 0 || errno == EOPNOTSUPP || errno == ENOSYS) return {};
  if (errno == ENOSPC || errno == EDQUOT)
    return failAt(m_path, kNotWritten,
                  fmt::format("{} more bytes do not fit on the disk; free some space or write elsewhere", bytes));
  if (errno == EFBIG)
    return failAt(m_path, kNotWritten, fmt::format("files here may not have {} bytes", m_size + bytes));
  return systemFailure(errno);
}

Result<void> NewFile::write(std::span<const std::byte> bytes) {
  m_sealed = false;
  while (!bytes.empty()) {
    const ssize_t count = untilDone([&] { return ::pwrite(m_file.get(), bytes.data(), bytes.size(), m_size); });
    if (count <= 0) return systemFailure(count < 0 ? errno : ENOSPC);
    m_size += count;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

Result<void> NewFile::align(int64_t alignment) {
  static constexpr std::array<std::byte, 4096> kZeros{};
  while (m_size % alignment != 0)
    CUTAWAY_CHECK(write(std::span(kZeros).first(
        static_cast<size_t>(std::min<int64_t>(alignment - m_size % alignment, kZeros.size())))));
  return {};
}

Result<void> NewFile::rewrite(int64_t offset, std::span<const std::byte> bytes) {
  if (offset < 0 || offset > m_size || static_cast<int64_t>(bytes.size()) > m_size - offset) {
    return failAt(m_path, kNotWritable,
                  fmt::format("bytes {} to {} of '{}' were not written yet; it has {}", offset,
                              static_cast<uint64_t>(offset) + bytes.size(), m_path.string(), m_size));
  }
  m_sealed = false;
  while (!bytes.empty()) {
    const ssize_t count = untilDone([&] { return ::pwrite(m_file.get(), bytes.data(), bytes.size(), offset); });
    if (count <= 0) return systemFailure(count < 0 ? errno : ENOSPC);
    offset += count;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

Result<void> NewFile::seal() {
  if (m_sealed) return {};
  if (untilDone([&] { return ::fsync(m_file.get()); }) != 0) return systemFailure(errno);
  m_sealed = true;
  return {};
}

Result<void> NewFile::rename() {
  const std::string name = m_path.filename().string();
  CUTAWAY_CHECK(checkTarget());  // again: much may have happened since
  if (m_oldMode != 0) (void)::fchmod(m_file.get(), m_oldMode);
  CUTAWAY_CHECK(nameTemporary());
  if (m_options.overwrite) {
    if (::renameat(m_folder.get(), m_temporary.c_str(), m_folder.get(), name.c_str()) != 0) return systemFailure(errno);
    m_published = true;
    return {};
  }
  // Both ways fail when the target exists, however late it came to be; a second link is for file systems without the
  // first.
  if (::syscall(SYS_renameat2, m_folder.get(), m_temporary.c_str(), m_folder.get(), name.c_str(), RENAME_NOREPLACE) ==
      0) {
    m_published = true;
    return {};
  }
  if (errno == EINVAL || errno == ENOSYS) {
    if (::linkat(m_folder.get(), m_temporary.c_str(), m_folder.get(), name.c_str(), 0) == 0) {
      ::unlinkat(m_folder.get(), m_temporary.c_str(), 0);
      m_published = true;
      return {};
    }
  }
  if (errno == EEXIST) CUTAWAY_CHECK(checkTarget());
  return systemFailure(errno);
}

Result<void> NewFile::publish() {
  if (m_published) return {};
  CUTAWAY_CHECK(seal());
  CUTAWAY_CHECK(rename());
  log::event(log::kInfo, log::Category::kFiles, "written", {{"file", log::path(m_path)}, {"bytes", m_size}});
  // Some file systems do not flush folders (EINVAL): the rename is whole there, too, only not at once on the disk.
  if (untilDone([&] { return ::fsync(m_folder.get()); }) != 0 && errno != EINVAL && errno != EROFS)
    return systemFailure(errno);
  return {};
}

}  // namespace cutaway
