#include "providers/cpu/kernels/indexing/scatter_reduction.h"

#include <cmath>
#include <complex>

#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

template <typename T>
constexpr bool isComplexNumber = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <typename T>
auto widen(T value) {
  if constexpr (std::is_arithmetic_v<T> || isComplexNumber<T>)
    return value;
  else
    return value.toFloat();
}

template <typename T, typename Wide>
T narrow(Wide value) {
  if constexpr (std::is_arithmetic_v<T> || isComplexNumber<T>)
    return static_cast<T>(value);
  else
    return T::fromFloat(value);
}

// Not a number wins, as in the reference implementation's minimum and maximum.
template <typename Wide>
bool isNan(Wide value) {
  if constexpr (std::is_floating_point_v<Wide>)
    return std::isnan(value);
  else
    return false;
}

template <typename Wide>
Wide pick(ScatterReduction reduction, Wide old, Wide update) {
  if (isNan(old)) return old;
  if (reduction == ScatterReduction::kMinimum) return update < old || isNan(update) ? update : old;
  return update > old || isNan(update) ? update : old;
}

template <typename Wide>
Wide combine(ScatterReduction reduction, Wide old, Wide update) {
  // Unsigned arithmetic wraps where signed would be undefined.
  if constexpr (std::is_integral_v<Wide> && !std::is_same_v<Wide, bool>) {
    if (reduction == ScatterReduction::kAdd)
      return static_cast<Wide>(static_cast<uint64_t>(old) + static_cast<uint64_t>(update));
    if (reduction == ScatterReduction::kMultiply)
      return static_cast<Wide>(static_cast<uint64_t>(old) * static_cast<uint64_t>(update));
  } else {
    if (reduction == ScatterReduction::kAdd) return static_cast<Wide>(old + update);
    if (reduction == ScatterReduction::kMultiply) return static_cast<Wide>(old * update);
  }
  if constexpr (isComplexNumber<Wide>)
    return old;  // they have no order: refused before
  else
    return pick(reduction, old, update);
}

template <typename T>
Result<void> combineBlocks(ScatterReduction reduction, const void* updates, std::span<const int64_t> offsets,
                           int64_t blockElements, void* to) {
  const T* from = static_cast<const T*>(updates);
  for (const int64_t offset : offsets) {
    T* target = static_cast<T*>(to) + offset;
    for (int64_t i = 0; i < blockElements; ++i)
      target[i] = narrow<T>(combine(reduction, widen(target[i]), widen(from[i])));
    from += blockElements;
  }
  return {};
}

}  // namespace

Result<void> scatterInto(ElementType type, ScatterReduction reduction, const void* updates,
                         std::span<const int64_t> offsets, int64_t blockElements, void* to) {
  if (reduction == ScatterReduction::kNone) {
    scatterBlocks(type, updates, offsets, blockElements, to);
    return {};
  }
  const bool ordered = reduction == ScatterReduction::kMinimum || reduction == ScatterReduction::kMaximum;
  switch (type) {
    case ElementType::kComplex64:
    case ElementType::kComplex128:
      if (ordered) return fail(ErrorCode::kInvalidArgument, "complex numbers have no smallest or largest one");
      if (type == ElementType::kComplex64)
        return combineBlocks<std::complex<float>>(reduction, updates, offsets, blockElements, to);
      return combineBlocks<std::complex<double>>(reduction, updates, offsets, blockElements, to);
    case ElementType::kFloat:
      return combineBlocks<float>(reduction, updates, offsets, blockElements, to);
    case ElementType::kDouble:
      return combineBlocks<double>(reduction, updates, offsets, blockElements, to);
    case ElementType::kFloat16:
      return combineBlocks<Float16>(reduction, updates, offsets, blockElements, to);
    case ElementType::kBfloat16:
      return combineBlocks<Bfloat16>(reduction, updates, offsets, blockElements, to);
    case ElementType::kInt8:
      return combineBlocks<int8_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kUint8:
      return combineBlocks<uint8_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kInt16:
      return combineBlocks<int16_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kUint16:
      return combineBlocks<uint16_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kInt32:
      return combineBlocks<int32_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kUint32:
      return combineBlocks<uint32_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kInt64:
      return combineBlocks<int64_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kUint64:
      return combineBlocks<uint64_t>(reduction, updates, offsets, blockElements, to);
    case ElementType::kBool:
      return combineBlocks<bool>(reduction, updates, offsets, blockElements, to);
    default:
      return fail(ErrorCode::kNotImplemented, "elements of type {} cannot be combined by a scatter",
                  elementTypeName(type));
  }
}

}  // namespace cutaway::cpu
