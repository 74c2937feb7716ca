#pragma once
// Moving words whose places follow strides: Transpose, Slice, Expand, Tile, Concat, Split, Pad, ReverseSequence; and
// filling.
//
// Strides and counts are in words; kernels/mover.h chooses the widest word that all of them allow.
// Thread rule: as shared.h. Example: Strided<uint32_t, uint32_t>{parameters}(7);

#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/word.h"

namespace cutaway::cuda {

struct StridedParameters {
  const void* from = nullptr;
  void* to = nullptr;
  int64_t count = 0;
  IndexMap<2> map;  // operand 0: from, 1: to
};

template <typename Word, typename Index>
struct Strided {
  StridedParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    int64_t at[2];
    offsetsOf(p.map, static_cast<Index>(i), at);
    static_cast<Word*>(p.to)[at[1]] = static_cast<const Word*>(p.from)[at[0]];
  }
};

// Matrices turned: `from` is dense along rows, `to` along columns. A square of kTurnTile goes through shared memory, so
// that both sides are read and written in whole lines; one more word a line keeps the columns in different banks. (The
// usual way; for example "An Efficient Matrix Transpose in CUDA C/C++", NVIDIA developer blog.)
inline constexpr int kTurnTile = 32;
struct TurnParameters {
  const void* from = nullptr;
  void* to = nullptr;
  int64_t rows = 0, columns = 0;
  int64_t fromColumn = 0;  // words from one column to the next in `from`
  int64_t toRow = 0;       // words from one row to the next in `to`
  int64_t rowTiles = 0, columnTiles = 0, matrices = 0;
  IndexMap<2> outer;  // the matrices
};

template <typename Word>
struct Turn {
  TurnParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const int64_t tiles = p.rowTiles * p.columnTiles;
    const int64_t matrix = number / tiles, tile = number - matrix * tiles;
    const int64_t firstRow = tile % p.rowTiles * kTurnTile, firstColumn = tile / p.rowTiles * kTurnTile;
    int64_t at[2];
    p.outer.offsets(matrix, at);
    const Word* from = static_cast<const Word*>(p.from) + at[0] + firstColumn * p.fromColumn + firstRow;
    Word* to = static_cast<Word*>(p.to) + at[1] + firstRow * p.toRow + firstColumn;
    const int rows = static_cast<int>(p.rows - firstRow < kTurnTile ? p.rows - firstRow : kTurnTile);
    const int columns = static_cast<int>(p.columns - firstColumn < kTurnTile ? p.columns - firstColumn : kTurnTile);
    Word* square = block.template shared<Word>();
    for (int i = block.thread(); i < kTurnTile * kTurnTile; i += block.threads()) {
      const int column = i / kTurnTile, row = i % kTurnTile;
      if (column < columns && row < rows) square[column * (kTurnTile + 1) + row] = from[column * p.fromColumn + row];
    }
    block.sync();
    for (int i = block.thread(); i < kTurnTile * kTurnTile; i += block.threads()) {
      const int row = i / kTurnTile, column = i % kTurnTile;
      if (column < columns && row < rows) to[row * p.toRow + column] = square[column * (kTurnTile + 1) + row];
    }
  }
};

// Rows of one whole laid beside each other from parts (Concat), or parted (Split), in one launch.
inline constexpr int kMaximumParts = 64;
struct PartsParameters {
  void* whole = nullptr;  // at the first part's place in its first row
  int64_t wholeRow = 0;   // words from one row of the whole to the next
  int64_t count = 0;      // words moved
  int32_t parts = 0;
  int32_t splits = 0;  // 1: from the whole to the parts
  int64_t starts[kMaximumParts + 1] = {};
  void* pointers[kMaximumParts] = {};  // nullptr: nobody wants it
};

template <typename Word, typename Index>
struct Parts {
  PartsParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const Index length = static_cast<Index>(p.starts[p.parts]);
    const Index row = static_cast<Index>(i) / length;
    const int64_t at = static_cast<int64_t>(static_cast<Index>(i) - row * length);
    int low = 0,
        high = p.parts - 1;  // the last part that starts at or before `at`; empty parts start where the next one does
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (p.starts[middle] <= at)
        low = middle;
      else
        high = middle - 1;
    }
    if (p.pointers[low] == nullptr) return;
    Word& part = static_cast<Word*>(
        p.pointers[low])[static_cast<int64_t>(row) * (p.starts[low + 1] - p.starts[low]) + at - p.starts[low]];
    Word& whole = static_cast<Word*>(p.whole)[static_cast<int64_t>(row) * p.wholeRow + at];
    if (p.splits != 0)
      part = whole;
    else
      whole = part;
  }
};

