// DepthToSpace and SpaceToDepth: blocks of channels against squares of pixels; a six-axis transposition, which the
// mover knows how to do.
//
// Seen as [batch, blockRow, blockColumn, channel, row, column], one side of the move has depth order DCR (blocks first)
// or CRD (channels first).

#include "engine/base/checked_math.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

struct BlockSizes {
  int64_t batch, channels, rows, columns, block;  // of the spread-out side: `channels` channels, rows x columns squares

  Dims axes() const { return Dims{batch, block, block, channels, rows, columns}; }
  // Where blocks lie in the channels.
  Dims depthStrides(bool blocksFirst) const {
    const int64_t plane = rows * columns;
    const int64_t step = blocksFirst ? channels * plane : plane;
    return Dims{
        channels * block * block * plane, block * step, step, blocksFirst ? plane : block * block * plane, columns, 1};
  }
  // Where they lie in rows and columns.
  Dims spaceStrides() const {
    const int64_t width = columns * block, plane = rows * block * width;
    return Dims{channels * plane, width, 1, plane, block * width, block};
  }
};

class BlockKernel final : public GpuKernel {
 public:
  BlockKernel(int64_t block, bool blocksFirst, bool toSpace)
      : m_block(block), m_blocksFirst(blocksFirst), m_toSpace(toSpace) {}
  std::string_view variant() const override { return "move"; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    const Dims& d = data->dims();
    const int64_t square = m_block * m_block;
    const bool fits = d.size() == 4 && (m_toSpace ? d[1] % square == 0 : d[2] % m_block == 0 && d[3] % m_block == 0);
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "{} cannot be cut into blocks of {} x {}", dimsToText(d), m_block,
                  m_block);
    const BlockSizes sizes = m_toSpace ? BlockSizes{d[0], d[1] / square, d[2], d[3], m_block}
                                       : BlockSizes{d[0], d[1], d[2] / m_block, d[3] / m_block, m_block};
    CUTAWAY_TRY(const Dims made, m_toSpace ? spread(d, sizes.channels) : gathered(sizes));
    CUTAWAY_TRY(Tensor * output, call.output(0, made));
    const Dims depth = sizes.depthStrides(m_blocksFirst), space = sizes.spaceStrides();
    const StridedMove move =
        m_toSpace ? StridedMove{sizes.axes(), depth, space} : StridedMove{sizes.axes(), space, depth};
    return m_mover.move(call, elementBytes(data->type()), move, data->data(), output->mutableData());
  }

 private:
  Result<Dims> spread(const Dims& d, int64_t channels) const {
    CUTAWAY_TRY(const int64_t height, checkedMultiply(d[2], m_block));
    CUTAWAY_TRY(const int64_t width, checkedMultiply(d[3], m_block));
    return Dims{d[0], channels, height, width};
  }
  Result<Dims> gathered(const BlockSizes& sizes) const {
    CUTAWAY_TRY(const int64_t channels, checkedMultiply(sizes.channels, m_block * m_block));
    return Dims{sizes.batch, channels, sizes.rows, sizes.columns};
  }

  int64_t m_block;
  bool m_blocksFirst, m_toSpace;
  Mover m_mover;
};

template <bool toSpace>
Result<std::unique_ptr<GpuKernel>> makeBlocks(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  const std::string mode = info.attribute<std::string>("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  const int64_t block = info.attribute<int64_t>("blocksize", 0);
  constexpr int64_t kLargestBlock = 1 << 20;  // its square still fits
  if (block < 1 || block > kLargestBlock)
    return fail(ErrorCode::kInvalidArgument, "blocksize {} is outside [1, {}]", block, kLargestBlock);
  return std::make_unique<BlockKernel>(block, mode == "DCR", toSpace);
}

}  // namespace

KernelRows kernel_depth_to_space() {
  static constexpr KernelRow rows[] = {
      {.opType = "DepthToSpace",
       .versions = {1},
       .types = kMovableFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBlocks<true>>},
      {.opType = "SpaceToDepth",
       .versions = {1},
       .types = kMovableFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBlocks<false>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
