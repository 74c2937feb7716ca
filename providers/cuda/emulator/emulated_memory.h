#pragma once
// Memory of the emulator's device: blocks of the heap, or, strict, of one region that nobody may touch but work of
// the backend itself (between open() and close()).
//
// Strict blocks are filled with a pattern that is no number when they are given and when they are taken back, and have
// a guard behind them: who reads what was never written, uses what was released or writes past an end is found out.
// Pinned blocks are ordinary memory that the backend knows by address. Thread rule: any thread; open() nests. Example:
// EmulatedMemory memory(true, 0);  void* block = memory.take(100);  memory.open();  use(block);  memory.close();
// memory.giveBack(block);

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace cutaway::cuda {

class EmulatedMemory {
 public:
  static constexpr size_t kAlignment = 256;
  static constexpr int64_t kTotalBytes = int64_t{64} << 30;

  EmulatedMemory(bool strict, int64_t limitBytes);
  ~EmulatedMemory();
  EmulatedMemory(const EmulatedMemory&) = delete;
  EmulatedMemory& operator=(const EmulatedMemory&) = delete;

  // nullptr: over the limit, or the host has no more.
  void* take(size_t sizeBytes);
  // Empty, or what was found: a block that is none, a damaged guard. The memory may be given to somebody else from now
  // on.
  std::string giveBack(void* block);
  // The pattern again; contents are lost. For a block that is released in stream order.
  void poison(void* block);

  void* takePinned(size_t sizeBytes);
  bool giveBackPinned(void* block);
  bool isPinned(const void* address) const;
  // Does [address, address + sizeBytes) lie in one live block? Plain backends do not look.
  bool holds(const void* address, size_t sizeBytes) const;

  void open();
  void close();

  int64_t usedBytes() const;
  int64_t limitBytes() const { return m_limit > 0 ? m_limit : kTotalBytes; }

 private:
  struct Block {
    size_t askedBytes = 0, wholeBytes = 0;
  };
  std::byte* place(size_t wholeBytes);
  void protect(int rights);

  mutable std::mutex m_mutex;
  bool m_strict;
  int64_t m_limit, m_used = 0;
  std::byte* m_region = nullptr;
  size_t m_regionBytes = 0, m_highWater = 0;
  int m_opened = 0;
  std::map<std::byte*, Block> m_blocks;
  std::map<std::byte*, size_t> m_free;  // holes of the region
  std::map<std::byte*, size_t> m_pinned;
};

}  // namespace cutaway::cuda
