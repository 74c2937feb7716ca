#pragma once
// Large blocks of this process's heap in memory that hosts see: tensors in them reach ONNX Runtime without a copy.
//
// While a provider is there (LargeBlockUse), frames and large tensors are made here. Thread rule: any thread. Example:
//   const SharedPart part = sharedBlocks().find(tensor.data(), tensor.sizeBytes());   if (part.memory)
//   use(part.offset);

#include <map>
#include <memory>
#include <mutex>

#include "engine/tensor/large_blocks.h"
#include "providers/onnxruntime/protocol/shared_memory.h"

namespace cutaway::onnxruntime {

struct SharedPart {
  std::shared_ptr<const SharedMemory> memory;  // nullptr: it lies elsewhere
  uint64_t offset = 0;
};

class SharedBlocks final : public LargeBlockSource {
 public:
  void* allocate(size_t sizeBytes) override;
  bool release(void* block) override;
  // Where these bytes lie, when all of them lie in one block.
  SharedPart find(const void* data, size_t sizeBytes) const;

 private:
  mutable std::mutex m_mutex;
  std::map<const std::byte*, std::shared_ptr<const SharedMemory>> m_blocks;  // by their first byte
};

// Of the process; never destroyed, because blocks come back at any time.
SharedBlocks& sharedBlocks();

}  // namespace cutaway::onnxruntime
