#pragma once
// Elementwise functors over one, two and three operands, with broadcasting: index arithmetic and 16-byte access once,
// for every function of element_math.h.
//
// Work is counted in packs of `width` neighbours along the innermost merged axis; an operand's step along it is 1 or 0.
// Where rank is at most 1 the last pack may be short. Otherwise width divides the innermost axis. Who fills the block
// (providers/cuda/kernels/elementwise/element_plan.h) sees to that, and to 16-byte alignment. Thread rule: as shared.h.
// Example: ElementParameters<2> p{...};  forEach(Elements<2, AddFloat, float, float>{p}, p.packs, ...);

#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/element_pack.h"

namespace cutaway::cuda {

template <int operands>
struct ElementParameters {
  const void* from[operands] = {};
  void* to = nullptr;
  int64_t count = 0;       // elements
  int64_t packs = 0;       // indexes
  IndexMap<operands> map;  // innermost axis counted in packs when width > 1, and its strides in elements a pack
  int32_t step[operands] = {};
  int32_t width = 1;   // 1, or kPackOf<widest element>
  int32_t narrow = 0;  // all offsets fit 31 bits
  int32_t code = 0;    // which function, where a kernel has several
  int32_t flags = 0;
  double first = 0, second = 0;
  int64_t low = 0, high = 0;  // of integers (bits of uint64)
};

template <int operands>
CUTAWAY_SHARED void operandOffsets(const ElementParameters<operands>& p, int64_t index, int64_t (&result)[operands]) {
  if (p.narrow == 0) return p.map.offsets(index, result);
  uint32_t at32[operands];
  for (int o = 0; o < operands; ++o)
    at32[o] = 0;
  uint32_t rest = static_cast<uint32_t>(index);
  for (int axis = p.map.rank - 1; axis >= 0; --axis) {
    const uint32_t dim = static_cast<uint32_t>(p.map.dims[axis]);
    const uint32_t next = axis == 0 ? 0 : rest / dim;
    const uint32_t at = rest - next * dim;
    for (int o = 0; o < operands; ++o)
      at32[o] += at * static_cast<uint32_t>(p.map.strides[o][axis]);
    rest = next;
  }
  for (int o = 0; o < operands; ++o)
    result[o] = at32[o];
}

// Function: static To apply(A a, const P&), (A a, B b, const P&) or (A a, B b, C c, const P&).
template <typename Function, typename From, typename To>
struct OneElement {
  ElementParameters<1> p;
  CUTAWAY_SHARED void operator()(int64_t pack) const {
    constexpr int kWidth = sizeof(To) > sizeof(From) ? kPackOf<To> : kPackOf<From>;
    const int64_t first = pack * p.width;
    if (p.width == kWidth && first + kWidth <= p.count) {
      From x[kWidth];
      readPack(p.from[0], first, 1, x);
      ElementPack<To, kWidth> y;
      for (int i = 0; i < kWidth; ++i)
        y.at[i] = Function::apply(x[i], p);
      *reinterpret_cast<ElementPack<To, kWidth>*>(static_cast<To*>(p.to) + first) = y;
      return;
    }
    const int64_t end = first + p.width < p.count ? first + p.width : p.count;
    for (int64_t i = first; i < end; ++i)
      static_cast<To*>(p.to)[i] = Function::apply(static_cast<const From*>(p.from[0])[i], p);
  }
};

template <typename Function, typename From, typename To>
struct TwoElements {
  ElementParameters<2> p;
  CUTAWAY_SHARED void operator()(int64_t pack) const {
    constexpr int kWidth = sizeof(To) > sizeof(From) ? kPackOf<To> : kPackOf<From>;
    int64_t at[2];
    operandOffsets(p, pack, at);
    const int64_t first = pack * p.width;
    if (p.width == kWidth && first + kWidth <= p.count) {
      From a[kWidth], b[kWidth];
      readPack(p.from[0], at[0], p.step[0], a);
      readPack(p.from[1], at[1], p.step[1], b);
      ElementPack<To, kWidth> y;
      for (int i = 0; i < kWidth; ++i)
        y.at[i] = Function::apply(a[i], b[i], p);
      *reinterpret_cast<ElementPack<To, kWidth>*>(static_cast<To*>(p.to) + first) = y;
      return;
    }
    const int64_t end = first + p.width < p.count ? first + p.width : p.count;
    for (int64_t i = first; i < end; ++i) {
      const int64_t k = i - first;
      static_cast<To*>(p.to)[i] = Function::apply(static_cast<const From*>(p.from[0])[at[0] + k * p.step[0]],
                                                  static_cast<const From*>(p.from[1])[at[1] + k * p.step[1]], p);
    }
  }
};

// condition ? a : b; only the width of T matters.
template <typename T>
struct SelectElement {
  ElementParameters<3> p;
  CUTAWAY_SHARED void operator()(int64_t pack) const {
    constexpr int kWidth = kPackOf<T>;
    int64_t at[3];
    operandOffsets(p, pack, at);
    const int64_t first = pack * p.width;
    T* to = static_cast<T*>(p.to);
    if constexpr (kWidth > 1) {
      if (p.width == kWidth && first + kWidth <= p.count) {
        uint8_t condition[kWidth];
        T a[kWidth], b[kWidth];
        readPack(p.from[0], at[0], p.step[0], condition);
        readPack(p.from[1], at[1], p.step[1], a);
        readPack(p.from[2], at[2], p.step[2], b);
        ElementPack<T, kWidth> y;
        for (int i = 0; i < kWidth; ++i)
          y.at[i] = condition[i] != 0 ? a[i] : b[i];
        *reinterpret_cast<ElementPack<T, kWidth>*>(to + first) = y;
        return;
      }
    }
    const int64_t end = first + p.width < p.count ? first + p.width : p.count;
    for (int64_t i = first; i < end; ++i) {
      const int64_t k = i - first;
      const bool chosen = static_cast<const uint8_t*>(p.from[0])[at[0] + k * p.step[0]] != 0;
      to[i] = chosen ? static_cast<const T*>(p.from[1])[at[1] + k * p.step[1]]
                     : static_cast<const T*>(p.from[2])[at[2] + k * p.step[2]];
    }
  }
};
struct SixteenBytes {
  uint64_t low, high;
};

}  // namespace cutaway::cuda
