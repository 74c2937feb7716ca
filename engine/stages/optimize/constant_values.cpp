#include "engine/stages/optimize/constant_values.h"

#include <algorithm>

namespace cutaway::optimize {

namespace {

template <typename T>
std::vector<int64_t> copyIntegers(const Tensor& tensor) {
  const auto values = tensor.span<T>();
  return {values.begin(), values.end()};
}

template <typename T>
std::vector<double> copyNumbers(const Tensor& tensor) {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(tensor.elementCount()));
  for (const T& each : tensor.span<T>()) {
    if constexpr (std::is_arithmetic_v<T>)
      values.push_back(static_cast<double>(each));
    else
      values.push_back(each.toFloat());
  }
  return values;
}

template <typename T>
void fill(Tensor& tensor, std::span<const double> values) {
  auto target = tensor.span<T>();
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_arithmetic_v<T>)
      target[i] = static_cast<T>(values[i]);
    else
      target[i] = T::fromFloat(static_cast<float>(values[i]));
  }
}

}  // namespace

std::vector<int64_t> integers(const Tensor& tensor) {
  if (tensor.type() == ElementType::kInt64) return copyIntegers<int64_t>(tensor);
  if (tensor.type() == ElementType::kInt32) return copyIntegers<int32_t>(tensor);
  return {};
}

std::optional<double> singleNumber(const Tensor& tensor) {
  if (tensor.elementCount() != 1) return std::nullopt;
  switch (tensor.type()) {
    case ElementType::kInt8:
      return tensor.span<int8_t>()[0];
    case ElementType::kUint8:
      return tensor.span<uint8_t>()[0];
    case ElementType::kInt16:
      return tensor.span<int16_t>()[0];
    case ElementType::kUint16:
      return tensor.span<uint16_t>()[0];
    case ElementType::kInt32:
      return tensor.span<int32_t>()[0];
    case ElementType::kUint32:
      return tensor.span<uint32_t>()[0];
    case ElementType::kInt64:
      return static_cast<double>(tensor.span<int64_t>()[0]);
    case ElementType::kUint64:
      return static_cast<double>(tensor.span<uint64_t>()[0]);
    default:
      break;
  }
  const auto values = numbers(tensor);
  return values ? std::optional(values->front()) : std::nullopt;
}

bool isFilledWith(const Tensor& tensor, double value) {
  constexpr int64_t kMaxLookedAt = 4096;
  if (tensor.elementCount() == 0 || tensor.elementCount() > kMaxLookedAt) return false;
  if (tensor.elementCount() == 1) return singleNumber(tensor) == value;
  if (const auto values = numbers(tensor))
    return std::ranges::all_of(*values, [&](double each) { return each == value; });
  const std::vector<int64_t> whole = integers(tensor);
  return !whole.empty() && std::ranges::all_of(whole, [&](int64_t each) { return static_cast<double>(each) == value; });
}

std::optional<std::vector<double>> numbers(const Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::kFloat:
      return copyNumbers<float>(tensor);
    case ElementType::kDouble:
      return copyNumbers<double>(tensor);
    case ElementType::kFloat16:
      return copyNumbers<Float16>(tensor);
    case ElementType::kBfloat16:
      return copyNumbers<Bfloat16>(tensor);
    default:
      return std::nullopt;
  }
}

Tensor tensorOf(ElementType type, std::span<const int64_t> dims, std::span<const double> values) {
  auto tensor = Tensor::create(type, dims);
  if (!tensor || tensor->elementCount() != static_cast<int64_t>(values.size())) return {};
  switch (type) {
    case ElementType::kFloat:
      fill<float>(*tensor, values);
      break;
    case ElementType::kDouble:
      fill<double>(*tensor, values);
      break;
    case ElementType::kFloat16:
      fill<Float16>(*tensor, values);
      break;
    case ElementType::kBfloat16:
      fill<Bfloat16>(*tensor, values);
      break;
    default:
      return {};
  }
  return *std::move(tensor);
}

}  // namespace cutaway::optimize
