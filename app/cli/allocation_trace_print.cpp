#include "app/cli/allocation_trace_print.h"

#include <nlohmann/json.hpp>

#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/json.h"

namespace cutaway::cli {

using study::AllocationTrace;
using study::TracedAllocation;

void printAllocationTrace(const WalkReport& walk, const AllocationTrace& trace) {
  const GraphReport& graph = walk.partitionedGraphs->graphs[0];
  TableOf<TracedAllocation> table(
      {{"value", [&](const TracedAllocation& each) { return valueName(graph, each.value); }},
       {"kind", [](const TracedAllocation& each) { return std::string(allocKindName(each.kind)); }},
       {"in the buffer of",
        [&](const TracedAllocation& each) {
          return each.rootValue == each.value ? std::string() : valueName(graph, each.rootValue);
        }},
       {">bytes", [](const TracedAllocation& each) { return formatBytes(each.bytes); }},
       {">planned",
        [](const TracedAllocation& each) {
          return each.plannedBytes < 0 ? std::string("open") : formatBytes(each.plannedBytes);
        }},
       {">offset",
        [](const TracedAllocation& each) { return each.offset < 0 ? std::string() : formatCount(each.offset); }},
       {">made", [](const TracedAllocation& each) { return formatCount(each.madeAtStep); }},
       {">free behind", [](const TracedAllocation& each) { return formatCount(each.freeAfterStep); }}},
      trace.allocations);
  put("\nallocations of the profiled run (main graph; sizes as it showed them)\n");
  table.print();
  put("\nmost bytes at once: every value by itself {}; buffers used again {}; one block with offsets {}\n",
      formatBytes(trace.ownPeakBytes), formatBytes(trace.reusePeakBytes),
      trace.patternPeakBytes < 0 ? "none" : formatBytes(trace.patternPeakBytes));
  put("measured: {}, with workspace{}\n", formatBytes(trace.measuredPeakBytes),
      trace.untracedValues > 0 ? fmt::format("; {} values are no tensors, and in no sum", trace.untracedValues)
                               : std::string());
}

nlohmann::json allocationTraceToJson(const WalkReport& walk, const AllocationTrace& trace) {
  const GraphReport& graph = walk.partitionedGraphs->graphs[0];
  nlohmann::json records = nlohmann::json::array();
  for (const TracedAllocation& each : trace.allocations) {
    records.push_back({{"value", valueName(graph, each.value)},
                       {"kind", allocKindName(each.kind)},
                       {"rule", allocRuleName(each.rule)},
                       {"buffer", valueName(graph, each.rootValue)},
                       {"bytes", each.bytes},
                       {"planned_bytes", each.plannedBytes},
                       {"offset", each.offset},
                       {"made_at_step", each.madeAtStep},
                       {"free_after_step", each.freeAfterStep},
                       {"counted", each.counted}});
  }
  return {{"allocations", std::move(records)},          {"own_peak_bytes", trace.ownPeakBytes},
          {"reuse_peak_bytes", trace.reusePeakBytes},   {"pattern_peak_bytes", trace.patternPeakBytes},
          {"lower_bound_bytes", trace.lowerBoundBytes}, {"measured_peak_bytes", trace.measuredPeakBytes},
          {"untraced_values", trace.untracedValues}};
}

}  // namespace cutaway::cli
