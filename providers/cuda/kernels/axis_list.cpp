#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {

int64_t elementBytes(ElementType type) {
  return type == ElementType::kString || isSubByte(type) ? 0 : bitsOf(type) / 8;
}

Result<void> checkMovable(const KernelInfo& info, size_t slot) {
  if (!info.inputType(slot).isTensor())
    return fail(ErrorCode::kNotImplemented, "input {} is a sequence, optional or map; those stay on the host", slot);
  if (elementBytes(info.inputElement(slot)) == 0)
    return fail(ErrorCode::kNotImplemented, "elements of type {} do not fill whole bytes, or lie in host memory only",
                elementTypeName(info.inputElement(slot)));
  return {};
}

}  // namespace cutaway::cuda
