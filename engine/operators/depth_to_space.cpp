// Seen as [batch, blockRow, blockColumn, channel, row, column], one side of the move has depth order DCR (blocks first)
// or CRD (channels first).
#include "engine/operators/depth_to_space.h"

#include "engine/base/checked_math.h"

namespace cutaway::operators {
namespace {

struct BlockSizes {
  int64_t batch, channels, rows, columns, block;  // of the spread-out side: `channels` channels, rows x columns squares

  Dims axes() const { return Dims{batch, block, block, channels, rows, columns}; }
  // Where blocks lie in the channels.
  Dims depthStrides(bool blocksFirst) const {
    const int64_t plane = rows * columns;
    const int64_t step = blocksFirst ? channels * plane : plane;
    const int64_t channel = blocksFirst ? plane : block * block * plane;
    return Dims{channels * block * block * plane, block * step, step, channel, columns, 1};
  }
  // Where they lie in rows and columns.
  Dims spaceStrides() const {
    const int64_t width = columns * block, plane = rows * block * width;
    return Dims{channels * plane, width, 1, plane, block * width, block};
  }
};

}  // namespace

Result<BlockSettings> BlockSettings::read(const Node& node) {
  BlockSettings settings;
  const std::string mode = node.attributeOr<std::string>("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  settings.m_blocksFirst = mode == "DCR";
  settings.m_toSpace = node.opType == "DepthToSpace";
  settings.m_block = node.attributeOr<int64_t>("blocksize", 0);
  constexpr int64_t kLargestBlock = 1 << 20;  // its square still fits
  if (settings.m_block < 1 || settings.m_block > kLargestBlock)
    return fail(ErrorCode::kInvalidArgument, "blocksize {} is outside [1, {}]", settings.m_block, kLargestBlock);
  return settings;
}

Result<BlockPlacement> BlockSettings::place(std::span<const int64_t> dims) const {
  const int64_t square = m_block * m_block;
  const bool fits =
      dims.size() == 4 && (m_toSpace ? dims[1] % square == 0 : dims[2] % m_block == 0 && dims[3] % m_block == 0);
  if (!fits) {
    return fail(ErrorCode::kInvalidArgument, "{} cannot be cut into blocks of {} x {}", dimsToText(dims), m_block,
                m_block);
  }
  if (m_toSpace) {
    const BlockSizes sizes{dims[0], dims[1] / square, dims[2], dims[3], m_block};
    CUTAWAY_TRY(const int64_t height, checkedMultiply(dims[2], m_block));
    CUTAWAY_TRY(const int64_t width, checkedMultiply(dims[3], m_block));
    return BlockPlacement{Dims{dims[0], sizes.channels, height, width},
                          {sizes.axes(), sizes.depthStrides(m_blocksFirst), sizes.spaceStrides()}};
  }
  const BlockSizes sizes{dims[0], dims[1], dims[2] / m_block, dims[3] / m_block, m_block};
  CUTAWAY_TRY(const int64_t channels, checkedMultiply(dims[1], square));
  return BlockPlacement{Dims{dims[0], channels, sizes.rows, sizes.columns},
                        {sizes.axes(), sizes.spaceStrides(), sizes.depthStrides(m_blocksFirst)}};
}

}  // namespace cutaway::operators
