#include "providers/onnxruntime/protocol/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace cutaway::onnxruntime {

namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;

uint64_t nextId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

SharedMemory::SharedMemory(FileDescriptor file, std::byte* data, size_t size)
    : m_file(std::move(file)), m_data(data), m_size(size), m_id(nextId()) {}

SharedMemory::~SharedMemory() {
  munmap(m_data, m_size);
}

Result<std::shared_ptr<const SharedMemory>> SharedMemory::map(FileDescriptor file, size_t sizeBytes) {
  void* const data = mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED)
    return fail(ErrorCode::kFail, "{} bytes of shared memory cannot be mapped: {}", sizeBytes, std::strerror(errno));
  return std::shared_ptr<const SharedMemory>(
      new SharedMemory(std::move(file), static_cast<std::byte*>(data), sizeBytes));
}

Result<std::shared_ptr<const SharedMemory>> SharedMemory::create(size_t sizeBytes) {
  const size_t size = std::max<size_t>(sizeBytes, 1);
  FileDescriptor file(memfd_create("cutaway", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid() || ftruncate(file.get(), static_cast<off_t>(size)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, kSizeSeals | F_SEAL_SEAL) != 0)
    return fail(ErrorCode::kFail, "{} bytes of shared memory cannot be made: {}", size, std::strerror(errno));
  return map(std::move(file), size);
}

Result<std::shared_ptr<const SharedMemory>> SharedMemory::of(std::string_view bytes) {
  CUTAWAY_TRY(std::shared_ptr<const SharedMemory> memory, create(bytes.size()));
  if (!bytes.empty()) std::memcpy(memory->bytes().data(), bytes.data(), bytes.size());
  return memory;
}

Result<std::shared_ptr<const SharedMemory>> SharedMemory::open(FileDescriptor file, uint64_t sizeBytes) {
  struct stat facts{};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kSizeSeals) != kSizeSeals || fstat(file.get(), &facts) != 0)
    return fail(ErrorCode::kInvalidArgument, "what was given as shared memory is none, or could be cut off");
  const auto size = static_cast<uint64_t>(facts.st_size);
  if (size == 0 || sizeBytes > size)
    return fail(ErrorCode::kInvalidArgument, "{} bytes of shared memory were announced, and {} are there", sizeBytes,
                size);
  return map(std::move(file), static_cast<size_t>(size));
}

std::span<std::byte> SharedMemory::part(uint64_t offset, uint64_t sizeBytes) const {
  if (offset > m_size || sizeBytes > m_size - offset) return {};
  return {m_data + offset, static_cast<size_t>(sizeBytes)};
}

}  // namespace cutaway::onnxruntime
