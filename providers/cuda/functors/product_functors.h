#pragma once
// Matrix products without a library: any strides and any broadcast batch, one thread per result (plain), products with
// a vector by blocks (dot), and what follows a product (finish).
//
// The tiled product of the gemm family serves large dense floats; these serve integers, odd shapes and vectors.
// Thread rule: as shared.h.
// Example: ProductParameters p{.a = a, .b = b, .y = y, .m = 3, .n = 4, .k = 5, .rowA = 5, .stepA = 1, .stepB = 4,
// .columnB = 1, .count = 12};  Product<float>{p}(7);

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

// Numbers of Activation (backend/operations.h) up to kElu, and those that only FusedGemm knows.
enum class FinishKind : int32_t {
  kNone,
  kRelu,
  kClip,
  kLeakyRelu,
  kSigmoid,
  kTanh,
  kHardSigmoid,
  kHardSwish,
  kGeluErf,
  kGeluTanh,
  kSilu,
  kElu,
  kSoftplus,
  kSoftsign,
  kCelu,
  kThresholdedRelu,
  kSelu
};

CUTAWAY_SHARED float exponential(float x) {
  return expf(x);
}
CUTAWAY_SHARED double exponential(double x) {
  return exp(x);
}
CUTAWAY_SHARED float tangent(float x) {
  return tanhf(x);
}
CUTAWAY_SHARED double tangent(double x) {
  return tanh(x);
}
CUTAWAY_SHARED float errorFunction(float x) {
  return erff(x);
}
CUTAWAY_SHARED double errorFunction(double x) {
  return erf(x);
}
CUTAWAY_SHARED float logarithmOnePlus(float x) {
  return log1pf(x);
}
CUTAWAY_SHARED double logarithmOnePlus(double x) {
  return log1p(x);
}

template <typename C>
CUTAWAY_SHARED C sigmoidOf(C x) {
  return C(1) / (C(1) + exponential(-x));
}

template <typename C>
CUTAWAY_SHARED C finished(FinishKind kind, C x, C first, C second) {
  switch (kind) {
    case FinishKind::kNone:
      return x;
    case FinishKind::kRelu:
      return x > C(0) || x != x ? x : C(0);
    case FinishKind::kClip:
      return x < first ? first : (x > second ? second : x);
    case FinishKind::kLeakyRelu:
      return x < C(0) ? first * x : x;
    case FinishKind::kSigmoid:
      return sigmoidOf(x);
    case FinishKind::kTanh:
      return tangent(x);
    case FinishKind::kHardSigmoid: {
      const C y = first * x + second;
      return y < C(0) ? C(0) : (y > C(1) ? C(1) : y);
    }
    case FinishKind::kHardSwish: {
      const C y = x / C(6) + C(0.5);
      return x * (y < C(0) ? C(0) : (y > C(1) ? C(1) : y));
    }
    case FinishKind::kGeluErf:
      return C(0.5) * x * (C(1) + errorFunction(x * C(0.70710678118654752)));
    case FinishKind::kGeluTanh:
      return C(0.5) * x * (C(1) + tangent(C(0.79788456080286536) * (x + C(0.044715) * x * x * x)));
    case FinishKind::kSilu:
      return x * sigmoidOf(x);
    case FinishKind::kElu:
      return x < C(0) ? first * (exponential(x) - C(1)) : x;
    case FinishKind::kSoftplus:
      return x > C(0) ? x + logarithmOnePlus(exponential(-x)) : logarithmOnePlus(exponential(x));
    case FinishKind::kSoftsign:
      return x / (C(1) + (x < C(0) ? -x : x));
    case FinishKind::kCelu:
      return x < C(0) ? first * (exponential(x / first) - C(1)) : x;
    case FinishKind::kThresholdedRelu:
      return x > first ? x : C(0);
    case FinishKind::kSelu:
      return x > C(0) ? second * x : second * first * (exponential(x) - C(1));
  }
  return x;
}

// y = outer * f(inner * (value + scale * addend[row * addendRow + column * addendColumn] + residual[i])).
struct FinishParameters {
  void* y = nullptr;
  const void* addend = nullptr;    // may be absent
  const void* residual = nullptr;  // may be absent
  int64_t columns = 1, rows = 1;   // rows: of one matrix; an addend is the same for every matrix
  int64_t addendRow = 0, addendColumn = 0;
  int64_t count = 0;
  float scale = 1;
  FinishKind kind = FinishKind::kNone;
  float first = 0, second = 0, inner = 1, outer = 1;
};

