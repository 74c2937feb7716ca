#pragma once
// Sizes and index arithmetic of elementwise kernels: the shape operands broadcast to, and the parameter block of
// functors/elementwise_functors.h filled for given tensors.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const Dims dims, broadcastDims({&a.dims(), &b.dims()}));  p.from[0] = ...;
// CUTAWAY_CHECK(planElements<2>(p, dims, {a.dims(), b.dims()}, {4, 4}, 4));

#include <array>
#include <initializer_list>
#include <span>

#include "engine/operators/broadcast.h"
#include "engine/tensor/tensor.h"
#include "providers/cuda/functors/elementwise_functors.h"
#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {

using operators::broadcastDims;

// As functors/elementwise_functors.h: kPackOf for an element of so many bytes.
constexpr int packOf(int64_t bytes) {
  return bytes <= 2 ? 8 : bytes >= 16 ? 1 : static_cast<int>(16 / bytes);
}

// What planElements works on, free of the number of operands.
struct ElementPlan {
  std::span<const void* const> from;
  const void* to = nullptr;
  std::span<const int64_t> bytes;  // of one element of each operand
  int64_t toBytes = 0;
  std::span<int64_t* const> strides;
  std::span<int32_t> step;
  int64_t* dims = nullptr;
  int32_t* rank = nullptr;
};
struct ElementCounts {
  int64_t count = 0, packs = 0;
  int32_t width = 1, narrow = 0;
};
ElementCounts countElements(const ElementPlan& plan, bool mayPack);

// p.from and p.to are set; fills the rest. mayPack: false for functors that take one element a thread.
template <int operands>
Result<void> planElements(ElementParameters<operands>& p, std::span<const int64_t> target,
                          const std::array<std::span<const int64_t>, operands>& dims,
                          const std::array<int64_t, operands>& bytes, int64_t toBytes, bool mayPack = true) {
  CUTAWAY_TRY(p.map, broadcastMap<operands>(target, dims));
  std::array<int64_t*, operands> strides{};
  for (int o = 0; o < operands; ++o)
    strides[static_cast<size_t>(o)] = p.map.strides[o];
  const ElementCounts counts = countElements({.from = p.from,
                                              .to = p.to,
                                              .bytes = bytes,
                                              .toBytes = toBytes,
                                              .strides = strides,
                                              .step = p.step,
                                              .dims = p.map.dims,
                                              .rank = &p.map.rank},
                                             mayPack);
  int64_t all = 1;
  for (const int64_t dim : target)
    all *= dim;
  p.count = all;
  p.packs = all == 0 ? 0 : counts.packs;
  p.width = counts.width;
  p.narrow = counts.narrow;
  return {};
}

}  // namespace cutaway::cuda
