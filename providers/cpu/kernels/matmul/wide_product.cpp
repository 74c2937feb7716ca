// See wide_product.h. Compiled once per instruction set by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/matmul/wide_product.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/matmul/wide_product.h"

#include <algorithm>

#include <hwy/highway.h>

#include "engine/base/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kDepthBlock = 192;
constexpr int64_t kRowBlock = 96;
constexpr int64_t kRowsAtOnce = 8;

template <typename T>
constexpr int64_t kPanelLimit = 2 * HWY_MAX_BYTES / static_cast<int64_t>(sizeof(T));

template <typename V>
HWY_INLINE V multiplyAdd(V a, V b, V sum) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>())
    return hn::MulAdd(a, b, sum);
  else
    return hn::Add(hn::Mul(a, b), sum);
}

// Where one block of the product lies. B's rows hold a whole panel each.
template <typename T>
struct Block {
  const T* a;
  int64_t aRow, aDepth;  // steps
  const T* b;
  int64_t bRow;
  T* c;
  int64_t cRow;
  int64_t depth;
  bool adds;  // to what c holds
};

template <int rows, typename T>
HWY_INLINE void multiplyRows(const Block<T>& block) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V left[rows], right[rows];
  for (int r = 0; r < rows; ++r)
    left[r] = right[r] = hn::Zero(d);
  for (int64_t k = 0; k < block.depth; ++k) {
    const V first = hn::LoadU(d, block.b + k * block.bRow);
    const V second = hn::LoadU(d, block.b + k * block.bRow + lanes);
    for (int r = 0; r < rows; ++r) {
      const V factor = hn::Set(d, block.a[r * block.aRow + k * block.aDepth]);
      left[r] = multiplyAdd(factor, first, left[r]);
      right[r] = multiplyAdd(factor, second, right[r]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    T* target = block.c + r * block.cRow;
    if (block.adds) {
      left[r] = hn::Add(left[r], hn::LoadU(d, target));
      right[r] = hn::Add(right[r], hn::LoadU(d, target + lanes));
    }
    hn::StoreU(left[r], d, target);
    hn::StoreU(right[r], d, target + lanes);
  }
}

template <typename T>
void multiplyBlock(Block<T> block, int64_t rows) {
  const auto advance = [&](int64_t done) {
    block.a += done * block.aRow;
    block.c += done * block.cRow;
    rows -= done;
  };
  for (; rows >= kRowsAtOnce; advance(kRowsAtOnce))
    multiplyRows<kRowsAtOnce>(block);
  for (; rows >= 4; advance(4))
    multiplyRows<4>(block);
  for (; rows >= 1; advance(1))
    multiplyRows<1>(block);
}

// One panel of columns for a range of rows.
template <typename T>
void multiplyPanel(const ProductGeometry& g, const T* a, const T* b, T* c, int64_t rowBegin, int64_t rowEnd,
                   int64_t column, int64_t panel) {
  HWY_ALIGN T packed[kDepthBlock * kPanelLimit<T>];
  HWY_ALIGN T tile[kRowBlock * kPanelLimit<T>];
  const int64_t width = std::min(panel, g.columns - column);
  const bool whole = width == panel;
  // Few rows do not repay the packing.
  const bool packs = !whole || g.transposeB || rowEnd - rowBegin > 2 * kRowsAtOnce;
  for (int64_t k = 0; k < g.depth; k += kDepthBlock) {
    const int64_t depth = std::min(kDepthBlock, g.depth - k);
    if (packs) {
      for (int64_t i = 0; i < depth; ++i) {
        const T* source = g.transposeB ? b + column * g.rowStrideB + k + i : b + (k + i) * g.rowStrideB + column;
        const int64_t step = g.transposeB ? g.rowStrideB : 1;
        T* target = packed + i * panel;
        for (int64_t j = 0; j < width; ++j)
          target[j] = source[j * step];
        std::fill(target + width, target + panel, T(0));
      }
    }
    const T* source = g.transposeA ? a + k * g.rowStrideA + rowBegin : a + rowBegin * g.rowStrideA + k;
    const Block<T> block{.a = source,
                         .aRow = g.transposeA ? 1 : g.rowStrideA,
                         .aDepth = g.transposeA ? g.rowStrideA : 1,
                         .b = packs ? packed : b + k * g.rowStrideB + column,
                         .bRow = packs ? panel : g.rowStrideB,
                         .c = whole ? c + rowBegin * g.columns + column : tile,
                         .cRow = whole ? g.columns : panel,
                         .depth = depth,
                         .adds = k > 0};
    multiplyBlock(block, rowEnd - rowBegin);
  }
  if (whole) return;
  for (int64_t i = rowBegin; i < rowEnd; ++i)
    std::copy_n(tile + (i - rowBegin) * panel, width, c + i * g.columns + column);
}

template <typename T>
void multiplyOf(const ProductGeometry& g, const T* a, const T* b, T* c) {
  if (g.depth == 0) {
    std::fill_n(c, g.rows * g.columns, T(0));
    return;
  }
  const int64_t panel = 2 * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  const int64_t panels = (g.columns + panel - 1) / panel;
  const int64_t rowBlocks = (g.rows + kRowBlock - 1) / kRowBlock;
  const int64_t work = std::min(g.rows, kRowBlock) * panel * g.depth;
  parallelFor(panels * rowBlocks, std::max<int64_t>(1, (int64_t{1} << 16) / work), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t row = unit / panels * kRowBlock;
      multiplyPanel(g, a, b, c, row, std::min(g.rows, row + kRowBlock), unit % panels * panel, panel);
    }
  });
}

void multiplyDoubles(const ProductGeometry& g, const double* a, const double* b, double* c) {
  multiplyOf(g, a, b, c);
}
void multiplyWords(const ProductGeometry& g, const uint32_t* a, const uint32_t* b, uint32_t* c) {
  multiplyOf(g, a, b, c);
}
void multiplyLongWords(const ProductGeometry& g, const uint64_t* a, const uint64_t* b, uint64_t* c) {
  multiplyOf(g, a, b, c);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(multiplyDoubles);
HWY_EXPORT(multiplyWords);
HWY_EXPORT(multiplyLongWords);

template <>
void multiplyWide<double>(const ProductGeometry& geometry, const double* a, const double* b, double* c) {
  HWY_DYNAMIC_DISPATCH(multiplyDoubles)(geometry, a, b, c);
}
template <>
void multiplyWide<uint32_t>(const ProductGeometry& geometry, const uint32_t* a, const uint32_t* b, uint32_t* c) {
  HWY_DYNAMIC_DISPATCH(multiplyWords)(geometry, a, b, c);
}
template <>
void multiplyWide<uint64_t>(const ProductGeometry& geometry, const uint64_t* a, const uint64_t* b, uint64_t* c) {
  HWY_DYNAMIC_DISPATCH(multiplyLongWords)(geometry, a, b, c);
}
template <>
void multiplyWide<int32_t>(const ProductGeometry& geometry, const int32_t* a, const int32_t* b, int32_t* c) {
  multiplyWide<uint32_t>(geometry, reinterpret_cast<const uint32_t*>(a), reinterpret_cast<const uint32_t*>(b),
                         reinterpret_cast<uint32_t*>(c));
}
template <>
void multiplyWide<int64_t>(const ProductGeometry& geometry, const int64_t* a, const int64_t* b, int64_t* c) {
  multiplyWide<uint64_t>(geometry, reinterpret_cast<const uint64_t*>(a), reinterpret_cast<const uint64_t*>(b),
                         reinterpret_cast<uint64_t*>(c));
}

}  // namespace cutaway::cpu
#endif
