#pragma once
// Softmax, LogSoftmax, Hardmax and com.microsoft BiasSoftmax: along which elements they work.
//
// Sources: the ONNX operator specification (before version 13 the input is seen as a matrix, split at `axis`; from 13
// on the operator works along the one axis); ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT.

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// A tensor as [outer, length, inner]; the operator works along the middle.
struct AxisSplit {
  int64_t outer = 1, length = 1, inner = 1;
};

struct SoftmaxSettings {
  int64_t axis = -1;
  bool flatten = false;  // before version 13
};
SoftmaxSettings readSoftmax(const Node& node);
Result<AxisSplit> softmaxSplit(const SoftmaxSettings& settings, std::span<const int64_t> dims);

// softmax(data + bias) over the axes from `axis` on.
struct BiasSoftmaxSettings {
  int64_t axis = 1;
  bool innerBroadcast = false;  // the bias repeats over the inner part of the axes before, else over the outer one
};
Result<BiasSoftmaxSettings> readBiasSoftmax(const Node& node);
Result<AxisSplit> biasSoftmaxSplit(const BiasSoftmaxSettings& settings, std::span<const int64_t> dims);
// Rows of the bias, of `split.length` elements each; the split is not empty.
Result<int64_t> biasSoftmaxRows(const AxisSplit& split, const Tensor& data, const Tensor& bias);

}  // namespace cutaway::operators
