#include "engine/operators/softmax.h"

namespace cutaway::operators {

SoftmaxSettings readSoftmax(const Node& node) {
  const bool flatten = node.sinceVersion < 13;
  return {.axis = node.attributeOr<int64_t>("axis", flatten ? 1 : -1), .flatten = flatten};
}

Result<AxisSplit> softmaxSplit(const SoftmaxSettings& settings, std::span<const int64_t> dims) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (rank == 0) return AxisSplit{};
  const int64_t axis = settings.axis < 0 ? settings.axis + rank : settings.axis;
  if (axis < 0 || axis > rank || (axis == rank && !settings.flatten))
    return fail(ErrorCode::kInvalidArgument, "axis {} of {}", settings.axis, dimsToText(dims));
  const size_t at = static_cast<size_t>(axis);
  if (settings.flatten) return AxisSplit{elementCount(dims.first(at)), elementCount(dims.subspan(at)), 1};
  return AxisSplit{elementCount(dims.first(at)), dims[at], elementCount(dims.subspan(at + 1))};
}

Result<BiasSoftmaxSettings> readBiasSoftmax(const Node& node) {
  if (node.inputs.size() < 2 || !node.inputs[1].valid())
    return fail(ErrorCode::kInvalidArgument, "BiasSoftmax has no bias");
  return BiasSoftmaxSettings{.axis = node.attributeOr<int64_t>("axis", 1),
                             .innerBroadcast = node.attributeOr<int64_t>("is_inner_broadcast", 0) != 0};
}

Result<AxisSplit> biasSoftmaxSplit(const BiasSoftmaxSettings& settings, std::span<const int64_t> dims) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (settings.axis < -rank || settings.axis >= rank)
    return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: axis {} of {}", settings.axis, dimsToText(dims));
  return softmaxSplit({.axis = settings.axis, .flatten = true}, dims);
}

Result<int64_t> biasSoftmaxRows(const AxisSplit& split, const Tensor& data, const Tensor& bias) {
  const int64_t rows = bias.elementCount() / split.length;
  if (bias.type() != data.type() || rows < 1 || rows * split.length != bias.elementCount() || split.outer % rows != 0)
    return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: bias {} does not repeat over {}", dimsToText(bias.dims()),
                dimsToText(data.dims()));
  return rows;
}

}  // namespace cutaway::operators
