#include "engine/operators/cross_entropy.h"

namespace cutaway::operators {

Result<CrossEntropySettings> readCrossEntropy(const Node& node) {
  const std::string reduction = node.attributeOr<std::string>("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return fail(ErrorCode::kInvalidArgument, "{}: reduction is '{}', not none, sum or mean", node.opType, reduction);
  return CrossEntropySettings{.reduction = reduction == "none"  ? LossReduction::kNone
                                           : reduction == "sum" ? LossReduction::kSum
                                                                : LossReduction::kMean,
                              .softmax = node.opType == "SoftmaxCrossEntropyLoss",
                              .hasIgnored = node.findAttribute("ignore_index") != nullptr,
                              .ignored = node.attributeOr<int64_t>("ignore_index", 0)};
}

Result<CrossEntropySizes> crossEntropySizes(const Tensor& scores, const Tensor& labels, const Tensor* weights) {
  const Dims& dims = scores.dims();
  bool fits = dims.size() >= 2 && labels.rank() + 1 == dims.size() && labels.dims()[0] == dims[0];
  for (size_t i = 1; fits && i < labels.rank(); ++i)
    fits = labels.dims()[i] == dims[i + 1];
  if (!fits)
    return fail(ErrorCode::kInvalidArgument,
                "labels {} do not fit scores {}: they have the same axes without the classes",
                dimsToText(labels.dims()), dimsToText(dims));
  if (labels.type() != ElementType::kInt32 && labels.type() != ElementType::kInt64)
    return fail(ErrorCode::kInvalidArgument, "labels are {}, not int32 or int64", elementTypeName(labels.type()));
  if (weights != nullptr &&
      (weights->type() != scores.type() || weights->rank() != 1 || weights->dims()[0] != dims[1])) {
    return fail(ErrorCode::kInvalidArgument, "weights {}{} do not fit {} classes of {}",
                elementTypeName(weights->type()), dimsToText(weights->dims()), dims[1], elementTypeName(scores.type()));
  }
  return CrossEntropySizes{dims[0], dims[1], elementCount(std::span<const int64_t>(dims).subspan(2))};
}

}  // namespace cutaway::operators
