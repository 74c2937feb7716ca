#pragma once
// From an element type at run time to a C++ type, over lists that every operator writes down.
//
// Thread rule: pure.
// Example:
//   using Types = TypeList<float, double, int32_t>;
//   static constexpr auto kTypes = elementTypes(Types{});                 // for a TypeRule
//   const bool known = dispatchType(Types{}, tensor.type(), [&]<typename T>(TypeTag<T>) { fill<T>(tensor); });

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

template <typename... Ts>
struct TypeList {};

template <typename T>
struct TypeTag {
  using Type = T;
};

template <typename First, typename... Rest>
struct JoinTypes {
  using Type = First;
};
template <typename... Ts, typename... Us, typename... Rest>
struct JoinTypes<TypeList<Ts...>, TypeList<Us...>, Rest...> : JoinTypes<TypeList<Ts..., Us...>, Rest...> {};
template <typename... Lists>
using Join = typename JoinTypes<Lists...>::Type;

using WideFloats = TypeList<float, double>;
using HalfFloats = TypeList<Float16, Bfloat16>;
using FloatTypes = Join<WideFloats, HalfFloats>;
using SignedIntegers = TypeList<int8_t, int16_t, int32_t, int64_t>;
using UnsignedIntegers = TypeList<uint8_t, uint16_t, uint32_t, uint64_t>;
using IntegerTypes = Join<SignedIntegers, UnsignedIntegers>;
using NumericTypes = Join<IntegerTypes, FloatTypes>;

template <typename... Ts>
constexpr std::array<ElementType, sizeof...(Ts)> elementTypes(TypeList<Ts...>) {
  return {ElementTypeOf<Ts>::value...};
}

// Calls visit(TypeTag<T>{}) for the T of the list that stores `type`; false when the list has none.
template <typename... Ts, typename Visit>
bool dispatchType(TypeList<Ts...>, ElementType type, Visit&& visit) {
  return ((ElementTypeOf<Ts>::value == type ? (visit(TypeTag<Ts>{}), true) : false) || ...);
}

template <typename T>
inline constexpr bool isHalf = std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>;

// What arithmetic on T runs in: halves widen to float, everything else stays.
template <typename T>
using Computed = std::conditional_t<isHalf<T>, float, T>;

template <typename T>
Computed<T> widen(T value) {
  if constexpr (isHalf<T>) {
    return value.toFloat();
  } else {
    return value;
  }
}

template <typename T>
T narrow(Computed<T> value) {
  if constexpr (isHalf<T>) {
    return T::fromFloat(value);
  } else {
    return value;
  }
}

// Runs of halves to float and back.
template <typename T>
void widenRun(const T* from, float* to, int64_t count) {
  if constexpr (std::is_same_v<T, Float16>) {
    halfToFloat(from, to, count);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i].toFloat();
  }
}

template <typename T>
void narrowRun(const float* from, T* to, int64_t count) {
  if constexpr (std::is_same_v<T, Float16>) {
    floatToHalf(from, to, count);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = T::fromFloat(from[i]);
  }
}

// Elements converted at a time where a kernel works on halves through float.
inline constexpr int64_t kConversionRun = 256;

}  // namespace cutaway::cpu