struct FillParameters {
  alignas(16) unsigned char value[16] = {};
  void* to = nullptr;
  int64_t count = 0;
  int64_t step = 1;
};

template <typename Word>
struct Fill {
  FillParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    static_cast<Word*>(p.to)[i * p.step] = *reinterpret_cast<const Word*>(p.value);
  }
};

enum class PadKind : int32_t { kConstant, kEdge, kReflect, kWrap };
struct PadParameters {
  alignas(16) unsigned char value[16] = {};
  const void* given = nullptr;  // the constant in device memory; nullptr: `value`
  const void* from = nullptr;
  void* to = nullptr;
  int64_t count = 0;
  PadKind kind = PadKind::kConstant;
  int32_t rank = 0;
  int64_t dims[kMaximumRank] = {};     // of the output
  int64_t lengths[kMaximumRank] = {};  // of the input
  int64_t begin[kMaximumRank] = {};
};

template <typename Word, typename Index>
struct Pad {
  PadParameters p;
  CUTAWAY_SHARED static int64_t shown(PadKind kind, int64_t place, int64_t n) {
    if (kind == PadKind::kEdge) return place < 0 ? 0 : place >= n ? n - 1 : place;
    if (n == 1) return 0;
    const int64_t period = kind == PadKind::kWrap ? n : 2 * (n - 1);
    int64_t folded = place % period;
    if (folded < 0) folded += period;
    return folded < n ? folded : period - folded;
  }
  CUTAWAY_SHARED void operator()(int64_t i) const {
    Index rest = static_cast<Index>(i);
    int64_t from = 0, stride = 1;
    bool inside = true;
    for (int axis = p.rank - 1; axis >= 0; --axis) {
      const Index extent = static_cast<Index>(p.dims[axis]);
      const Index next = rest / extent;
      int64_t place = static_cast<int64_t>(rest - next * extent) - p.begin[axis];
      rest = next;
      if (place < 0 || place >= p.lengths[axis]) {
        if (p.kind == PadKind::kConstant)
          inside = false;
        else
          place = shown(p.kind, place, p.lengths[axis]);
      }
      from += place * stride;
      stride *= p.lengths[axis];
    }
    Word& to = static_cast<Word*>(p.to)[i];
    if (inside)
      to = static_cast<const Word*>(p.from)[from];
    else
      to = p.given != nullptr ? *static_cast<const Word*>(p.given) : *reinterpret_cast<const Word*>(p.value);
  }
};

// The first lengths[entry] steps of every batch entry backwards.
struct ReverseParameters {
  const void* from = nullptr;
  void* to = nullptr;
  const int64_t* lengths = nullptr;
  int64_t count = 0;
  int64_t batch = 0, batchStride = 0;
  int64_t steps = 0, stepStride = 0;
  FaultPlace fault;
};

template <typename Word>
struct Reverse {
  ReverseParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t entry = i / p.batchStride % p.batch, step = i / p.stepStride % p.steps;
    const int64_t length = p.lengths[entry];
    if (length < 0 || length > p.steps) p.fault.report(length, p.steps + 1, entry);
    const bool turned = step < length && length <= p.steps;
    static_cast<Word*>(p.to)[i] =
        static_cast<const Word*>(p.from)[turned ? i + (length - 1 - 2 * step) * p.stepStride : i];
  }
};

// first, first + delta, ...: floats count in double, integers wrap.
struct RangeParameters {
  void* to = nullptr;
  int64_t count = 0;
  double first = 0, delta = 0;
  uint64_t wholeFirst = 0, wholeDelta = 0;
};

template <typename T>
struct IsWhole {
  static constexpr bool value = false;
};
template <>
struct IsWhole<int16_t> {
  static constexpr bool value = true;
};
template <>
struct IsWhole<int32_t> {
  static constexpr bool value = true;
};
template <>
struct IsWhole<int64_t> {
  static constexpr bool value = true;
};

template <typename T>
struct RangeOf {
  RangeParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    if constexpr (IsWhole<T>::value)
      static_cast<T*>(p.to)[i] = static_cast<T>(p.wholeFirst + p.wholeDelta * static_cast<uint64_t>(i));
    else
      static_cast<T*>(p.to)[i] = store<T>(static_cast<Compute<T>>(p.first + static_cast<double>(i) * p.delta));
  }
};

}  // namespace cutaway::cuda
