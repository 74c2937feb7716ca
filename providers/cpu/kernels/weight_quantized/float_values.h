#pragma once
// Whole tensors of any float type to floats and back, for kernels that compute in float over scratch memory.
//
// Thread rule: pure functions. Example: if (!widenTo(scales, memory)) return fail(...);

#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

// false: the tensor holds no floats.
inline bool widenTo(const Tensor& from, float* to) {
  return cpu::dispatchType(cpu::FloatTypes{}, from.type(), [&]<typename T>(cpu::TypeTag<T>) {
    const T* source = from.span<T>().data();
    const int64_t count = from.elementCount();
    if constexpr (cpu::isHalf<T>) {
      cpu::widenRun(source, to, count);
    } else {
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<float>(source[i]);
    }
  });
}

inline bool narrowTo(const float* from, Tensor& to) {
  return cpu::dispatchType(cpu::FloatTypes{}, to.type(), [&]<typename T>(cpu::TypeTag<T>) {
    if constexpr (cpu::isHalf<T>) {
      cpu::narrowRun(from, to.span<T>().data(), to.elementCount());
    } else {
      std::copy_n(from, to.elementCount(), to.span<T>().data());
    }
  });
}

}  // namespace cutaway::cpu
