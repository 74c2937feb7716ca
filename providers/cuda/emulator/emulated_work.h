#pragma once
// What library operations of the emulator are made with: somebody who takes work for a stream, and the operations
// themselves.
//
// Thread rule: as DeviceBackend. Example: return queue.enqueue(stream, [=] { multiply(...); });

#include <functional>
#include <memory>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

class WorkQueue {
 public:
  // The work runs when the stream gets there.
  virtual Status enqueue(Stream stream, std::function<void()> work) = 0;

 protected:
  ~WorkQueue() = default;
};

// Each checks the description; kUnsupported names what the loops do not have.
Status makeEmulatedMatmul(WorkQueue& queue, const MatmulDescription& description,
                          std::unique_ptr<Operation>& operation);
Status makeEmulatedConvolution(WorkQueue& queue, const ConvolutionDescription& description,
                               std::unique_ptr<Operation>& operation);
Status makeEmulatedAttention(WorkQueue& queue, const AttentionDescription& description,
                             std::unique_ptr<Operation>& operation);

}  // namespace cutaway::cuda
