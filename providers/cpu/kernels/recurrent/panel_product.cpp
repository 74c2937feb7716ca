// The loops of panel_product.h, compiled once per instruction set by Highway: each keeps a block of rows by one panel
// in registers while it walks along the depth.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/recurrent/panel_product.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/recurrent/panel_product.h"

#include <algorithm>

#include <hwy/highway.h>

#include "engine/base/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

int64_t lanesHere() {
  return static_cast<int64_t>(hn::Lanes(D()));
}

// `unroll` separate sums keep the multiply-add units busy when there are few rows.
template <int rows, int vectors, int unroll>
HWY_NOINLINE void block(const PanelProduct& product, const float* panel, int64_t row, int64_t column) {
  const D d;
  const int64_t lanes = lanesHere(), width = lanes * vectors, depth = product.depth, strideA = product.strideA;
  const float* a = product.a + row * strideA;
  V sums[unroll][rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      sums[0][r][v] = hn::LoadU(d, product.start + (row + r) * product.strideStart + column + v * lanes);
#pragma GCC unroll 4
      for (int u = 1; u < unroll; ++u)
        sums[u][r][v] = hn::Zero(d);
    }
  }
  int64_t k = 0;
  for (; k + unroll <= depth; k += unroll) {
#pragma GCC unroll 4
    for (int u = 0; u < unroll; ++u) {
      V b[vectors];
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v)
        b[v] = hn::LoadU(d, panel + (k + u) * width + v * lanes);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        const V factor = hn::Set(d, a[r * strideA + k + u]);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v)
          sums[u][r][v] = hn::MulAdd(factor, b[v], sums[u][r][v]);
      }
    }
  }
  for (; k < depth; ++k) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v)
        sums[0][r][v] =
            hn::MulAdd(hn::Set(d, a[r * strideA + k]), hn::LoadU(d, panel + k * width + v * lanes), sums[0][r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
      for (int u = 1; u < unroll; ++u)
        sums[0][r][v] = hn::Add(sums[0][r][v], sums[u][r][v]);
      hn::StoreU(sums[0][r][v], d, product.out + (row + r) * product.strideOut + column + v * lanes);
    }
  }
}

template <int vectors>
void panelRows(const PanelProduct& product, const float* panel, int64_t column) {
  // Eight rows of two vectors fill the registers of AVX-512, four those of AVX2.
  constexpr int kMost = HWY_MAX_BYTES >= 64 ? 8 : 4;
  int64_t row = 0;
  for (; row + kMost <= product.rows; row += kMost)
    block<kMost, vectors, 1>(product, panel, row, column);
  if (kMost > 4 && row + 4 <= product.rows) {
    block<4, vectors, 1>(product, panel, row, column);
    row += 4;
  }
  if (row + 2 <= product.rows) {
    block<2, vectors, 2>(product, panel, row, column);
    row += 2;
  }
  if (row < product.rows) block<1, vectors, 4>(product, panel, row, column);
}

void panelRange(const PanelProduct& product, int64_t begin, int64_t end) {
  const int64_t lanes = lanesHere(), width = 2 * lanes;
  for (int64_t panel = begin; panel < end; ++panel) {
    const int64_t column = panel * width;
    const float* packed = product.panels + column * product.depth;
    if (column + width <= product.columns)
      panelRows<2>(product, packed, column);
    else
      panelRows<1>(product, packed, column);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(lanesHere);
HWY_EXPORT(panelRange);

// Multiply-adds below which another thread costs more than it saves: a step of a single row waits for all of them.
static constexpr int64_t kWorkPerThread = int64_t{1} << 18;

int64_t panelLanes() {
  return HWY_DYNAMIC_DISPATCH(lanesHere)();
}

void multiplyPanels(const PanelProduct& product) {
  const int64_t width = 2 * panelLanes(), panels = (product.columns + width - 1) / width;
  const int64_t work = std::max<int64_t>(1, product.rows * width * std::max<int64_t>(product.depth, 1));
  parallelFor(panels, std::max<int64_t>(1, kWorkPerThread / work),
              [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(panelRange)(product, begin, end); });
}

// A few numbers of each row at a time: what they are written to stays in the nearest cache until all rows have been.
static void packPanel(const PanelSource& source, int64_t column, int64_t width, float* to) {
  constexpr int64_t kTogether = 16;
  const auto [rows, stride, gates, units, paddedUnits, depth] = source;
  for (int64_t first = 0; first < depth; first += kTogether) {
    const int64_t last = std::min(first + kTogether, depth);
    for (int64_t lane = 0; lane < width; ++lane) {
      const int64_t gate = (column + lane) / paddedUnits, unit = (column + lane) % paddedUnits;
      const float* from = unit < units ? rows + (gate * units + unit) * stride : nullptr;
      for (int64_t k = first; k < last; ++k)
        to[k * width + lane] = from != nullptr ? from[k] : 0.0f;
    }
  }
}

void packPanels(const PanelSource& source, float* panels) {
  constexpr int64_t kFloatsPerThread = int64_t{1} << 15;
  const int64_t columns = source.gates * source.paddedUnits, most = 2 * panelLanes();
  const int64_t grain = std::max<int64_t>(1, kFloatsPerThread / (most * std::max<int64_t>(source.depth, 1)));
  parallelFor((columns + most - 1) / most, grain, [&](int64_t begin, int64_t end) {
    for (int64_t column = begin * most; column < std::min(end * most, columns); column += most)
      packPanel(source, column, std::min(most, columns - column), panels + column * source.depth);
  });
}

}  // namespace cutaway::cpu
#endif
