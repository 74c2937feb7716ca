// Softmax and LogSoftmax; before version 13 over all axes from `axis` on at once.
#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

Result<void> lowerSoftmax(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  const auto rank = static_cast<int64_t>(dims.size());
  const bool flattens = node.sinceVersion < 13;
  int64_t axis = node.attributeOr<int64_t>("axis", flattens ? 1 : -1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank || (axis == rank && !flattens))
    return fail(ErrorCode::kInvalidGraph, "{}: axis {} of rank {}", node.opType, axis, rank);
  const std::span<const int64_t> all(dims);
  const auto from = static_cast<size_t>(axis);
  const int64_t before = elementCount(all.first(from));
  Dimensions seen{before, elementCount(all.subspan(from))};
  if (!flattens) seen = {before, all[from], elementCount(all.subspan(from + 1))};
  if (!flattens && seen[2] == 1) seen.pop_back();
  const int64_t work = product(dims) * 32;
  const Stored given = builder.stored(node.inputs[0]);
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    done = [&]() -> Result<void> {
      CUTAWAY_TRY(const Stored plain,
                  builder.reordered(given, plainDescriptor(given.descriptor.dims(), DataType::f32)));
      const Stored source{plain.buffer, plainDescriptor(seen, DataType::f32)};
      using Forward = dnnl::softmax_v2_forward;
      const auto algorithm =
          node.opType == "LogSoftmax" ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
      const Forward::desc description(dnnl::prop_kind::forward_inference, algorithm, source.descriptor,
                                      source.descriptor, 1);
      const ThreadShare share(builder.threadsFor(work));
      const Forward::primitive_desc chosen(description, newAttributes(), engine());
      const Stored result = builder.working(source.descriptor);
      CUTAWAY_CHECK(builder.addStep<Forward>(chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}, work));
      builder.define(node.outputs[0], dims, Stored{result.buffer, plainDescriptor(dims, DataType::f32)});
      return {};
    }();
  }));
  return done;
}

constexpr OperatorRow kRows[] = {
    {.opType = "Softmax", .minimumRank = 1, .lower = lowerSoftmax},
    {.opType = "LogSoftmax", .minimumRank = 1, .lower = lowerSoftmax},
};

}  // namespace

OperatorRows operators_softmax() {
  return kRows;
}

}  // namespace cutaway::onednn
