#pragma once
// numpy broadcasting for two or three operands: one plan, walked in runs along the innermost axis.
//
// Neighbouring axes that every operand walks alike are merged, so that same-shape operands, a scalar, a row or a
// channel operand all become few long runs. Along a run an operand's step is 1 or 0. A plan lives on the stack; making
// one costs no heap memory. Thread rule: plans are plain values; forEachRun splits runs over threads. Example:
//   CUTAWAY_TRY(const Dims dims, broadcastDims({&a.dims(), &b.dims()}));
//   CUTAWAY_TRY(const BroadcastPlan plan, BroadcastPlan::make({&a.dims(), &b.dims()}, dims));
//   forEachRun(plan, 32768, [&](int64_t at, const int64_t* offsets, int64_t count) { loop(a + offsets[0], b +
//   offsets[1], y + at, count, plan.step(0), plan.step(1)); });

#include <algorithm>
#include <array>
#include <initializer_list>

#include "engine/base/parallel.h"
#include "engine/base/result.h"
#include "engine/operators/broadcast.h"
#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

using operators::broadcastDims;

struct BroadcastPlan {
  static constexpr int kMaxOperands = 3;
  static constexpr int kMaxAxes = 16;  // after merging

  int axes = 1;  // at least one, the innermost last
  int operands = 0;
  int64_t count = 0;
  std::array<int64_t, kMaxAxes> extents{};
  std::array<std::array<int64_t, kMaxAxes>, kMaxOperands> strides{};

  int step(int operand) const {
    return static_cast<int>(strides[static_cast<size_t>(operand)][static_cast<size_t>(axes - 1)]);
  }

  // Every operand must broadcast to outputDims. NOT_IMPLEMENTED when more than kMaxAxes axes remain.
  static Result<BroadcastPlan> make(std::span<const Dims* const> operands, const Dims& outputDims);
  static Result<BroadcastPlan> make(std::initializer_list<const Dims*> operands, const Dims& outputDims) {
    return make(std::span<const Dims* const>(operands.begin(), operands.size()), outputDims);
  }
};

// Walks [begin, end) of the output in runs; see forEachRun.
template <typename Body>
void walkRuns(const BroadcastPlan& plan, int64_t begin, int64_t end, Body& body) {
  const int inner = plan.axes - 1;
  std::array<int64_t, BroadcastPlan::kMaxAxes> at{};
  std::array<int64_t, BroadcastPlan::kMaxOperands> offsets{};
  int64_t rest = begin;
  for (int axis = inner; axis >= 0; --axis) {
    at[axis] = rest % plan.extents[axis];
    rest /= plan.extents[axis];
    for (int k = 0; k < plan.operands; ++k)
      offsets[k] += at[axis] * plan.strides[k][axis];
  }
  while (begin < end) {
    const int64_t length = std::min(plan.extents[inner] - at[inner], end - begin);
    body(begin, static_cast<const int64_t*>(offsets.data()), length);
    begin += length;
    for (int k = 0; k < plan.operands; ++k)
      offsets[k] -= at[inner] * plan.strides[k][inner];
    at[inner] = 0;
    for (int axis = inner - 1; axis >= 0; --axis) {
      for (int k = 0; k < plan.operands; ++k)
        offsets[k] += plan.strides[k][axis];
      if (++at[axis] < plan.extents[axis]) break;
      for (int k = 0; k < plan.operands; ++k)
        offsets[k] -= plan.extents[axis] * plan.strides[k][axis];
      at[axis] = 0;
    }
  }
}

// body(output offset, operand offsets, length), on disjoint runs that cover the output; offsets and lengths in
// elements. Runs inside one thread come in order.
template <typename Body>
void forEachRun(const BroadcastPlan& plan, int64_t grain, Body&& body) {
  parallelFor(plan.count, grain, [&](int64_t begin, int64_t end) { walkRuns(plan, begin, end, body); });
}

}  // namespace cutaway::cpu
