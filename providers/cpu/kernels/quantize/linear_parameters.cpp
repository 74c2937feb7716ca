#include "providers/cpu/kernels/quantize/linear_parameters.h"

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway {

Result<LinearParameters> readLinear(const KernelContext& context, std::string_view op, size_t scaleSlot, size_t zeroSlot, ElementType type) {
  CUTAWAY_TRY(const Tensor* scale, requireTensor(context, scaleSlot));
  CUTAWAY_CHECK(checkScale(*scale, 1, scaleSlot));
  LinearParameters parameters{.scale = scaleAt(*scale, 0), .zero = 0, .isSigned = type == ElementType::kInt8};
  const Tensor* zero = optionalTensor(context, zeroSlot);
  if (zero == nullptr) return parameters;
  if (zero->type() != type || zero->elementCount() != 1) {
    return fail(ErrorCode::kInvalidArgument, "{}: input {} must be one zero point of type {}, not {} of {}", op, zeroSlot, elementTypeName(type), dimsToText(zero->dims()), elementTypeName(zero->type()));
  }
  parameters.zero = zeroPointAt(zero, 0);
  return parameters;
}

Result<const Tensor*> requireBytes(const KernelContext& context, std::string_view op, size_t slot) {
  CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, slot));
  if (!isByteInteger(tensor->type())) return fail(ErrorCode::kInvalidArgument, "{}: input {} must be of 8-bit integers, not {}", op, slot, elementTypeName(tensor->type()));
  return tensor;
}

ByteTable rescaleTable(const LinearParameters& from, const LinearParameters& to) {
  ByteTable table;
  for (size_t byte = 0; byte < table.size(); ++byte) table[byte] = from == to ? static_cast<uint8_t>(byte) : to.fromFloat(from.toFloat(static_cast<uint8_t>(byte)));
  return table;
}

}  // namespace cutaway
