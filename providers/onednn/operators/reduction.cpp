// Reductions. The mean over all spatial axes runs as a pool, which keeps blocked layouts.
#include <algorithm>
#include <cmath>

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

using dnnl::algorithm;

struct Method {
  algorithm kind = algorithm::reduction_sum;
  float power = 0;
  bool logarithm = false;
};

Method methodOf(std::string_view op) {
  if (op == "ReduceMean") return {algorithm::reduction_mean};
  if (op == "ReduceProd") return {algorithm::reduction_mul};
  if (op == "ReduceL1") return {algorithm::reduction_norm_lp_sum, 1};
  if (op == "ReduceL2") return {algorithm::reduction_norm_lp_sum, 2};
  if (op == "ReduceSumSquare") return {algorithm::reduction_norm_lp_power_p_sum, 2};
  if (op == "ReduceLogSum") return {algorithm::reduction_sum, 0, true};
  return {};
}

std::vector<bool> reducedAxes(const PlanBuilder& builder, const Node& node, size_t rank) {
  std::vector<int64_t> axes = node.attributeOr<std::vector<int64_t>>("axes", {});
  if (node.inputs.size() > 1 && node.inputs[1].valid()) {
    if (const Tensor* given = builder.constant(node.inputs[1]);
        given != nullptr && given->type() == ElementType::kInt64)
      axes.assign(given->span<int64_t>().begin(), given->span<int64_t>().end());
  }
  std::vector<bool> reduced(rank, axes.empty());
  for (const int64_t axis : axes) {
    const int64_t at = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
    if (at >= 0 && at < static_cast<int64_t>(rank)) reduced[static_cast<size_t>(at)] = true;
  }
  return reduced;
}

bool isSpatial(const std::vector<bool>& reduced) {
  if (reduced.size() < 3 || reduced.size() > 5 || reduced[0] || reduced[1]) return false;
  return std::all_of(reduced.begin() + 2, reduced.end(), [](bool axis) { return axis; });
}

Result<Stored> addPool(PlanBuilder& builder, const Stored& source, const Dimensions& kept) {
  const Dimensions dims = source.descriptor.dims();
  const Dimensions kernel(dims.begin() + 2, dims.end());
  const Dimensions ones(kernel.size(), 1), zeros(kernel.size(), 0);
  using Forward = dnnl::pooling_v2_forward;
  const Forward::desc description(dnnl::prop_kind::forward_inference, algorithm::pooling_avg_exclude_padding,
                                  source.descriptor, anyOrder(kept, DataType::f32), ones, kernel, zeros, zeros, zeros);
  const int64_t work = product(source.descriptor.dims());
  const ThreadShare share(builder.threadsFor(work));
  const Forward::primitive_desc chosen(description, newAttributes(), engine());
  const Stored result = builder.working(chosen.dst_desc());
  CUTAWAY_CHECK(builder.addStep<Forward>(chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}, work));
  return result;
}

Result<Stored> addReduction(PlanBuilder& builder, const Stored& source, const Dimensions& kept, const Method& method) {
  dnnl::post_ops operations;
  if (method.logarithm) operations.append_eltwise(1.0f, algorithm::eltwise_log, 0, 0);
  dnnl::primitive_attr attributes = newAttributes();
  attributes.set_post_ops(operations);
  const int64_t work = product(source.descriptor.dims()) * 8;
  const ThreadShare share(builder.threadsFor(work));
  const Descriptor target = plainDescriptor(kept, DataType::f32);
  CUTAWAY_TRY(const Stored plain, builder.reordered(source, plainDescriptor(source.descriptor.dims(), DataType::f32)));
  const dnnl::reduction::primitive_desc chosen(
      dnnl::reduction::desc(method.kind, plain.descriptor, target, method.power, 0.0f), attributes, engine());
  const Stored result = builder.working(target);
  CUTAWAY_CHECK(builder.addStep<dnnl::reduction>(chosen, {{DNNL_ARG_SRC, plain}, {DNNL_ARG_DST, result}}, work));
  return result;
}

