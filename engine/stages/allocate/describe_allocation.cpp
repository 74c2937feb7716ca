#include "engine/stages/allocate/allocate.h"
#include "engine/stages/allocate/size_class.h"

namespace cutaway {

GraphAllocation describeAllocation(const Graph& graph, const AllocationPlan& plan, int32_t graphIndex) {
  const auto indexOf = [](ValueId value) { return value.valid() ? static_cast<int32_t>(value.index()) : kNone; };
  GraphAllocation report;
  report.graph = graphIndex;
  report.values.resize(graph.valueSlots());
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    const ValueType& type = graph.value(ValueId{i}).type;
    const AllocPlanPerValue& planned = plan.values[i];
    ValueAllocation& value = report.values[i];
    value.value = static_cast<int32_t>(i);
    value.kind = planned.kind;
    value.device = planned.kind == AllocKind::kNotSet ? "" : planned.device.name;
    value.reusedValue = indexOf(planned.reusedBuffer);
    value.rootValue = indexOf(planned.root);
    value.inPlace = planned.inPlace;
    value.starts = planned.counter.starts;
    value.ends = planned.counter.ends;
    value.sizeBytes = staticByteSize(type).value_or(-1);
    value.sizeText = sizeText(type);
    value.reason = planned.reason;
  }
  return report;
}

}  // namespace cutaway
