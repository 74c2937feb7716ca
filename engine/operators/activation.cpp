#include "engine/operators/activation.h"

#include <algorithm>
#include <limits>

#include "engine/operators/broadcast.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {

std::array<float, 2> functionParameters(const Node& node) {
  const OperatorTraits* row = findTraits(node);
  if (row == nullptr) return {};
  const bool earlier = node.sinceVersion > 0 && node.sinceVersion < row->since;
  const bool differs = earlier && !row->earlierParameters[0].attribute.empty();
  const std::array<Parameter, 2>& parameters = differs ? row->earlierParameters : row->parameters;
  std::array<float, 2> values{};
  for (size_t i = 0; i < values.size(); ++i) {
    if (!parameters[i].attribute.empty())
      values[i] = node.attributeOr<float>(parameters[i].attribute, parameters[i].otherwise);
  }
  return values;
}

Result<ElementFunction> geluFunction(const Node& node) {
  const std::string form = node.attributeOr<std::string>("approximate", "none");
  if (form != "none" && form != "tanh")
    return fail(ErrorCode::kInvalidArgument, "Gelu: approximate is '{}', not none or tanh", form);
  return form == "tanh" ? ElementFunction::kGeluTanh : ElementFunction::kGelu;
}

ClipBounds readClipBounds(const Node& node) {
  return {.low = node.attributeOr<float>("min", std::numeric_limits<float>::lowest()),
          .high = node.attributeOr<float>("max", std::numeric_limits<float>::max())};
}

Result<void> checkClipBound(const Tensor& bound, size_t slot, ElementType type) {
  if (bound.elementCount() != 1 || bound.type() != type)
    return fail(ErrorCode::kInvalidArgument, "Clip: bound {} is not one {}", slot == 1 ? "min" : "max",
                elementTypeName(type));
  return {};
}

bool slopeIsPerChannel(const Node& node) {
  return node.sinceVersion > 0 && node.sinceVersion < 7;
}

Result<Dims> alignedSlope(const Tensor& x, const Tensor& slope, bool perChannel) {
  if (slope.type() != x.type())
    return fail(ErrorCode::kInvalidArgument, "PRelu: X is {} and slope {}", elementTypeName(x.type()),
                elementTypeName(slope.type()));
  const Dims& dims = x.dims();
  Dims aligned = slope.dims();
  if (perChannel && slope.rank() == 1 && aligned[0] != 1) {
    if (dims.size() < 2) return fail(ErrorCode::kInvalidArgument, "PRelu: X {} has no channel axis", dimsToText(dims));
    const int64_t channels = aligned[0];
    aligned = filledList(dims.size(), 1);
    aligned[1] = channels;
  }
  const auto together = broadcastDims({&dims, &aligned});
  if (!together || *together != dims)
    return fail(ErrorCode::kInvalidArgument, "PRelu: slope {} does not broadcast to X {}", dimsToText(aligned),
                dimsToText(dims));
  return aligned;
}

}  // namespace cutaway::operators
