#include "engine/operators/integer_list.h"

#include <array>
#include <vector>

namespace cutaway::operators {

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

Result<size_t> readAxis(const Tensor& tensor, size_t rank) {
  if (tensor.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "the axis is one number, not {}", dimsToText(tensor.dims()));
  if (tensor.type() != ElementType::kInt64 && tensor.type() != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "the axis is int32 or int64, not {}", elementTypeName(tensor.type()));
  CUTAWAY_TRY(const int64_t axis, readInteger(tensor));
  const int64_t bound = static_cast<int64_t>(rank);
  if (axis < -bound || axis >= bound)
    return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", axis, rank);
  return static_cast<size_t>(axis < 0 ? axis + bound : axis);
}

Dims listAttribute(const Node& node, std::string_view name) {
  const Attribute* attribute = node.findAttribute(name);
  const std::vector<int64_t>* list =
      attribute == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(&attribute->value);
  return list == nullptr ? Dims() : Dims(std::span<const int64_t>(*list));
}

}  // namespace cutaway::operators
