#include "providers/cpu/kernels/quantize/scale_layout.h"

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway {

Result<ScaleLayout> scaleLayout(std::span<const int64_t> dims, std::span<const int64_t> scaleDims, int64_t givenAxis,
                                int64_t blockSize) {
  ScaleLayout layout;
  const bool perTensor = blockSize == 0 && (scaleDims.empty() || (scaleDims.size() == 1 && scaleDims[0] == 1));
  if (perTensor) {
    layout.length = productOf(dims, 0, dims.size());
    return layout;
  }
  CUTAWAY_TRY(const int64_t resolved, resolveAxis(givenAxis, dims.size()));
  const size_t axis = static_cast<size_t>(resolved);
  layout.outer = productOf(dims, 0, axis);
  layout.length = dims[axis];
  layout.inner = productOf(dims, axis + 1, dims.size());
  layout.block = blockSize == 0 ? 1 : blockSize;
  layout.blocked = blockSize != 0;
  bool fits = blockSize >= 0;
  if (fits && blockSize == 0) {
    fits = scaleDims.size() == 1 && scaleDims[0] == layout.length;
  } else if (fits) {
    fits = scaleDims.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i)
      fits = scaleDims[i] == (i == axis ? (dims[i] == 0 ? 0 : (dims[i] - 1) / blockSize + 1) : dims[i]);
  }
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "a scale {} does not fit {} along axis {} in blocks of {}",
                dimsToText(scaleDims), dimsToText(dims), axis, blockSize);
  return layout;
}

}  // namespace cutaway
