#pragma once
// BiasGelu, FastGelu, BiasAdd, BiasSplitGelu, BiasDropout of com.microsoft, and Dropout: what their operands must be.
//
// Sources: ONNX Runtime, docs/ContribOperators.md; the ONNX operator specification. Errors are INVALID_ARGUMENT.

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// The first `count` inputs are given.
Result<void> checkFirstInputs(const Node& node, size_t count);

// A bias of x's type over its last axes: one row as documented, or more axes, up to the whole input, as onnxruntime
// takes them. mostAxes: 1 where only a row will do.
Result<void> checkBiasOfLastAxes(const Tensor& x, const Tensor& bias, size_t mostAxes = 64);

// Dims of BiasSplitGelu's result: the last axis halved.
Result<Dims> splitGeluDims(std::span<const int64_t> x);

// training_mode of a dropout: one bool in host memory; nullptr (absent): false.
Result<bool> readTrainingMode(std::string_view op, const Tensor* training);
// BiasDropout drops nothing: NOT_IMPLEMENTED where its training_mode is true.
Result<void> checkBiasDropout(const Tensor* training);

}  // namespace cutaway::operators
