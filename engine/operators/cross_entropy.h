#pragma once
// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: attributes and the shapes of their operands.
//
// Source: the ONNX operator specification. Errors are INVALID_ARGUMENT with the sizes.

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

enum class LossReduction : uint8_t { kNone, kSum, kMean };

struct CrossEntropySettings {
  LossReduction reduction = LossReduction::kMean;
  bool softmax = false;
  bool hasIgnored = false;  // labels of this number take no part
  int64_t ignored = 0;
};
Result<CrossEntropySettings> readCrossEntropy(const Node& node);

struct CrossEntropySizes {
  int64_t batch = 0, classes = 0, places = 1;
};
// scores [batch, classes, places...], labels [batch, places...] of int32 or int64, weights [classes] (nullptr: none).
Result<CrossEntropySizes> crossEntropySizes(const Tensor& scores, const Tensor& labels, const Tensor* weights);

}  // namespace cutaway::operators
