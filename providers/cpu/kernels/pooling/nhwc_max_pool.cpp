// NhwcMaxPool of com.microsoft: MaxPool of 8-bit images with the channels last; a kernel cell is folded into all
// channels at once.

#include <array>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class NhwcMaxPool final : public Kernel {
 public:
  explicit NhwcMaxPool(WindowAttributes attributes) : m_attributes(std::move(attributes)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    if (x->rank() < 3)
      return fail(ErrorCode::kInvalidArgument, "NhwcMaxPool needs an input of rank 3 or more, not {}",
                  dimsToText(x->dims()));
    const size_t axes = x->rank() - 2;
    CUTAWAY_TRY(const Window window, placeWindow(m_attributes, std::span<const int64_t>(x->dims()).subspan(1, axes), {},
                                                 WindowFit::kMayExceed));
    Dims dims = x->dims();
    for (size_t axis = 0; axis < axes; ++axis)
      dims[axis + 1] = window.output[axis];
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (y->elementCount() == 0) return {};
    const int64_t channels = dims[dims.size() - 1], outCells = window.outputCells(), inCells = window.inputCells();
    parallelFor(dims[0] * outCells, 64, [&](int64_t begin, int64_t end) {
      for (int64_t cell = begin; cell < end; ++cell) {
        WindowDims out{};
        int64_t rest = cell % outCells;
        for (size_t axis = axes; axis-- > 0; rest /= window.output[axis])
          out[axis] = rest % window.output[axis];
        poolCell(window, out, channels, x->span<T>().data() + cell / outCells * inCells * channels,
                 y->template span<T>().data() + cell * channels);
      }
    });
    return {};
  }

 private:
  static void poolCell(const Window& window, const WindowDims& out, int64_t channels, const T* from, T* to) {
    std::fill_n(to, channels, std::numeric_limits<T>::lowest());
    WindowDims k{};
    do {
      int64_t offset = 0;
      bool inside = true;
      for (size_t axis = 0; axis < window.rank; ++axis) {
        const int64_t position = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
        inside = inside && position >= 0 && position < window.input[axis];
        offset = offset * window.input[axis] + position;
      }
      if (!inside) continue;
      const T* cell = from + offset * channels;
      for (int64_t c = 0; c < channels; ++c)
        to[c] = std::max(to[c], cell[c]);
    } while (nextIndex(k, window.kernel, window.rank));
  }

  WindowAttributes m_attributes;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createNhwcMaxPool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "NhwcMaxPool needs kernel_shape");
  return std::unique_ptr<Kernel>(std::make_unique<NhwcMaxPool<T>>(std::move(attributes)));
}

constexpr ElementType kInt8[] = {ElementType::kInt8};
constexpr ElementType kUint8[] = {ElementType::kUint8};
constexpr TypeRule kInt8Rule[] = {{0, kInt8}};
constexpr TypeRule kUint8Rule[] = {{0, kUint8}};
constexpr KernelRow kRows[] = {
    {.opType = "NhwcMaxPool",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kInt8Rule,
     .fastPath = "threads",
     .create = createNhwcMaxPool<int8_t>},
    {.opType = "NhwcMaxPool",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kUint8Rule,
     .fastPath = "threads",
     .create = createNhwcMaxPool<uint8_t>},
};

}  // namespace

KernelRows kernel_nhwc_max_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