template <typename T>
CUTAWAY_SHARED Compute<T> finishOne(const FinishParameters& p, Compute<T> value, int64_t index) {
  using C = Compute<T>;
  if (p.addend != nullptr) {
    const int64_t all = index / p.columns, column = index - all * p.columns, row = p.addendRow == 0 ? 0 : all % p.rows;
    const C addend = load(static_cast<const T*>(p.addend)[row * p.addendRow + column * p.addendColumn]);
    value += p.scale == 1.0f ? addend : static_cast<C>(p.scale * addend);
  }
  if (p.residual != nullptr) value += load(static_cast<const T*>(p.residual)[index]);
  if constexpr (static_cast<C>(0.5f) != static_cast<C>(0)) {
    if (p.kind != FinishKind::kNone || p.inner != 1.0f || p.outer != 1.0f)
      value = C(p.outer) * finished<C>(p.kind, C(p.inner) * value, C(p.first), C(p.second));
  }
  return value;
}

// What follows a product of the library, in place.
template <typename T>
struct Finish {
  FinishParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    T* y = static_cast<T*>(p.y);
    y[index] = store<T>(finishOne<T>(p, load(y[index]), index));
  }
};

// y[batch, m, n] dense. Element (i, d) of A lies at i * rowA + d * stepA, element (d, j) of B at d * stepB + j *
// columnB, each from where `batch` says that its matrix begins.
struct ProductParameters {
  const void* a = nullptr;
  const void* b = nullptr;
  void* y = nullptr;
  int64_t m = 0, n = 0, k = 0;
  int64_t rowA = 0, stepA = 1, stepB = 0, columnB = 1;
  IndexMap<2> batch;
  int64_t count = 0;  // all elements of y
  float alpha = 1;
  FinishParameters finish;
};

// What sums are kept in: integers wrap as unsigned do.
template <typename T>
struct SumOf {
  using type = Compute<T>;
};
template <>
struct SumOf<int32_t> {
  using type = uint32_t;
};
template <>
struct SumOf<int64_t> {
  using type = uint64_t;
};

template <typename T>
struct Product {
  ProductParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using Sum = typename SumOf<T>::type;
    const int64_t row = index / p.n, j = index - row * p.n;
    const int64_t pair = row / p.m, i = row - pair * p.m;
    int64_t at[2];
    p.batch.offsets(pair, at);
    const T* a = static_cast<const T*>(p.a) + at[0] + i * p.rowA;
    const T* b = static_cast<const T*>(p.b) + at[1] + j * p.columnB;
    Sum sum = 0;
    for (int64_t d = 0; d < p.k; ++d)
      sum += static_cast<Sum>(load(a[d * p.stepA])) * static_cast<Sum>(load(b[d * p.stepB]));
    auto value = static_cast<Compute<T>>(sum);
    if (p.alpha != 1.0f) value = static_cast<Compute<T>>(p.alpha * value);
    static_cast<T*>(p.y)[index] = store<T>(finishOne<T>(p.finish, value, index));
  }
};

// One block, one result: for m or n of 1, where both operands lie contiguous along the depth (stepA and stepB 1).
// Sixteen bytes at a time where both rows allow it.
template <typename T>
struct DotProduct {
  ProductParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t index) const {
    using Sum = Compute<T>;
    const int64_t row = index / p.n, j = index - row * p.n;
    const int64_t pair = row / p.m, i = row - pair * p.m;
    int64_t at[2];
    p.batch.offsets(pair, at);
    const T* a = static_cast<const T*>(p.a) + at[0] + i * p.rowA;
    const T* b = static_cast<const T*>(p.b) + at[1] + j * p.columnB;
    constexpr int kWide = 16 / static_cast<int>(sizeof(T));
    struct alignas(16) Wide {
      T values[kWide];
    };
    Sum sum = 0;
    if (((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) & 15) == 0) {
      const int64_t wides = p.k / kWide;
      for (int64_t w = block.thread(); w < wides; w += block.threads()) {
        const Wide left = reinterpret_cast<const Wide*>(a)[w], right = reinterpret_cast<const Wide*>(b)[w];
        for (int e = 0; e < kWide; ++e)
          sum += load(left.values[e]) * load(right.values[e]);
      }
      for (int64_t d = wides * kWide + block.thread(); d < p.k; d += block.threads())
        sum += load(a[d]) * load(b[d]);
    } else {
      for (int64_t d = block.thread(); d < p.k; d += block.threads())
        sum += load(a[d]) * load(b[d]);
    }
    sum = block.sum(sum);
    if (block.thread() == 0)
      static_cast<T*>(p.y)[index] = store<T>(finishOne<T>(p.finish, static_cast<Sum>(p.alpha) * sum, index));
  }
};

}  // namespace cutaway::cuda
