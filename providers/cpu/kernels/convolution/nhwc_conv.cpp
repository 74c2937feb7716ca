// NhwcConv of com.microsoft: Conv with the channels last in X, W and Y. W is [output channels, kernel..., channels of a
// group].
//
// A cell of the kernel is a row of channels in X and in W, so the inner loop is a scalar product of two runs of memory.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr size_t kLanes = 8;

// In eight partial sums, which the compiler keeps in vectors.
template <typename T>
T scalarProduct(const T* a, const T* b, int64_t count) {
  std::array<T, kLanes> sums{};
  int64_t i = 0;
  for (; i + static_cast<int64_t>(kLanes) <= count; i += static_cast<int64_t>(kLanes)) {
    for (size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += a[i + static_cast<int64_t>(lane)] * b[i + static_cast<int64_t>(lane)];
  }
  T sum = 0;
  for (const T each : sums)
    sum += each;
  for (; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

struct NhwcGeometry {
  Window window;
  int64_t groups, channels, filters;  // channels and filters of the whole image
  int64_t perGroup() const { return channels / groups; }
};

template <typename T>
class NhwcConv final : public Kernel {
 public:
  NhwcConv(WindowAttributes attributes, int64_t groups) : m_attributes(std::move(attributes)), m_groups(groups) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &w = *context.input(1);
    const Tensor* bias = context.inputCount() > 2 ? context.input(2) : nullptr;
    if (x.rank() < 3 || w.rank() != x.rank())
      return fail(ErrorCode::kInvalidArgument, "NhwcConv needs X and W of one rank of 3 or more, not {} and {}",
                  dimsToText(x.dims()), dimsToText(w.dims()));
    const size_t axes = x.rank() - 2, last = x.rank() - 1;
    NhwcGeometry at{.window = {}, .groups = m_groups, .channels = x.dims()[last], .filters = w.dims()[0]};
    if (w.dims()[last] < 1 || w.dims()[last] > at.channels || w.dims()[last] * m_groups != at.channels ||
        at.filters % m_groups != 0) {
      return fail(ErrorCode::kInvalidArgument, "NhwcConv: X is {}, W is {}, group {}", dimsToText(x.dims()),
                  dimsToText(w.dims()), m_groups);
    }
    if (bias != nullptr && bias->elementCount() != at.filters)
      return fail(ErrorCode::kInvalidArgument, "NhwcConv: the bias has {} elements, there are {} output channels",
                  bias->elementCount(), at.filters);
    CUTAWAY_TRY(at.window, placeWindow(m_attributes, std::span<const int64_t>(x.dims()).subspan(1, axes),
                                       std::span<const int64_t>(w.dims()).subspan(1, axes)));
    Dims dims = x.dims();
    for (size_t axis = 0; axis < axes; ++axis)
      dims[axis + 1] = at.window.output[axis];
    dims[last] = at.filters;
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (y->elementCount() == 0) return {};
    const T* offsets = bias != nullptr ? bias->span<T>().data() : nullptr;
    const int64_t outCells = at.window.outputCells(), inCells = at.window.inputCells();
    parallelFor(dims[0] * outCells, 16, [&](int64_t begin, int64_t end) {
      for (int64_t cell = begin; cell < end; ++cell) {
        WindowDims out{};
        int64_t rest = cell % outCells;
        for (size_t axis = axes; axis-- > 0; rest /= at.window.output[axis])
          out[axis] = rest % at.window.output[axis];
        convolveCell(at, out, x.span<T>().data() + cell / outCells * inCells * at.channels, w.span<T>().data(), offsets,
                     y->template span<T>().data() + cell * at.filters);
      }
    });
    return {};
  }

 private:
  static void convolveCell(const NhwcGeometry& at, const WindowDims& out, const T* from, const T* weights,
                           const T* bias, T* to) {
    const Window& window = at.window;
    for (int64_t filter = 0; filter < at.filters; ++filter)
      to[filter] = bias != nullptr ? bias[filter] : T(0);
    const int64_t perGroup = at.perGroup(), filtersPerGroup = at.filters / at.groups,
                  stride = window.kernelCells() * perGroup;
    WindowDims k{};
    int64_t kernelCell = 0;
    do {
      int64_t offset = 0;
      bool inside = true;
      for (size_t axis = 0; axis < window.rank; ++axis) {
        const int64_t position = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
        inside = inside && position >= 0 && position < window.input[axis];
        offset = offset * window.input[axis] + position;
      }
      const T* filterCell = weights + kernelCell++ * perGroup;
      if (!inside) continue;
      for (int64_t filter = 0; filter < at.filters; ++filter) {
        to[filter] += scalarProduct(from + offset * at.channels + filter / filtersPerGroup * perGroup,
                                    filterCell + filter * stride, perGroup);
      }
    } while (nextIndex(k, window.kernel, window.rank));
  }

  WindowAttributes m_attributes;
  int64_t m_groups;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createNhwcConv(const KernelInfo& info) {
  if (!info.hasInput(0) || !info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "NhwcConv needs X and W");
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  const int64_t groups = info.attribute<int64_t>("group", 1);
  if (groups < 1) return fail(ErrorCode::kInvalidArgument, "NhwcConv: group is {}", groups);
  return std::unique_ptr<Kernel>(std::make_unique<NhwcConv<T>>(std::move(attributes), groups));
}

constexpr ElementType kFloat[] = {ElementType::kFloat}, kDouble[] = {ElementType::kDouble},
                      kHalf[] = {ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kFloatRule[] = {{0, kFloat}}, kDoubleRule[] = {{0, kDouble}}, kHalfRule[] = {{0, kHalf}};
constexpr KernelRow kRows[] = {
    {.opType = "NhwcConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatRule,
     .fastPath = "threads",
     .create = createNhwcConv<float>},
    {.opType = "NhwcConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleRule,
     .fastPath = "threads",
     .create = createNhwcConv<double>},
    {.opType = "NhwcConv",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfRule,
     .fastPath = "threads",
     .create = createThroughFloat<createNhwcConv<float>>},
};

}  // namespace

KernelRows kernel_nhwc_conv() {
  return kRows;
}

}  // namespace cutaway::cpu
