#pragma once
// Owns an opened file's number and closes it.
//
// Thread rule: plain value, moved only. Example: const FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));   if
// (!file.valid()) ...

#include <utility>

#include <unistd.h>

namespace cutaway {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : m_descriptor(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
  }
  ~FileDescriptor() {
    if (m_descriptor >= 0) ::close(m_descriptor);
  }

  bool valid() const { return m_descriptor >= 0; }
  int get() const { return m_descriptor; }

 private:
  int m_descriptor = -1;
};

}  // namespace cutaway
