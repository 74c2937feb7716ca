#pragma once
// Convolutions made ready for the shapes that come: one made at session creation where shapes are known, others kept in
// the frame by shape.
//
// Thread rule: PreparedConvolution is immutable; ConvolutionState belongs to one frame.
// Example: CUTAWAY_TRY(auto* entry, state.find(prepared, shape, weights));

#include "engine/math/convolution.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/floats_on_use.h"
#include "providers/cpu/kernels/prepared_calls.h"

namespace cutaway::cpu {

// What a kernel made ahead of its runs; either part may be missing.
struct PreparedConvolution {
  std::shared_ptr<const math::Convolution> convolution;
  std::shared_ptr<const PackedOnUse<math::Convolution, math::PackedWeights, float>> packed;
  Tensor constantWeights;  // floats, or halves that are widened as they are packed; valid when the weights never change
  std::shared_ptr<const FloatsOnUse> floats;  // the same for loops that read them where they lie
};

// weights: constant ones of floats or halves, or nullptr; shape: known or nullptr. A shape the library refuses prepares
// no packed form.
Result<PreparedConvolution> prepareConvolution(const Tensor* weights, const math::ConvolutionShape* shape);

class ConvolutionState final : public KernelState {
 public:
  using Calls = PreparedCalls<math::Convolution, math::ConvolutionShape, math::PackedWeights>;
  using Entry = Calls::Entry;
  Result<Entry*> find(const PreparedConvolution& prepared, const math::ConvolutionShape& shape);

 private:
  Calls m_calls;
};

}  // namespace cutaway::cpu
