// Vectors of channels, and activations of them: what the loops of this folder share, compiled for each instruction set.
//
// No #pragma once: a file of loops reads itself again for every set of instructions, and this one with it. Include it
// behind highway.h. Thread rule: pure functions. Example: see pointwise_loops.cpp.

#if defined(CUTAWAY_ENGINE_MATH_CHANNEL_VECTORS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef CUTAWAY_ENGINE_MATH_CHANNEL_VECTORS_H
#undef CUTAWAY_ENGINE_MATH_CHANNEL_VECTORS_H
#else
#define CUTAWAY_ENGINE_MATH_CHANNEL_VECTORS_H
#endif

#include <limits>
#include <type_traits>

#include <hwy/highway.h>

#include "engine/math/activation.h"
#include "engine/math/channel_loops.h"
#include "engine/math/exp_vector.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// 1 / (1 + exp(-x)); below -87 it stays at what it is there, 1.6e-38.
template <size_t n>
HWY_INLINE void sigmoids(V (&x)[n]) {
  const D d;
  V e[n];
  for (size_t i = 0; i < n; ++i)
    e[i] = hn::Min(hn::Max(hn::Neg(x[i]), hn::Set(d, -87.0f)), hn::Set(d, 87.0f));
  boundedExps(e);
  for (size_t i = 0; i < n; ++i)
    e[i] = hn::Add(hn::Set(d, 1.0f), e[i]);
  boundedReciprocals(e);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::IfThenElse(hn::IsNaN(x[i]), x[i], e[i]);
}

// Lane by lane, for functions no model has behind its convolutions often enough to matter.
HWY_INLINE V activatedByLane(V x, const Activation& activation) {
  const D d;
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    lanes[i] = activation(lanes[i]);
  return hn::Load(d, lanes);
}

HWY_INLINE void activate(V* values, size_t count, const Activation& activation) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const V alpha = hn::Set(d, activation.alpha), beta = hn::Set(d, activation.beta);
  const auto each = [&](auto&& function) {
    for (size_t i = 0; i < count; ++i)
      values[i] = function(values[i]);
  };
  const auto several = [&](auto&& function) {
    constexpr int kTogether = 4;
    const int all = static_cast<int>(count);
    int i = 0;
    for (; i + kTogether <= all; i += kTogether)
      function(*reinterpret_cast<V(*)[kTogether]>(values + i));
    for (; i < all; ++i)
      function(*reinterpret_cast<V(*)[1]>(values + i));
  };
  const auto keepNan = [](V x, V y) { return hn::IfThenElse(hn::IsNaN(x), x, y); };
  switch (activation.kind) {
    case ActivationKind::kNone:
      return;
    case ActivationKind::kRelu:
      return each([&](V x) { return hn::IfThenElse(hn::Lt(x, zero), zero, x); });
    case ActivationKind::kLeakyRelu:
      return each([&](V x) { return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(alpha, x), x); });
    case ActivationKind::kClip:
      return each([&](V x) { return keepNan(x, hn::Min(hn::Max(x, alpha), beta)); });
    case ActivationKind::kSigmoid:
      return several([&](auto& x) { sigmoids(x); });
    case ActivationKind::kSwish:
      return several([&](auto& x) { gateThemselves(x, alpha, [](auto& share) { sigmoids(share); }); });
    case ActivationKind::kHardSwish:
      return each([&](V x) {
        const V gate = hn::MulAdd(x, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f));
        return hn::Mul(x, keepNan(x, hn::Min(hn::Max(gate, zero), one)));
      });
    case ActivationKind::kHardSigmoid:
      return each([&](V x) { return keepNan(x, hn::Min(hn::Max(hn::MulAdd(alpha, x, beta), zero), one)); });
    case ActivationKind::kTanh:
    case ActivationKind::kElu:
      return each([&](V x) { return activatedByLane(x, activation); });
  }
}

// What Relu and Clip are: NaN lies below and above nothing, and stays.
struct Clamp {
  float low = 0.0f, high = 0.0f;
  bool covers = false;  // the whole activation; another one follows when results are stored
};

HWY_INLINE Clamp clampOf(const Activation& activation) {
  if (activation.kind == ActivationKind::kRelu) return {0.0f, std::numeric_limits<float>::infinity(), true};
  if (activation.kind == ActivationKind::kClip) return {activation.alpha, activation.beta, true};
  return {};
}

HWY_INLINE V clamped(V x, V low, V high) {
#if HWY_TARGET <= HWY_AVX3
  const V raised = hn::IfThenElse(hn::Lt(x, low), low, x);
  return hn::IfThenElse(hn::Gt(raised, high), high, raised);
#else
  // Of these instructions, the second operand is the result where one is no number or both are zero.
  return V{_mm256_min_ps(high.raw, _mm256_max_ps(low.raw, x.raw))};
#endif
}

constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
// Accumulators of a product, beside one vector of weights for each column and one broadcast.
constexpr int64_t kPanelVectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

HWY_INLINE V value(float x) {
  return hn::Set(D(), x);
}

// Panels of a group share its vectors evenly: 5 are 3 + 2, not 4 + 1.
HWY_INLINE int64_t panelsOf(const ChannelGroup& group) {
  return (group.vectors + kPanelVectors - 1) / kPanelVectors;
}
HWY_INLINE int64_t panelStart(const ChannelGroup& group, int64_t panel) {
  return group.vectors * panel / panelsOf(group);
}

// The number of rows that fills the registers: 6 x 4, 8 x 3, 12 x 2 and 12 x 1 of 32; 6 x 2 and 8 x 1 of 16.
template <int vectors>
constexpr int mostRows() {
  if (kPanelVectors == 2) return vectors == 2 ? 6 : 8;
  return vectors == 4 ? 6 : vectors == 3 ? 8 : 12;
}

// Calls run with the number of rows as a constant: loops over them are unrolled.
template <int vectors, int rows = mostRows<vectors>(), typename Run>
HWY_INLINE void withRows(int64_t count, const Run& run) {
  if (count == rows) return run(std::integral_constant<int, rows>());
  if constexpr (rows > 1) withRows<vectors, rows - 1>(count, run);
}

// The same with the number of vectors of a panel.
template <int vectors = static_cast<int>(kPanelVectors), typename Run>
HWY_INLINE void withVectors(int64_t count, const Run& run) {
  if (count == vectors) return run(std::integral_constant<int, vectors>());
  if constexpr (vectors > 1) withVectors<vectors - 1>(count, run);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#endif
