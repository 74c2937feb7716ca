#pragma once
// Moving elements whose positions follow strides: the one loop behind Transpose, Slice, Expand, Tile, Concat, Split,
// Pad and others.
//
// Elements are moved by size, not by type; strings are assigned. Sub-byte types must be unpacked first (sub_byte.h).
// Thread rule: pure functions over the given memory; large moves are split over the calling thread's share.
// Example: transposing a 2x3 matrix of floats:
//   moveStrided(ElementType::kFloat, {.dims = Dims{3, 2}, .fromStrides = Dims{1, 3}, .toStrides = Dims{2, 1}}, from,
//   to);

#include <cstdint>
#include <span>

#include "engine/operators/dims.h"
#include "engine/operators/strided_move.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

using operators::StridedMove;

// `from` and `to` point at the elements of index (0, 0, ...). The two must not overlap.
void moveStrided(ElementType type, const StridedMove& move, const void* from, void* to);

using operators::rowMajorStrides;

// `count` neighbouring elements. Sub-byte types too, when both ends start at a byte.
void moveElements(ElementType type, const void* from, void* to, int64_t count);

// `count` copies of the element at `value`.
void fillElements(ElementType type, const void* value, void* to, int64_t count);

// Block i of the output is the block of `blockElements` elements that starts at element offsets[i] of the input; and
// the reverse, blocks in order (the last writer of a place wins).
void gatherBlocks(ElementType type, const void* from, std::span<const int64_t> offsets, int64_t blockElements,
                  void* to);
void scatterBlocks(ElementType type, const void* from, std::span<const int64_t> offsets, int64_t blockElements,
                   void* to);

// Output 0 gets the elements of `data` under other dims of the same count. Nothing is moved when the plan has put the
// output into the input's buffer.
Result<void> copyReshaped(KernelContext& context, const Tensor& data, std::span<const int64_t> dims);

// Bytes of one element; strings sizeof(std::string). 0 for sub-byte types.
int64_t elementBytes(ElementType type);

// The address of an element of a type that fills whole bytes.
inline const void* elementAt(ElementType type, const void* data, int64_t index) {
  return static_cast<const std::byte*>(data) + index * elementBytes(type);
}
inline void* elementAt(ElementType type, void* data, int64_t index) {
  return static_cast<std::byte*>(data) + index * elementBytes(type);
}

}  // namespace cutaway::cpu
