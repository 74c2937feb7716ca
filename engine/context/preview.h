#pragma once
// What an export would keep, and what not and why: from the partition's report, without compiling or writing anything.
//
// Thread rule: pure. Example: context.groups = previewContexts(report, partition.askedGraphs, providers);

#include <memory>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/report/context_report.h"
#include "engine/report/partition_report.h"

namespace cutaway::context {

// graphs: those that the report refers to (Partition::askedGraphs). One entry a group, in the report's order; nodes
// that run by kernel are among them, with what becomes of them as the reason.
std::vector<ContextGroup> previewContexts(const PartitionReport& report, const ModelGraphs& graphs,
                                          std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway::context