// Over axes of one element each, which the library's reductions refuse: what the method makes of a single number.
Result<Stored> addFunction(PlanBuilder& builder, const Stored& source, const Method& method) {
  const algorithm function = method.logarithm                                          ? algorithm::eltwise_log
                             : method.kind == algorithm::reduction_norm_lp_power_p_sum ? algorithm::eltwise_square
                                                                                       : algorithm::eltwise_abs;
  const int64_t work = product(source.descriptor.dims()) * 2;
  const ThreadShare share(builder.threadsFor(work));
  const dnnl::eltwise_forward::primitive_desc chosen(
      dnnl::eltwise_forward::desc(dnnl::prop_kind::forward_inference, function, source.descriptor, 0, 0),
      newAttributes(), engine());
  const Stored result = builder.working(chosen.dst_desc());
  CUTAWAY_CHECK(builder.addStep<dnnl::eltwise_forward>(chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}, work));
  return result;
}

Result<void> lowerReduction(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  const std::vector<bool> reduced = reducedAxes(builder, node, dims.size());
  const bool keeps = node.attributeOr<int64_t>("keepdims", 1) != 0;
  Dimensions kept = dims;
  std::vector<int64_t> result;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (reduced[axis]) kept[axis] = 1;
    if (!reduced[axis] || keeps) result.push_back(kept[axis]);
  }
  const Stored source = builder.stored(node.inputs[0]);
  Result<Stored> made;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    const Method method = methodOf(node.opType);
    if (kept == dims) {
      made = method.logarithm || method.power != 0 ? addFunction(builder, source, method) : Result<Stored>(source);
    } else if (node.opType == "ReduceMean" && isSpatial(reduced)) {
      made = addPool(builder, source, kept);
    } else {
      made = addReduction(builder, source, kept, method);
    }
    if (made && !keeps) made = builder.viewed(*made, result.empty() ? Dimensions{1} : result);
  }));
  if (!made) return fail(made.error());
  builder.define(node.outputs[0], std::move(result), *made);
  return {};
}

std::optional<Objection> checkReduction(const KernelInfo& info) {
  const Tensor* axes = info.constantInput(1);
  const bool none = info.hasInput(1) ? axes != nullptr && axes->elementCount() == 0
                                     : info.attribute<std::vector<int64_t>>("axes", {}).empty();
  if (none && info.attribute<int64_t>("noop_with_empty_axes", 0) != 0) {
    return Objection{RefusalCause::kAttribute, "a reduction over no axes is left to the kernels",
                     info.node().opType + ".attributes.noop_with_empty_axes", "noop_with_empty_axes = 1, no axes",
                     "axes"};
  }
  return std::nullopt;
}

// The library starts from the largest finite number: a row of infinities would come out finite.
std::optional<Objection> checkExtreme(const KernelInfo& info) {
  return Objection{RefusalCause::kOperator,
                   "the library's extreme of a row of infinities is a finite number, and masks are made of them",
                   info.node().opType + ".infinities", info.node().opType, "none: the kernels run it"};
}

constexpr int kSecond[] = {1};
constexpr OperatorRow extreme(std::string_view opType) {
  return {.opType = opType, .check = checkExtreme, .lower = lowerReduction};
}
constexpr OperatorRow row(std::string_view opType) {
  return {
      .opType = opType, .minimumRank = 1, .constantInputs = kSecond, .check = checkReduction, .lower = lowerReduction};
}
constexpr OperatorRow kRows[] = {row("ReduceMean"),    row("ReduceSum"),       extreme("ReduceMax"),
                                 extreme("ReduceMin"), row("ReduceProd"),      row("ReduceL1"),
                                 row("ReduceL2"),      row("ReduceSumSquare"), row("ReduceLogSum")};

}  // namespace

OperatorRows operators_reduction() {
  return kRows;
}

}  // namespace cutaway::onednn
