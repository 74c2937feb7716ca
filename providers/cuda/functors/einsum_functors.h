#pragma once
// Einsum of one or two operands by its definition: a thread an output, which sums the products behind it.
//
// Thread rule: as shared.h. Example: see einsum_table.cpp.

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

struct EinsumParameters {
  const void* a = nullptr;
  const void* b = nullptr;  // nullptr: one operand
  void* y = nullptr;
  int64_t outputs = 0, terms = 1;
  IndexMap<2> kept;    // output -> where its first factors lie
  IndexMap<2> summed;  // term -> from there
};

// Whole numbers wrap; floats are summed in double over short runs.
template <typename C>
struct EinsumSums {
  using Part = uint64_t;
  using Total = uint64_t;
};
template <>
struct EinsumSums<float> {
  using Part = float;
  using Total = double;
};
template <>
struct EinsumSums<double> {
  using Part = double;
  using Total = double;
};

template <typename T>
struct Einsum {
  EinsumParameters p;
  CUTAWAY_SHARED void operator()(int64_t output) const {
    using Part = typename EinsumSums<Compute<T>>::Part;
    int64_t first[2];
    p.kept.offsets(output, first);
    const T *a = static_cast<const T*>(p.a) + first[0],
            *b = p.b == nullptr ? nullptr : static_cast<const T*>(p.b) + first[1];
    typename EinsumSums<Compute<T>>::Total total = 0;
    for (int64_t i = 0; i < p.terms;) {
      Part part = 0;
      for (int k = 0; k < kRun && i < p.terms; ++k, ++i) {
        int64_t offset[2] = {i * p.summed.strides[0][0], i * p.summed.strides[1][0]};
        if (p.summed.rank != 1) p.summed.offsets(i, offset);
        const Part value = static_cast<Part>(load(a[offset[0]]));
        part += b == nullptr ? value : value * static_cast<Part>(load(b[offset[1]]));
      }
      total += static_cast<typename EinsumSums<Compute<T>>::Total>(part);
    }
    static_cast<T*>(p.y)[output] = store<T>(static_cast<Compute<T>>(total));
  }

 private:
  static constexpr int kRun = 64;
};

}  // namespace cutaway::cuda
