#include "providers/cpu/kernels/quantize/linear_parameters.h"

#include <cstring>

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {

Result<LinearParameters> readLinear(const KernelContext& context, std::string_view op, size_t scaleSlot,
                                    size_t zeroSlot, ElementType type) {
  CUTAWAY_TRY(const Tensor* scale, requireTensor(context, scaleSlot));
  CUTAWAY_CHECK(checkScale(*scale, 1, scaleSlot));
  LinearParameters parameters{.scale = scaleAt(*scale, 0), .zero = 0, .isSigned = type == ElementType::kInt8};
  const Tensor* zero = optionalTensor(context, zeroSlot);
  if (zero == nullptr) return parameters;
  if (zero->type() != type || zero->elementCount() != 1) {
    return fail(ErrorCode::kInvalidArgument, "{}: input {} must be one zero point of type {}, not {} of {}", op,
                zeroSlot, elementTypeName(type), dimsToText(zero->dims()), elementTypeName(zero->type()));
  }
  parameters.zero = zeroPointAt(zero, 0);
  return parameters;
}

Result<const Tensor*> requireBytes(const KernelContext& context, std::string_view op, size_t slot) {
  CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, slot));
  if (!isByteInteger(tensor->type()))
    return fail(ErrorCode::kInvalidArgument, "{}: input {} must be of 8-bit integers, not {}", op, slot,
                elementTypeName(tensor->type()));
  return tensor;
}

ByteTable rescaleTable(const LinearParameters& from, const LinearParameters& to) {
  ByteTable table;
  for (size_t byte = 0; byte < table.size(); ++byte)
    table[byte] = from == to ? static_cast<uint8_t>(byte) : to.fromFloat(from.toFloat(static_cast<uint8_t>(byte)));
  return table;
}

// Eight bytes at a time through registers: single bytes might lie in the table itself, for all a compiler knows.
void applyTable(const ByteTable& table, const uint8_t* from, uint8_t* to, int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t in = 0, out = 0;
    std::memcpy(&in, from + i, sizeof(in));
    for (int k = 0; k < 64; k += 8)
      out |= static_cast<uint64_t>(table[in >> k & 0xff]) << k;
    std::memcpy(to + i, &out, sizeof(out));
  }
  for (; i < count; ++i)
    to[i] = table[from[i]];
}

}  // namespace cutaway::cpu
