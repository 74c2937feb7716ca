// DepthToSpace and SpaceToDepth: blocks of channels against squares of pixels; a six-axis transposition.
//
// Seen as [batch, blockRow, blockColumn, channel, row, column], one side of the move has depth order DCR (blocks first)
// or CRD (channels first).

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

struct BlockSizes {
  int64_t batch, channels, rows, columns, block;  // of the spread-out side: `channels` channels, rows x columns squares
};

// Strides of [batch, blockRow, blockColumn, channel, row, column] where blocks lie in the channels.
Dims depthStrides(const BlockSizes& s, bool blocksFirst) {
  const int64_t plane = s.rows * s.columns;
  const int64_t step = blocksFirst ? s.channels * plane : plane;
  const int64_t channel = blocksFirst ? plane : s.block * s.block * plane;
  return Dims{s.channels * s.block * s.block * plane, s.block * step, step, channel, s.columns, 1};
}

// The same where blocks lie in rows and columns.
Dims spaceStrides(const BlockSizes& s) {
  const int64_t width = s.columns * s.block;
  const int64_t plane = s.rows * s.block * width;
  return Dims{s.channels * plane, width, 1, plane, s.block * width, s.block};
}

class BlockKernel : public Kernel {
 public:
  static Result<bool> readBlocksFirst(const KernelInfo& info) {
    const std::string mode = info.attribute<std::string>("mode", "DCR");
    if (mode == "DCR") return true;
    if (mode == "CRD") return false;
    return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  }
  template <typename KernelType>
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const bool blocksFirst, readBlocksFirst(info));
    const int64_t block = info.attribute<int64_t>("blocksize", 0);
    constexpr int64_t kLargestBlock = 1 << 20;  // its square still fits
    if (block < 1 || block > kLargestBlock)
      return fail(ErrorCode::kInvalidArgument, "blocksize {} is outside [1, {}]", block, kLargestBlock);
    return std::unique_ptr<Kernel>(std::make_unique<KernelType>(block, blocksFirst));
  }
  BlockKernel(int64_t block, bool blocksFirst) : m_block(block), m_blocksFirst(blocksFirst) {}

 protected:
  static Dims sixAxes(const BlockSizes& s) { return Dims{s.batch, s.block, s.block, s.channels, s.rows, s.columns}; }
  int64_t m_block;
  bool m_blocksFirst;
};

class DepthToSpaceKernel final : public BlockKernel {
 public:
  using BlockKernel::BlockKernel;
  std::string_view variant() const override { return "copy"; }
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const Dims& d = data->dims();
    const int64_t square = m_block * m_block;
    if (d.size() != 4 || d[1] % square != 0)
      return fail(ErrorCode::kInvalidArgument, "{} cannot give blocks of {} x {}", dimsToText(d), m_block, m_block);
    const BlockSizes sizes{d[0], d[1] / square, d[2], d[3], m_block};
    CUTAWAY_TRY(const int64_t height, checkedMultiply(d[2], m_block));
    CUTAWAY_TRY(const int64_t width, checkedMultiply(d[3], m_block));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), Dims{d[0], sizes.channels, height, width}));
    moveStrided(data->type(), {sixAxes(sizes), depthStrides(sizes, m_blocksFirst), spaceStrides(sizes)}, data->data(),
                output->mutableData());
    return {};
  }
};

class SpaceToDepthKernel final : public BlockKernel {
 public:
  using BlockKernel::BlockKernel;
  std::string_view variant() const override { return "copy"; }
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const Dims& d = data->dims();
    if (d.size() != 4 || d[2] % m_block != 0 || d[3] % m_block != 0)
      return fail(ErrorCode::kInvalidArgument, "{} cannot be cut into blocks of {} x {}", dimsToText(d), m_block,
                  m_block);
    const BlockSizes sizes{d[0], d[1], d[2] / m_block, d[3] / m_block, m_block};
    CUTAWAY_TRY(const int64_t channels, checkedMultiply(d[1], m_block * m_block));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), Dims{d[0], channels, sizes.rows, sizes.columns}));
    moveStrided(data->type(), {sixAxes(sizes), spaceStrides(sizes), depthStrides(sizes, m_blocksFirst)}, data->data(),
                output->mutableData());
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "DepthToSpace", .versions = {1}, .fastPath = "copy", .create = BlockKernel::create<DepthToSpaceKernel>},
    {.opType = "SpaceToDepth", .versions = {1}, .fastPath = "copy", .create = BlockKernel::create<SpaceToDepthKernel>},
};

}  // namespace

KernelRows kernel_depth_to_space() {
  return kRows;
}

}  // namespace cutaway
