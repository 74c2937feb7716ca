#include "providers/cuda/kernels/axis_list.h"

#include <array>
#include <vector>

namespace cutaway::cuda {

Result<const Tensor*> requireTensor(const GpuCall& call, size_t slot) {
  const Tensor* tensor = optionalTensor(call, slot);
  if (tensor == nullptr)
    return fail(ErrorCode::kInvalidArgument, "input {} must be a tensor and is absent or something else", slot);
  return tensor;
}

Dims filledList(size_t count, int64_t value) {
  constexpr size_t kShort = 16;
  if (count > kShort) return Dims(std::span<const int64_t>(std::vector<int64_t>(count, value)));
  std::array<int64_t, kShort> numbers;
  numbers.fill(value);
  return Dims(std::span<const int64_t>(numbers.data(), count));
}

Result<Dims> readIntegers(const Tensor& tensor) {
  if (tensor.type() == ElementType::kInt64) return Dims(tensor.span<int64_t>());
  if (tensor.type() != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "a list of integers has elements of type {}",
                elementTypeName(tensor.type()));
  Dims list = filledList(static_cast<size_t>(tensor.elementCount()), 0);
  for (size_t i = 0; i < list.size(); ++i)
    list[i] = tensor.span<int32_t>()[i];
  return list;
}

Result<int64_t> readInteger(const Tensor& tensor) {
  if (tensor.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "one integer is needed, {} are given", tensor.elementCount());
  CUTAWAY_TRY(const Dims list, readIntegers(tensor));
  return list[0];
}

Result<int64_t> resolveAxis(int64_t axis, size_t rank) {
  const int64_t bound = static_cast<int64_t>(rank);
  if (axis < -bound || axis >= bound)
    return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", axis, -bound,
                bound - 1, rank);
  return axis < 0 ? axis + bound : axis;
}

Result<Dims> resolveAxes(std::span<const int64_t> axes, size_t rank) {
  if (axes.size() > rank)
    return fail(ErrorCode::kInvalidArgument, "{} axes are given for a tensor of rank {}", axes.size(), rank);
  Dims resolved(axes);
  for (size_t i = 0; i < axes.size(); ++i) {
    CUTAWAY_TRY(resolved[i], resolveAxis(axes[i], rank));
    for (size_t j = 0; j < i; ++j) {
      if (resolved[j] == resolved[i]) return fail(ErrorCode::kInvalidArgument, "axis {} is given twice", resolved[i]);
    }
  }
  return resolved;
}

int64_t productOf(std::span<const int64_t> dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i)
    product *= dims[i];
  return product;
}

Dims rowMajorStrides(std::span<const int64_t> dims) {
  Dims strides = filledList(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

Dims listAttribute(const KernelInfo& info, std::string_view name) {
  const Attribute* attribute = info.node().findAttribute(name);
  const std::vector<int64_t>* list =
      attribute == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(&attribute->value);
  return list == nullptr ? Dims() : Dims(std::span<const int64_t>(*list));
}

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
