// Nodes that only rename bytes, and Transpose: inside a group they cost nothing, or one reorder.
#include <algorithm>
#include <numeric>

#include "engine/tensor/shape.h"
#include "providers/onednn/operator_table.h"
#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

std::vector<int64_t> integers(const Tensor* tensor) {
  if (tensor == nullptr || tensor->type() != ElementType::kInt64) return {};
  return {tensor->span<int64_t>().begin(), tensor->span<int64_t>().end()};
}

std::vector<int64_t> axesOf(const PlanBuilder& builder, const Node& node) {
  if (node.inputs.size() > 1) return integers(builder.constant(node.inputs[1]));
  return node.attributeOr<std::vector<int64_t>>("axes", {});
}

Result<std::vector<int64_t>> reshaped(const PlanBuilder& builder, const Node& node, const std::vector<int64_t>& from) {
  std::vector<int64_t> to = node.inputs.size() > 1 ? integers(builder.constant(node.inputs[1]))
                                                   : node.attributeOr<std::vector<int64_t>>("shape", {});
  const bool zeroIsZero = node.attributeOr<int64_t>("allowzero", 0) != 0;
  int64_t rest = elementCount(from), open = -1;
  for (size_t axis = 0; axis < to.size(); ++axis) {
    if (to[axis] == 0 && !zeroIsZero && axis < from.size()) to[axis] = from[axis];
    if (to[axis] == -1) {
      open = static_cast<int64_t>(axis);
    } else if (to[axis] > 0) {
      rest /= to[axis];
    }
  }
  if (open >= 0) to[static_cast<size_t>(open)] = rest;
  if (elementCount(to) != elementCount(from))
    return fail(ErrorCode::kInvalidGraph, "{} cannot become {}", dimsToText(from), dimsToText(to));
  return to;
}

Result<std::vector<int64_t>> resultDims(const PlanBuilder& builder, const Node& node) {
  const std::vector<int64_t>& from = builder.dims(node.inputs[0]);
  const auto rank = static_cast<int64_t>(from.size());
  if (node.opType == "Reshape") return reshaped(builder, node, from);
  if (node.opType == "Flatten") {
    int64_t axis = node.attributeOr<int64_t>("axis", 1);
    if (axis < 0) axis += rank;
    axis = std::clamp<int64_t>(axis, 0, rank);
    const std::span<const int64_t> all(from);
    return std::vector<int64_t>{elementCount(all.first(static_cast<size_t>(axis))),
                                elementCount(all.subspan(static_cast<size_t>(axis)))};
  }
  if (node.opType == "Squeeze") {
    const std::vector<int64_t> axes = axesOf(builder, node);
    std::vector<int64_t> to;
    for (int64_t axis = 0; axis < rank; ++axis) {
      const bool named =
          std::any_of(axes.begin(), axes.end(), [&](int64_t a) { return a == axis || a + rank == axis; });
      if (!(named || (axes.empty() && from[static_cast<size_t>(axis)] == 1)))
        to.push_back(from[static_cast<size_t>(axis)]);
    }
    return to;
  }
  if (node.opType == "Unsqueeze") {
    std::vector<int64_t> axes = axesOf(builder, node);
    const int64_t grown = rank + static_cast<int64_t>(axes.size());
    std::vector<int64_t> to(static_cast<size_t>(grown), 0);
    for (const int64_t axis : axes) {
      const int64_t at = axis < 0 ? axis + grown : axis;
      if (at < 0 || at >= grown) return fail(ErrorCode::kInvalidGraph, "Unsqueeze: axis {} of rank {}", axis, grown);
      to[static_cast<size_t>(at)] = 1;
    }
    size_t next = 0;
    for (int64_t& size : to) {
      if (size == 0 && next < from.size()) size = from[next++];
    }
    return to;
  }
  return from;
}

Result<void> lowerView(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  CUTAWAY_TRY(std::vector<int64_t> dims, resultDims(builder, node));
  if (elementCount(dims) != elementCount(builder.dims(node.inputs[0])))
    return fail(ErrorCode::kInvalidGraph, "{}: {} elements become {}", node.opType,
                elementCount(builder.dims(node.inputs[0])), elementCount(dims));
  const Dimensions seen = dims.empty() ? Dimensions{1} : dims;
  Stored result = builder.stored(node.inputs[0]);
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    auto viewed = builder.viewed(result, seen);
    if (viewed) {
      result = *viewed;
    } else {
      done = fail(viewed.error());
    }
  }));
  CUTAWAY_CHECK(done);
  builder.define(node.outputs[0], std::move(dims), result);
  return {};
}

Result<void> lowerTranspose(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const Stored from = builder.stored(node.inputs[0]);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  std::vector<int64_t> order = node.attributeOr<std::vector<int64_t>>("perm", {});
  if (order.empty()) {
    order.resize(dims.size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  if (order.size() != dims.size())
    return fail(ErrorCode::kInvalidGraph, "Transpose: perm has {} entries, the input {} axes", order.size(),
                dims.size());
  std::vector<int64_t> result;
  std::vector<int> places(order.size());  // where each input axis goes
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= static_cast<int64_t>(dims.size()))
      return fail(ErrorCode::kInvalidGraph, "Transpose: perm names axis {}", order[i]);
    result.push_back(dims[static_cast<size_t>(order[i])]);
    places[static_cast<size_t>(order[i])] = static_cast<int>(i);
  }
  Result<Stored> made;
  CUTAWAY_CHECK(attempt("Transpose", [&] {
    made = builder.reordered({from.buffer, from.descriptor.permute_axes(places)},
                             plainDescriptor(result, from.descriptor.data_type()));
  }));
  if (!made) return fail(made.error());
  builder.define(node.outputs[0], std::move(result), *made);
  return {};
}

std::optional<Objection> checkDropout(const KernelInfo& info) {
  if (info.hasOutput(1))
    return Objection{RefusalCause::kAttribute, "a mask is not a view", "Dropout.outputs", "output mask is used",
                     "a model that does not use the mask"};
  if (!info.hasInput(2)) return std::nullopt;
  const Tensor* training = info.constantInput(2);
  if (training != nullptr && training->type() == ElementType::kBool && !training->span<bool>()[0]) return std::nullopt;
  return Objection{RefusalCause::kInput, "Dropout in training mode draws numbers", "Dropout.inputs[2]", "training_mode",
                   "a model for inference"};
}

std::optional<Objection> checkUnsqueeze(const KernelInfo& info) {
  if (info.hasInput(1) && info.constantInput(1) == nullptr)
    return Objection{RefusalCause::kInput, "the axes must be known when the group is compiled", "Unsqueeze.inputs[1]",
                     "not a constant", "constant axes"};
  return std::nullopt;
}

constexpr int kSecond[] = {1};
constexpr OperatorRow kRows[] = {
    {.opType = "Identity", .lower = lowerView},
    {.opType = "Dropout", .check = checkDropout, .lower = lowerView},
    {.opType = "Flatten", .lower = lowerView},
    {.opType = "Reshape", .constantInputs = kSecond, .lower = lowerView},
    {.opType = "Squeeze", .constantInputs = kSecond, .lower = lowerView},
    {.opType = "Unsqueeze", .maximumRank = 5, .constantInputs = kSecond, .check = checkUnsqueeze, .lower = lowerView},
    {.opType = "Transpose", .minimumRank = 1, .lower = lowerTranspose},
};

}  // namespace

OperatorRows operators_views() {
  return kRows;
}

}  // namespace cutaway::onednn
