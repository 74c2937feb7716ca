#pragma once
// Every element of a numeric tensor as a double, for statistics and comparisons.
//
// Thread rule: pure. Example: forEachNumber(tensor, [&](double number) { sum += number; });   // false: the type has no
// such numbers (strings, complex, sub-byte)

#include <cstdint>
#include <optional>

#include "engine/tensor/narrow_float.h"
#include "engine/tensor/tensor.h"

namespace cutaway {

namespace detail {

template <typename T, typename Visit>
bool visitNumbers(const Tensor& tensor, Visit& visit) {
  for (const T& element : tensor.span<T>()) {
    if constexpr (requires { element.toFloat(); }) {
      visit(static_cast<double>(element.toFloat()));
    } else {
      visit(static_cast<double>(element));
    }
  }
  return true;
}

}  // namespace detail

template <typename Visit>
bool forEachNumber(const Tensor& tensor, Visit&& visit) {
  switch (tensor.type()) {
    case ElementType::kFloat:
      return detail::visitNumbers<float>(tensor, visit);
    case ElementType::kDouble:
      return detail::visitNumbers<double>(tensor, visit);
    case ElementType::kFloat16:
      return detail::visitNumbers<Float16>(tensor, visit);
    case ElementType::kBfloat16:
      return detail::visitNumbers<Bfloat16>(tensor, visit);
    case ElementType::kInt8:
      return detail::visitNumbers<int8_t>(tensor, visit);
    case ElementType::kUint8:
      return detail::visitNumbers<uint8_t>(tensor, visit);
    case ElementType::kInt16:
      return detail::visitNumbers<int16_t>(tensor, visit);
    case ElementType::kUint16:
      return detail::visitNumbers<uint16_t>(tensor, visit);
    case ElementType::kInt32:
      return detail::visitNumbers<int32_t>(tensor, visit);
    case ElementType::kUint32:
      return detail::visitNumbers<uint32_t>(tensor, visit);
    case ElementType::kInt64:
      return detail::visitNumbers<int64_t>(tensor, visit);
    case ElementType::kUint64:
      return detail::visitNumbers<uint64_t>(tensor, visit);
    case ElementType::kBool:
      return detail::visitNumbers<bool>(tensor, visit);
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
      for (const uint8_t bits : tensor.span<uint8_t>())
        visit(static_cast<double>(narrowToFloat(tensor.type(), bits)));
      return true;
    default:
      return false;
  }
}

// The one element of a numeric tensor; nothing: it has none or several, or its type has no such numbers.
inline std::optional<double> singleNumber(const Tensor& tensor) {
  if (tensor.elementCount() != 1) return std::nullopt;
  double number = 0;
  return forEachNumber(tensor, [&](double each) { number = each; }) ? std::optional(number) : std::nullopt;
}

}  // namespace cutaway
