#include "providers/cpu/kernels/convolution/prepared_convolution.h"

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {

Result<PreparedConvolution> prepareConvolution(const Tensor* weights, const math::ConvolutionShape* shape) {
  PreparedConvolution prepared;
  if (weights != nullptr) {
    CUTAWAY_TRY(prepared.constantWeights, widenedConstant(*weights));
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
  const Tensor& weights = prepared.constantWeights;
  return m_calls.find(shape, prepared.convolution, prepared.packed,
                      weights.valid() ? std::optional(weights.span<float>().data()) : std::nullopt);
}

}  // namespace cutaway::cpu
