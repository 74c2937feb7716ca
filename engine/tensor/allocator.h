#pragma once
// Where bytes come from: an allocator belongs to a device.
//
// Thread rule: allocate and release may be called from any thread.
// Example: void* block = heapAllocator().allocate(1024);  heapAllocator().release(block);

#include <cstddef>
#include <cstdint>
#include <string>

namespace cutaway {

enum class DeviceType : uint8_t { kCpu, kGpu, kNpu, kFpga, kSimulated };

struct Device {
  DeviceType type = DeviceType::kCpu;
  int32_t index = 0;
  std::string name = "cpu";  // as shown to people
  bool operator==(const Device& other) const {
    return type == other.type && index == other.index && name == other.name;
  }
};

// Blocks are aligned to this many bytes: a cache line, and the widest vector.
inline constexpr int64_t kBlockAlignment = 64;

class Allocator {
 public:
  virtual ~Allocator() = default;
  // nullptr when memory is short. sizeBytes 0 gives a valid pointer that may be released.
  virtual void* allocate(size_t sizeBytes) = 0;
  virtual void release(void* block) = 0;
  virtual const Device& device() const = 0;
};

// The process heap, aligned to kBlockAlignment.
Allocator& heapAllocator();

}  // namespace cutaway
