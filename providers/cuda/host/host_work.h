#pragma once
// What library operations of the host machine are made with: somebody who takes work for a stream, and the operations
// themselves.
//
// Thread rule: as Machine. Example: return desk.tell(stream, [=] { multiply(...); });

#include <functional>
#include <memory>

#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {

class HostDesk {
 public:
  // The work runs when the stream gets there.
  virtual Problem tell(Stream stream, std::function<void()> work) = 0;

 protected:
  ~HostDesk() = default;
};

// Each checks the description; kUnsupported names what the loops do not have.
Problem makeHostMatmul(HostDesk& desk, const MatmulDescription& description, std::unique_ptr<Operation>& operation);
Problem makeHostConvolution(HostDesk& desk, const ConvolutionDescription& description,
                            std::unique_ptr<Operation>& operation);
Problem makeHostAttention(HostDesk& desk, const AttentionDescription& description,
                          std::unique_ptr<Operation>& operation);

}  // namespace cutaway::cuda
