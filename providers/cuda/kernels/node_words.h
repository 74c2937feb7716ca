#pragma once
// How a node is named when the device finds an index out of range: the record on the device carries the address of this
// text (functors/index_fault.h), and the run's end makes an error of it.
//
// Thread rule: immutable. Lives as long as its kernel.
// Example: NodeWords m_words{info, "an index"};  CUTAWAY_TRY(const FaultPlace fault, m_words.faultPlace(call));

#include <memory>

#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

class NodeWords {
 public:
  // what: "an index", "a length".
  NodeWords(const KernelInfo& info, std::string_view what)
      : m_text(std::make_unique<std::string>(
            fmt::format("node '{}' ({}): {}", info.node().name, info.node().opType, what))) {}
  Result<FaultPlace> faultPlace(GpuCall& call) const {
    CUTAWAY_TRY(IndexFault * record, call.run().faultRecord());
    return FaultPlace{record, reinterpret_cast<uintptr_t>(m_text.get())};
  }

 private:
  std::unique_ptr<std::string> m_text;
};

}  // namespace cutaway::cuda
