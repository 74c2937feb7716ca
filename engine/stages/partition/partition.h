#pragma once
// Partition: every node gets a provider, in asking order; groups are fused and compiled; copies are inserted where values cross devices.
//
// Thread rule: pure over the model in hand, apart from the providers, which are called from this thread.
// Example: CUTAWAY_TRY(Partition partition, partitionModel(model, providers, options, progress));

#include <map>
#include <memory>
#include <span>
#include <string>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/partition_report.h"

namespace cutaway {

struct PartitionOptions {
  int optimizationLevel = 3;               // passed to rewriteAssigned
  bool disableCpuFallback = false;         // session.disable_cpu_ep_fallback
  bool disableCompile = false;             // session.disable_model_compile
  bool runnable = true;                    // false: only looking; unassigned nodes are reported, not an error
};

struct Partition {
  std::map<std::string, CompiledNode> compiled;  // by fused node name
  ModelGraphs askedGraphs;                        // as the providers saw them (optimised, functions inlined): NodePlacement and GroupReport refer to these
  PartitionReport report;
};

// providers: in asking order, cpu last. NOT_IMPLEMENTED naming node, operator and opset when nobody takes a node and options.runnable; FAIL when CPU fallback is disabled and was needed;
// MODEL_REQUIRES_COMPILATION; MODEL_LOAD_CANCELED.
Result<Partition> partitionModel(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers, const PartitionOptions& options, Progress& progress);

}  // namespace cutaway
