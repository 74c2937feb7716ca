// NhwcMaxPool of com.microsoft: MaxPool of 8-bit images with the channels last.

#include "providers/cpu/kernels/pooling/max_cells.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class NhwcMaxPool final : public Kernel {
 public:
  explicit NhwcMaxPool(WindowAttributes attributes) : m_attributes(std::move(attributes)) {}
  std::string_view variant() const override { return "highway"; }

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
    maxPoolCells(dims[0], dims[dims.size() - 1], window, x->span<T>().data(), y->template span<T>().data());
    return {};
  }

 private:
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
     .fastPath = "highway",
     .create = createNhwcMaxPool<int8_t>},
    {.opType = "NhwcMaxPool",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kUint8Rule,
     .fastPath = "highway",
     .create = createNhwcMaxPool<uint8_t>},
};

}  // namespace

KernelRows kernel_nhwc_max_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
