#include "providers/cpu/kernels/shape/axis_list.h"

#include <vector>

namespace cutaway {

Result<const Tensor*> requireTensor(const KernelContext& context, size_t slot) {
  const Tensor* tensor = slot < context.inputCount() ? context.input(slot) : nullptr;
  if (tensor == nullptr)
    return fail(ErrorCode::kInvalidArgument, "input {} must be a tensor and is absent or something else", slot);
  return tensor;
}

Dims filledList(size_t count, int64_t value) {
  constexpr size_t kShort = 16;
  if (count <= kShort) {
    std::array<int64_t, kShort> numbers;
    numbers.fill(value);
    return Dims(std::span<const int64_t>(numbers.data(), count));
  }
  return Dims(std::span<const int64_t>(std::vector<int64_t>(count, value)));
}

Result<Dims> readIntegers(const Tensor& tensor) {
  const size_t count = static_cast<size_t>(tensor.elementCount());
  if (tensor.type() == ElementType::kInt64) return Dims(tensor.span<int64_t>());
  if (tensor.type() != ElementType::kInt32) {
    return fail(ErrorCode::kInvalidArgument, "a list of integers has elements of type {}",
                elementTypeName(tensor.type()));
  }
  Dims list = filledList(count, 0);
  for (size_t i = 0; i < count; ++i)
    list[i] = tensor.span<int32_t>()[i];
  return list;
}

Result<int64_t> readInteger(const Tensor& tensor) {
  if (tensor.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "one integer is needed, {} are given", tensor.elementCount());
  if (tensor.type() == ElementType::kInt64) return tensor.span<int64_t>()[0];
  if (tensor.type() == ElementType::kInt32) return tensor.span<int32_t>()[0];
  return fail(ErrorCode::kInvalidArgument, "an integer is needed, {} is given", elementTypeName(tensor.type()));
}

Result<int64_t> resolveAxis(int64_t axis, size_t rank) {
  const int64_t bound = static_cast<int64_t>(rank);
  if (axis < -bound || axis >= bound) {
    return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", axis, -bound,
                bound - 1, rank);
  }
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

Dims listAttribute(const KernelInfo& info, std::string_view name) {
  const Attribute* attribute = info.node().findAttribute(name);
  const std::vector<int64_t>* list =
      attribute == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(&attribute->value);
  return list == nullptr ? Dims() : Dims(std::span<const int64_t>(*list));
}

}  // namespace cutaway
