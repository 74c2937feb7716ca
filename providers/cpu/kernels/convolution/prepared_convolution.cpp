#include "providers/cpu/kernels/convolution/prepared_convolution.h"

#include "engine/base/parallel.h"

namespace cutaway::cpu {

Result<PreparedConvolution> prepareConvolution(const Tensor* weights, const math::ConvolutionShape* shape) {
  PreparedConvolution prepared;
  if (weights != nullptr) {
    prepared.constantWeights = *weights;
    prepared.floats = std::make_shared<const FloatsOnUse>(*weights);
  }
  if (shape == nullptr) return prepared;
  auto convolution = math::Convolution::create(*shape);
  if (!convolution && convolution.error().code == ErrorCode::kNotImplemented) return prepared;
  if (!convolution) return fail(std::move(convolution).error());
  prepared.convolution = *convolution;
  if (weights != nullptr) {
    prepared.packed = std::make_shared<const PackedOnUse<math::Convolution, math::PackedWeights, float>>(
        prepared.convolution, prepared.constantWeights);
  }
  return prepared;
}

Result<ConvolutionState::Entry*> ConvolutionState::find(const PreparedConvolution& prepared,
                                                        const math::ConvolutionShape& shape) {
  return m_calls.find(shape, prepared.convolution, prepared.packed,
                      prepared.constantWeights.valid() ? &prepared.constantWeights : nullptr);
}

}  // namespace cutaway::cpu
