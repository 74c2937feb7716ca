#pragma once
// Moves elements whose places follow strides: the one way behind Transpose, Slice, Expand, Tile, Concat and others.
// Chooses a copy, turned squares through shared memory, or words as wide as everything allows.
//
// Thread rule: prepare() once; then from several threads at once.
// Example: turning a 2x3 matrix of floats:
//   mover.move(call, 4, {.dims = Dims{3, 2}, .fromStrides = Dims{1, 3}, .toStrides = Dims{2, 1}}, from, to);

#include <array>

#include "engine/operators/strided_move.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {

using operators::StridedMove;

// The widest word (16, 8, 4, 2, 1 bytes) that divides all numbers given to it.
class WordWidth {
 public:
  WordWidth& fits(int64_t bytes) {
    m_bits |= static_cast<uint64_t>(bytes);
    return *this;
  }
  WordWidth& fits(const void* address) {
    m_bits |= reinterpret_cast<uintptr_t>(address);
    return *this;
  }
  int64_t bytes() const { return static_cast<int64_t>(m_bits & (~m_bits + 1)); }

 private:
  uint64_t m_bits = 16;
};

// One functor for every word size, by log2 of it.
class WordKernels {
 public:
  // stem: "move.fill".
  Result<void> prepare(const GpuResources& resources, std::string_view stem, std::string_view suffix = {});
  const DeviceKernel& operator[](int64_t wordBytes) const {
    return m_kernels[static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(wordBytes)))];
  }

 private:
  std::array<DeviceKernel, 5> m_kernels{};
};

class Mover {
 public:
  Result<void> prepare(const GpuResources& resources);
  // `from` and `to` point at the elements of index (0, 0, ...); they do not overlap. unitBytes: 1, 2, 4, 8 or 16.
  Result<void> move(GpuCall& call, int64_t unitBytes, const StridedMove& move, const void* from, void* to) const;
  // `count` times the element at `value`, which lies in host memory, `step` elements from one to the next.
  Result<void> fill(GpuCall& call, int64_t unitBytes, const void* value, void* to, int64_t count,
                    int64_t step = 1) const;

 private:
  struct Plan;
  Result<void> moveMerged(GpuCall& call, const Plan& plan, const void* from, void* to) const;
  Result<bool> turn(GpuCall& call, const Plan& plan, const void* from, void* to) const;

  WordKernels m_strided, m_stridedLong, m_turn, m_fill;
};

}  // namespace cutaway::cuda
