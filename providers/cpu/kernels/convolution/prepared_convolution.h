#pragma once
// Convolutions made ready for the shapes that come: one made at session creation where shapes are known, others kept in the frame by shape.
//
// Thread rule: PreparedConvolution is immutable; ConvolutionState belongs to one frame.
// Example: CUTAWAY_TRY(auto* entry, state.find(prepared, shape, weights));

#include <vector>

#include "engine/math/convolution.h"
#include "engine/provider/kernel.h"

namespace cutaway {

// What a kernel made ahead of its runs; either part may be missing.
struct PreparedConvolution {
  std::shared_ptr<const math::Convolution> convolution;
  std::shared_ptr<const math::PackedWeights> packed;
  Tensor constantWeights;  // floats, valid when the weights never change
};

// weights: constant ones (widened to float here when they are halves) or nullptr; shape: known or nullptr. A shape the library refuses prepares nothing.
Result<PreparedConvolution> prepareConvolution(const Tensor* weights, const math::ConvolutionShape* shape);

class ConvolutionState final : public KernelState {
 public:
  struct Entry {
    math::ConvolutionShape shape;
    int threads = 0;
    std::optional<math::Convolution::Call> call;  // none: the library refused the shape
    std::shared_ptr<const math::PackedWeights> packed;
  };
  // The entry for this shape and the caller's threads, made when it is not there. At most kEntries are kept; the oldest goes.
  Result<Entry*> find(const PreparedConvolution& prepared, const math::ConvolutionShape& shape);

 private:
  static constexpr size_t kEntries = 8;
  std::vector<Entry> m_entries;
  size_t m_oldest = 0;
};

}  // namespace cutaway
