// cutaway.Reorder: the same tensor in another memory layout. The layouts are those of the node's values; dims stay.
//
// The rewrites of this provider put it where a value that lies channels last meets a reader that wants it plainly, or
// the other way about (rewrite/place_channels_last.cpp).

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ReorderKernel final : public Kernel {
 public:
  ReorderKernel(Layout from, Layout to) : m_from(from), m_to(to) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    const Dims& dims = x->dims();
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims));
    if (y->elementCount() == 0) return {};
    const int64_t images = dims[0], channels = dims[1], cells = productOf(dims, 2, dims.size());
    if (m_from == m_to) {
      moveElements(x->type(), x->data(), y->mutableData(), x->elementCount());
      return {};
    }
    // Written in order: cells of channels, or channels of cells.
    const bool toLast = m_to == Layout::kChannelsLast;
    const int64_t outer = toLast ? cells : channels, inner = toLast ? channels : cells, image = channels * cells;
    moveStrided(
        x->type(),
        {.dims = Dims{images, outer, inner}, .fromStrides = Dims{image, 1, outer}, .toStrides = Dims{image, inner, 1}},
        x->data(), y->mutableData());
    return {};
  }

 private:
  Layout m_from, m_to;
};

Result<std::unique_ptr<Kernel>> createReorder(const KernelInfo& info) {
  const Layout from = info.inputType(0).layout, to = info.outputType(0).layout;
  const auto known = [](Layout layout) { return layout == Layout::kPlain || layout == Layout::kChannelsLast; };
  if (!known(from) || !known(to))
    return fail(ErrorCode::kNotImplemented, "Reorder goes between plain and channels last, not {} and {}",
                toText(info.inputType(0)), toText(info.outputType(0)));
  return std::make_unique<ReorderKernel>(from, to);
}

constexpr KernelRow kRows[] = {
    {.opType = "Reorder", .domain = "cutaway", .versions = {1}, .create = createReorder},
};

}  // namespace

KernelRows kernel_reorder() {
  return kRows;
}

}  // namespace cutaway::cpu
