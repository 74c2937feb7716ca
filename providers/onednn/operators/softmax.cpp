// Softmax and LogSoftmax, see engine/operators/softmax.h.
#include "engine/operators/softmax.h"

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

Result<void> lowerSoftmax(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  CUTAWAY_TRY(const operators::AxisSplit split, operators::softmaxSplit(operators::readSoftmax(node), dims));
  Dimensions seen{split.outer, split.length};
  if (split.inner != 1) seen.push_back(split.inner);
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
