#pragma once
// What constant folding may still compute: bytes and operations in proportion to what the file holds. A few nodes can
// ask for any size, and a few numbers for any time.
//
// Thread rule: one thread. Example: FoldingRoom room(model);  room.take(graph, patch);  options.foldingLimitBytes =
// std::min(options.foldingLimitBytes, room.bytes());

#include "engine/graph/model.h"
#include "engine/graph/patch.h"

namespace cutaway::optimize {

class FoldingRoom {
 public:
  explicit FoldingRoom(const Model& model);

  // Call before the patch is applied: its nodes are asked what they cost. Gives the bytes of its constants; a patch
  // that puts nodes in place of others folds nothing, and takes nothing.
  int64_t take(const Graph& graph, const GraphPatch& patch);
  // Of one node more. Small ones go on however much was folded before: shapes are worth knowing.
  int64_t bytes() const;
  int64_t operations() const;

 private:
  int64_t m_bytes = 0, m_operations = 0;
};

}  // namespace cutaway::optimize
