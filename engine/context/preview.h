#pragma once
// What an export would keep, and what not and why: from the partition's report, without compiling or writing anything.
//
// Thread rule: pure. Example: context.groups = previewContexts(report, providers);

#include <memory>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/report/context_report.h"
#include "engine/report/partition_report.h"

namespace cutaway {

std::vector<ContextGroup> previewContexts(const PartitionReport& report, std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway
