// CumSum and CumProd along an axis that is an input; inclusive or exclusive, forwards or in reverse. Halves are summed
// in float, integers wrap.

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/operators/integer_list.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

using Types = Join<FloatTypes, TypeList<int32_t, int64_t, uint32_t, uint64_t>>;
constexpr auto kTypes = elementTypes(Types{});
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};
constexpr int kAxisInput[] = {1};

struct Scan {
  int64_t extent;
  int64_t inner;
  bool exclusive;
  bool reverse;
};

template <typename Op, typename T>
void scanLine(const T* x, T* y, const Scan& scan, Computed<T> start) {
  Computed<T> total = start;
  for (int64_t i = 0; i < scan.extent; ++i) {
    const int64_t at = (scan.reverse ? scan.extent - 1 - i : i) * scan.inner;
    const Computed<T> next = Op::apply(total, widen(x[at]));
    y[at] = narrow<T>(scan.exclusive ? total : next);
    total = next;
  }
}

// Neighbouring lines together, in memory order: an axis that is not the last.
constexpr int64_t kBlock = 256;

template <typename Op, typename T>
void scanBlock(const T* x, T* y, const Scan& scan, Computed<T> start, int64_t width) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Op, AddElement>) {
    if (!scan.exclusive) {
      // Each line of sums is the one before it and a line of the input.
      const T* before = &start;
      for (int64_t i = 0; i < scan.extent; ++i) {
        const int64_t at = (scan.reverse ? scan.extent - 1 - i : i) * scan.inner;
        vectorBinaryRun<VectorBinary::kAdd>(before, x + at, y + at, width, i == 0 ? 0 : 1, 1);
        before = y + at;
      }
      return;
    }
  }
  Computed<T> totals[kBlock];
  std::fill_n(totals, width, start);
  for (int64_t i = 0; i < scan.extent; ++i) {
    const int64_t at = (scan.reverse ? scan.extent - 1 - i : i) * scan.inner;
    const T* row = x + at;
    T* target = y + at;
    if (scan.exclusive) {
      for (int64_t j = 0; j < width; ++j) {
        const Computed<T> next = Op::apply(totals[j], widen(row[j]));
        target[j] = narrow<T>(totals[j]);
        totals[j] = next;
      }
    } else {
      for (int64_t j = 0; j < width; ++j) {
        totals[j] = Op::apply(totals[j], widen(row[j]));
        target[j] = narrow<T>(totals[j]);
      }
    }
  }
}

template <typename Op, int start>
class CumulativeKernel final : public Kernel {
 public:
  explicit CumulativeKernel(const KernelInfo& info)
      : m_exclusive(info.attribute<int64_t>("exclusive", 0) != 0),
        m_reverse(info.attribute<int64_t>("reverse", 0) != 0) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const size_t axis, operators::readAxis(*context.input(1), x.rank()));
    Scan scan{x.dims()[axis], 1, m_exclusive, m_reverse};
    for (size_t i = axis + 1; i < x.rank(); ++i)
      scan.inner *= x.dims()[i];
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    const int64_t count = x.elementCount();
    if (count == 0) return {};
    dispatchType(Types{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      T* to = y->span<T>().data();
      if (scan.inner > 1) {
        const int64_t blocks = (scan.inner + kBlock - 1) / kBlock;
        parallelFor(count / (scan.extent * scan.inner) * blocks,
                    std::max<int64_t>(1, 16384 / (scan.extent * std::min(kBlock, scan.inner))),
                    [&](int64_t begin, int64_t end) {
                      for (int64_t unit = begin; unit < end; ++unit) {
                        const int64_t column = unit % blocks * kBlock;
                        const int64_t first = unit / blocks * scan.extent * scan.inner + column;
                        scanBlock<Op>(from + first, to + first, scan, Computed<T>{start},
                                      std::min(kBlock, scan.inner - column));
                      }
                    });
        return;
      }
      parallelFor(count / scan.extent, std::max<int64_t>(1, 16384 / scan.extent), [&](int64_t begin, int64_t end) {
        for (int64_t line = begin; line < end; ++line) {
          const int64_t first = line / scan.inner * scan.extent * scan.inner + line % scan.inner;
          scanLine<Op>(from + first, to + first, scan, Computed<T>{start});
        }
      });
    });
    return {};
  }

 private:
  bool m_exclusive;
  bool m_reverse;
};

template <typename Op, int start>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<CumulativeKernel<Op, start>>(info);
}

}  // namespace

KernelRows kernel_cumulative() {
  static constexpr KernelRow rows[] = {
      {.opType = "CumSum",
       .versions = {11},
       .types = kRules,
       .inplace = kInPlace,
       .hostInputs = kAxisInput,
       .fastPath = "threads",
       .create = create<AddElement, 0>},
      {.opType = "CumProd",
       .versions = {26},
       .types = kRules,
       .inplace = kInPlace,
       .hostInputs = kAxisInput,
       .fastPath = "threads",
       .create = create<MulElement, 1>},
  };
  return rows;
}

}  // namespace cutaway::cpu
