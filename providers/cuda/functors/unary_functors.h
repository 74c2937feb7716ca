#pragma once
// One value in, one out: y[i] = f(x[i]).
//
// Thread rule: as shared.h. Example: Unary<Relu, float>{parameters}(7);

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

struct UnaryParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t count = 0;
  float first = 0, second = 0;  // alpha, beta; low, high
};

struct Relu {
  template <typename C> CUTAWAY_SHARED static C apply(C x, const UnaryParameters&) { return x > C(0) || x != x ? x : C(0); }
};

template <typename Function, typename T>
struct Unary {
  UnaryParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const { static_cast<T*>(p.y)[i] = store<T>(Function::apply(load(static_cast<const T*>(p.x)[i]), p)); }
};

}  // namespace cutaway::cuda
