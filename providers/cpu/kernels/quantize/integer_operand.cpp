#include "providers/cpu/kernels/quantize/integer_operand.h"

#include "providers/cpu/kernels/quantize/quantized_run.h"

namespace cutaway::cpu {
namespace {

template <typename T>
void widenAs(const void* data, int64_t first, int64_t count, int32_t zeroPoint, int32_t* to) {
  const T* from = static_cast<const T*>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] - zeroPoint;
}

}  // namespace

bool isByteInteger(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8;
}

void widenRow(ElementType type, const void* data, int64_t first, int64_t count, int32_t zeroPoint, int32_t* to) {
  if (type == ElementType::kInt8)
    widenAs<int8_t>(data, first, count, zeroPoint, to);
  else
    widenAs<uint8_t>(data, first, count, zeroPoint, to);
}

Result<void> checkZeroPoint(const Tensor* zeroPoint, int64_t count, size_t slot) {
  if (zeroPoint == nullptr) return {};
  if (!isByteInteger(zeroPoint->type()))
    return fail(ErrorCode::kNotImplemented, "input {}: zero points of type {} are not covered", slot,
                elementTypeName(zeroPoint->type()));
  if (zeroPoint->elementCount() == 1 || zeroPoint->elementCount() == count) return {};
  return fail(ErrorCode::kInvalidArgument, "input {}: {} zero points are given for {} places", slot,
              zeroPoint->elementCount(), count);
}

Result<void> checkScale(const Tensor& scale, int64_t count, size_t slot) {
  float value = 0;
  if (scale.elementCount() != 1 && scale.elementCount() != count)
    return fail(ErrorCode::kInvalidArgument, "input {}: {} scales are given for {} places", slot, scale.elementCount(),
                count);
  if (!isFloating(scale.type()) || (scale.elementCount() > 0 && !loadRun(scale.type(), scale.data(), 0, 1, &value)))
    return fail(ErrorCode::kInvalidArgument, "input {}: a scale cannot be {}", slot, elementTypeName(scale.type()));
  return {};
}

float scaleAt(const Tensor& scale, int64_t index) {
  float value = 0;
  loadRun(scale.type(), scale.data(), scale.elementCount() == 1 ? 0 : index, 1, &value);
  return value;
}

}  // namespace cutaway::cpu
