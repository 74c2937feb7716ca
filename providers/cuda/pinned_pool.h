#pragma once
// Pinned host memory that copies between host and device go through: blocks of powers of two, taken again as soon as
// the device is done with them.
//
// A copy through pinned memory does not stop the host, and the caller's bytes are free at once. After the first runs a
// steady run takes only blocks that are there. Thread rule: one run. Example: PinnedPool pool(backend);  void* block =
// pool.take(bytes, status);  ...  pool.giveBack(block);

#include <vector>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

class PinnedPool {
 public:
  // What is held at most; a copy that finds no room waits for older ones, and one larger than this goes without.
  static constexpr size_t kMostBytes = size_t{256} << 20;

  explicit PinnedPool(DeviceBackend& backend) : m_backend(backend) {}
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  // nullptr without a status: there is no room for it.
  void* take(size_t sizeBytes, Status& status);
  // The block is free when the event is reached.
  void freeAfter(void* block, Event event);
  void giveBack(void* block);
  // The device did everything: what waits for events is free.
  void allReached();
  size_t heldBytes() const { return m_heldBytes; }

 private:
  struct Block {
    void* data = nullptr;
    size_t sizeBytes = 0;
    bool taken = false;
    Event after = nullptr;  // of a block that is free after it
    uint64_t order = 0;
  };
  Block* findFree(size_t sizeBytes);
  Status waitForOldest(bool& waited);

  DeviceBackend& m_backend;
  std::vector<Block> m_blocks;
  size_t m_heldBytes = 0;
  uint64_t m_order = 0;
};

}  // namespace cutaway::cuda
