#include "engine/stages/allocate/allocate.h"
#include "engine/stages/allocate/size_class.h"

namespace cutaway::allocate {

GraphAllocation describeAllocation(const Graph& graph, const AllocationPlan& plan, int32_t graphIndex) {
  const auto indexOf = [](ValueId value) { return value.valid() ? static_cast<int32_t>(value.index()) : kNone; };
  std::vector<int64_t> sizes(graph.valueSlots());
  for (size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = staticByteSize(graph.value(ValueId{i}).type).value_or(-1);
  const std::vector<int64_t> offsets = offsetsInRoot(graph, plan, sizes);
  GraphAllocation report;
  report.graph = graphIndex;
  report.values.resize(graph.valueSlots());
  TextPool texts;
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    const AllocPlanPerValue& planned = plan.values[i];
    ValueAllocation& value = report.values[i];
    value.value = static_cast<int32_t>(i);
    value.kind = planned.kind;
    value.rule = planned.rule;
    if (planned.kind != AllocKind::kNotSet) value.device = texts.of(planned.device.name);
    value.reusedValue = indexOf(planned.reusedBuffer);
    value.rootValue = indexOf(planned.root);
    value.inPlace = planned.inPlace;
    if (planned.rule == AllocRule::kPart || planned.rule == AllocRule::kSplitPart) value.partOffset = offsets[i];
    value.starts = planned.counter.starts;
    value.ends = planned.counter.ends;
    value.sizeBytes = sizes[i];
    value.sizeText = texts.of(sizes[i] >= 0 ? std::to_string(sizes[i]) : sizeText(graph.value(ValueId{i}).type));
    value.reason = planned.reason;
    value.closestValue = indexOf(planned.closest);
  }
  return report;
}

}  // namespace cutaway::allocate
