#pragma once
// DepthToSpace and SpaceToDepth: blocks of channels against squares of pixels; a six-axis transposition.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/strided_move.h"

namespace cutaway::operators {

struct BlockPlacement {
  Dims dims;  // of the output
  StridedMove move;
};

class BlockSettings {
 public:
  // NOT_IMPLEMENTED for modes other than DCR and CRD, INVALID_ARGUMENT for a blocksize outside [1, 2^20].
  static Result<BlockSettings> read(const Node& node);
  // dims: [batch, channels, rows, columns].
  Result<BlockPlacement> place(std::span<const int64_t> dims) const;

 private:
  int64_t m_block = 1;
  bool m_blocksFirst = true, m_toSpace = true;
};

}  // namespace cutaway::operators
