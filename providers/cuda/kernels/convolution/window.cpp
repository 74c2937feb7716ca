#include "providers/cuda/kernels/convolution/window.h"

#include <algorithm>

#include "engine/provider/execution_provider.h"

namespace cutaway::cuda {

size_t knownRank(const KernelInfo& info, size_t slot) {
  if (!info.hasInput(slot)) return 0;
  if (const auto& shape = info.inputType(slot).shape) return shape->rank();
  const Tensor* constant = info.constantInput(slot);
  return constant == nullptr ? 0 : constant->rank();
}

Result<void> checkWindowRank(const KernelInfo& info) {
  const size_t rank = std::max(knownRank(info, 0), info.attribute<std::vector<int64_t>>("kernel_shape", {}).size() + 2);
  if (rank > kMostWindowAxes + 2)
    return fail(ErrorCode::kNotImplemented, "windows over {} spatial axes (1 to {} are supported)", rank - 2,
                kMostWindowAxes);
  return {};
}

ImageDims imageDims(int64_t batch, int64_t channels, std::span<const int64_t> spatial, bool channelsLast) {
  ImageDims result;
  result.dims[result.rank++] = batch;
  if (!channelsLast) result.dims[result.rank++] = channels;
  for (const int64_t size : spatial)
    result.dims[result.rank++] = size;
  if (channelsLast) result.dims[result.rank++] = channels;
  return result;
}

}  // namespace cutaway::cuda
