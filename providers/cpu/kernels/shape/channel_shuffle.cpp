// cutaway.ChannelShuffle: the channels of groups take turns. Channel c of group g becomes channel c * groups + g: what
// Reshape, Transpose and Reshape spell out, in one pass over either memory layout.
//
// Source: X. Zhang, X. Zhou, M. Lin, J. Sun, "ShuffleNet", 2017, section 3.1. The rewrite shuffle_channels puts it
// where a model spells it out.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ChannelShuffleKernel final : public Kernel {
 public:
  ChannelShuffleKernel(int64_t groups, Layout layout) : m_groups(groups), m_layout(layout) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    const Dims& dims = x->dims();
    if (dims.size() < 3 || dims[1] % m_groups != 0)
      return fail(ErrorCode::kInvalidArgument, "ChannelShuffle: {} has no {} groups of channels", dimsToText(dims),
                  m_groups);
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims));
    if (y->elementCount() == 0) return {};
    const int64_t images = dims[0], channels = dims[1], cells = productOf(dims, 2, dims.size());
    const int64_t each = channels / m_groups;
    StridedMove move;
    if (m_layout == Layout::kChannelsLast) {
      move = {.dims = Dims{images * cells, each, m_groups},
              .fromStrides = Dims{channels, 1, each},
              .toStrides = Dims{channels, m_groups, 1}};
    } else {
      move = {.dims = Dims{images, each, m_groups, cells},
              .fromStrides = Dims{channels * cells, cells, each * cells, 1},
              .toStrides = Dims{channels * cells, m_groups * cells, cells, 1}};
    }
    moveStrided(x->type(), move, x->data(), y->mutableData());
    return {};
  }

 private:
  int64_t m_groups;
  Layout m_layout;
};

Result<std::unique_ptr<Kernel>> createChannelShuffle(const KernelInfo& info) {
  const int64_t groups = info.node().attributeOr<int64_t>("group", 1);
  const Layout layout = info.inputType(0).layout;
  const bool known = layout == Layout::kPlain || layout == Layout::kChannelsLast;
  if (groups < 1 || !known || info.outputType(0).layout != layout)
    return fail(ErrorCode::kNotImplemented, "ChannelShuffle of {} groups from {} to {}", groups,
                toText(info.inputType(0)), toText(info.outputType(0)));
  return std::make_unique<ChannelShuffleKernel>(groups, layout);
}

constexpr KernelRow kRows[] = {
    {.opType = "ChannelShuffle", .domain = "cutaway", .versions = {1}, .create = createChannelShuffle},
};

}  // namespace

KernelRows kernel_channel_shuffle() {
  return kRows;
}

}  // namespace cutaway::cpu
