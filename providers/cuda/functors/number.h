#pragma once
// Numbers of functors: 16-bit floats with their arithmetic in float, and the few functions of <cmath> that host and
// device both have.
//
// Half and Brain are bit-compatible with Float16 and Bfloat16. Arithmetic happens in Compute<T>; load() and store()
// convert. Thread rule: pure. Example: const float x = load(in[i]);  out[i] = store<Half>(x * 2);

#include "providers/cuda/functors/shared.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
#include <cmath>

#include "engine/tensor/narrow_float.h"
#endif

namespace cutaway::cuda {

struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

template <typename T>
struct ComputeOf {
  using type = T;
};
template <>
struct ComputeOf<Half> {
  using type = float;
};
template <>
struct ComputeOf<Brain> {
  using type = float;
};
template <typename T>
using Compute = typename ComputeOf<T>::type;

template <typename T>
CUTAWAY_SHARED Compute<T> load(T value) {
  return value;
}
template <typename T>
CUTAWAY_SHARED T store(Compute<T> value) {
  return value;
}

#ifdef __CUDACC__
template <>
CUTAWAY_SHARED float load<Half>(Half value) {
  __half h;
  __builtin_memcpy(&h, &value, 2);
  return __half2float(h);
}
template <>
CUTAWAY_SHARED float load<Brain>(Brain value) {
  __nv_bfloat16 b;
  __builtin_memcpy(&b, &value, 2);
  return __bfloat162float(b);
}
template <>
CUTAWAY_SHARED Half store<Half>(float value) {
  const __half h = __float2half_rn(value);
  Half r;
  __builtin_memcpy(&r, &h, 2);
  return r;
}
template <>
CUTAWAY_SHARED Brain store<Brain>(float value) {
  const __nv_bfloat16 b = __float2bfloat16_rn(value);
  Brain r;
  __builtin_memcpy(&r, &b, 2);
  return r;
}
#else
template <>
CUTAWAY_SHARED float load<Half>(Half value) {
  return Float16{value.bits}.toFloat();
}
template <>
CUTAWAY_SHARED float load<Brain>(Brain value) {
  return Bfloat16{value.bits}.toFloat();
}
template <>
CUTAWAY_SHARED Half store<Half>(float value) {
  return Half{Float16::fromFloat(value).bits};
}
template <>
CUTAWAY_SHARED Brain store<Brain>(float value) {
  return Brain{Bfloat16::fromFloat(value).bits};
}
#endif

// The name a type has in kernel names: "unary.relu.half".
template <typename T>
struct NameOf;
template <>
struct NameOf<float> {
  static constexpr const char* value = "float";
};
template <>
struct NameOf<double> {
  static constexpr const char* value = "double";
};
template <>
struct NameOf<Half> {
  static constexpr const char* value = "half";
};
template <>
struct NameOf<Brain> {
  static constexpr const char* value = "brain";
};
template <>
struct NameOf<bool> {
  static constexpr const char* value = "bool";
};
template <>
struct NameOf<int8_t> {
  static constexpr const char* value = "int8";
};
template <>
struct NameOf<uint8_t> {
  static constexpr const char* value = "uint8";
};
template <>
struct NameOf<int16_t> {
  static constexpr const char* value = "int16";
};
template <>
struct NameOf<uint16_t> {
  static constexpr const char* value = "uint16";
};
template <>
struct NameOf<int32_t> {
  static constexpr const char* value = "int32";
};
template <>
struct NameOf<uint32_t> {
  static constexpr const char* value = "uint32";
};
template <>
struct NameOf<int64_t> {
  static constexpr const char* value = "int64";
};
template <>
struct NameOf<uint64_t> {
  static constexpr const char* value = "uint64";
};

}  // namespace cutaway::cuda
