#include "providers/cpu/kernels/convolution/prepared_convolution.h"

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/through_float.h"

namespace cutaway {

Result<PreparedConvolution> prepareConvolution(const Tensor* weights, const math::ConvolutionShape* shape) {
  PreparedConvolution prepared;
  if (weights != nullptr) {
    CUTAWAY_TRY(prepared.constantWeights, widened(*weights));
  }
  if (shape == nullptr) return prepared;
  auto convolution = math::Convolution::create(*shape);
  if (!convolution && convolution.error().code == ErrorCode::kNotImplemented) return prepared;
  if (!convolution) return fail(std::move(convolution).error());
  prepared.convolution = *convolution;
  if (weights != nullptr) {
    CUTAWAY_TRY(prepared.packed, prepared.convolution->pack(prepared.constantWeights.span<float>().data()));
  }
  return prepared;
}

Result<ConvolutionState::Entry*> ConvolutionState::find(const PreparedConvolution& prepared, const math::ConvolutionShape& shape) {
  const int threads = currentThreads();
  for (Entry& entry : m_entries) {
    if (entry.threads == threads && entry.shape == shape) return &entry;
  }
  Entry entry{.shape = shape, .threads = threads, .call = std::nullopt, .packed = nullptr};
  std::shared_ptr<const math::Convolution> convolution = prepared.convolution;
  if (!convolution || convolution->threads() != threads || !(convolution->shape() == shape)) {
    auto made = math::Convolution::create(shape);
    if (!made && made.error().code != ErrorCode::kNotImplemented) return fail(std::move(made).error());
    convolution = made ? *made : nullptr;
  }
  if (convolution) {
    if (prepared.constantWeights.valid()) {
      if (prepared.packed && convolution->accepts(*prepared.packed)) entry.packed = prepared.packed;
      for (const Entry& other : m_entries) {
        if (!entry.packed && other.packed && convolution->accepts(*other.packed)) entry.packed = other.packed;
      }
      if (!entry.packed) {
        CUTAWAY_TRY(entry.packed, convolution->pack(prepared.constantWeights.span<float>().data()));
      }
    }
    entry.call.emplace(std::move(convolution));
  }
  if (m_entries.size() < kEntries) {
    m_entries.push_back(std::move(entry));
    return &m_entries.back();
  }
  Entry& replaced = m_entries[m_oldest];
  m_oldest = (m_oldest + 1) % kEntries;
  replaced = std::move(entry);
  return &replaced;
}

}  // namespace cutaway
