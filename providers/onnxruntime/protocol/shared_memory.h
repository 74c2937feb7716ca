#pragma once
// Memory that two processes see: anonymous, sealed against change of its size, gone with its last user.
//
// It has no name in the file system, so nothing is left behind however a process ends. What comes from another process
// is taken only when it is sealed against shrinking: otherwise its owner could cut it off under us, and touching it
// would be a fault. Thread rule: the object is immutable; its bytes are the users' business. Example:
//   CUTAWAY_TRY(auto memory, SharedMemory::create(1 << 20));  fill(memory->bytes());  channel.send(...,
//   memory->file());

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "engine/base/file_descriptor.h"
#include "engine/base/result.h"

namespace cutaway::onnxruntime {

class SharedMemory {
 public:
  // Zeroed. FAIL when memory or descriptors are short. 0 bytes give a page.
  static Result<std::shared_ptr<const SharedMemory>> create(size_t sizeBytes);
  // A copy of these bytes.
  static Result<std::shared_ptr<const SharedMemory>> of(std::string_view bytes);
  // As another process made it. INVALID_ARGUMENT: no sealed memory, or less than sizeBytes of it.
  static Result<std::shared_ptr<const SharedMemory>> open(FileDescriptor file, uint64_t sizeBytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::span<std::byte> bytes() const { return {m_data, m_size}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(m_data), m_size}; }
  int file() const { return m_file.get(); }
  uint64_t id() const { return m_id; }  // unique in this process, above 0
  // The part at offset, or an empty span with a nullptr where it would pass the end.
  std::span<std::byte> part(uint64_t offset, uint64_t sizeBytes) const;

 private:
  SharedMemory(FileDescriptor file, std::byte* data, size_t size);
  static Result<std::shared_ptr<const SharedMemory>> map(FileDescriptor file, size_t sizeBytes);

  FileDescriptor m_file;
  std::byte* m_data;
  size_t m_size;
  uint64_t m_id;
};

}  // namespace cutaway::onnxruntime
