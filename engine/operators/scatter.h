#pragma once
// ScatterElements, ScatterND and TensorScatter: which shapes fit each other, and what happens where an element already
// is.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

enum class ScatterReduction { kNone, kAdd, kMultiply, kMinimum, kMaximum };
// The node's `reduction`; INVALID_ARGUMENT for an unknown one.
Result<ScatterReduction> scatterReductionOf(const Node& node);

// One update for each index, of the data's type.
Result<void> checkScatterElements(const Tensor& data, const Tensor& indices, const Tensor& updates);

struct TupleScatter {
  int64_t tuples = 0;      // how many there are
  int64_t sliceCells = 0;  // elements of what each of them names
};
// Updates: the indices' dims without the last, then the data's dims that the tuples leave open.
Result<TupleScatter> placeTupleScatter(const Tensor& data, const Tensor& indices, const Tensor& updates);

// Of TensorScatter: steps of an update are written into a cache along an axis.
class CacheUpdate {
 public:
  // NOT_IMPLEMENTED for modes other than linear and circular.
  static Result<CacheUpdate> read(const Node& node);
  bool circular() const { return m_circular; }
  // The axis. starts: one for each batch entry, or nullptr. INVALID_ARGUMENT where shapes do not fit.
  Result<size_t> place(const Tensor& past, const Tensor& update, const Tensor* starts) const;

 private:
  int64_t m_axis = -2;
  bool m_circular = false;
};

}  // namespace cutaway::operators
