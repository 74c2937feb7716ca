#pragma once
// Partition: every node gets a provider, in order of priority; groups are fused and compiled; copies are inserted where
// values cross devices.
//
// Thread rule: pure over the model in hand, apart from the providers, which are called one at a time from a worker
// thread, so that a call that hangs can be cancelled. Whoever owns providers ends them with disposeProviders()
// (provider_calls.h): a call that was given up still uses them. Example: CUTAWAY_TRY(Partition partition,
// partitionModel(model, providers, options, progress));

#include <map>
#include <memory>
#include <span>
#include <string>

#include "engine/base/progress.h"
#include "engine/context_binary/context_catalog.h"
#include "engine/graph/model.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/context_report.h"
#include "engine/report/partition_report.h"

namespace cutaway::partition {

// Policies of onnxruntime's session keys (onnxruntime_session_options_config_keys.h), as texts; read and checked by the
// partition stage.
struct PartitionRules {
  std::string layerAssignment;      // session.layer_assignment_settings
  std::string nameBasedAssignment;  // session.name_based_layer_assignment
  std::string memoryBudget;         // session.resource_cuda_partitioning_settings
  std::string nodeStatsFile;        // session.collect_node_memory_stats_to_file
  std::string shapeOverride;        // session.max_shape_override
  std::string partitionFile;        // session.node_partition_config_file
};

struct PartitionOptions {
  int optimizationLevel = 3;        // passed to rewriteAssigned
  bool disableCpuFallback = false;  // session.disable_cpu_ep_fallback
  bool disableCompile = false;      // session.disable_model_compile
  bool runnable = true;             // false: only looking; unassigned nodes are reported, not an error
  bool compile = true;              // false: groups are formed and fused, and nothing is compiled (what-if)
  std::vector<NodePin> pins;        // the first that fits a node decides
  int64_t minimumGroupNodes = 1;    // smaller compiled groups go to the next provider
  size_t behindLast = 0;            // so many providers right before the last one are asked after it: the user's order
  bool askAboutTaken = false;       // who is asked later says of taken nodes, too, whether it would have taken them
  bool weighIslands = false;        // devices give back what their transfers do not pay for (island_weight.h)
  int threads = 1;                  // of the host, for that
  PartitionRules rules;
  std::vector<context_binary::ContextSource> contextSources;  // who writes context models, as the provider table tells
  context_binary::ContextPlace contextPlace;                  // where binaries of EPContext nodes are looked for
  bool captureGroups = false;                                 // keep what an export needs: Partition::captured
  std::string contextPrefix;                     // ep.context_node_name_prefix: before the names of fused nodes
  const ModelGraphs* describedBefore = nullptr;  // the model as a stage before described it: what is told of the nodes
                                                 // inside EPContext nodes is copied from there
  std::map<int32_t, std::string>
      layerOfOrigin;  // node metadata "layer_ann" of the file, by OriginId (LoadReport::origins)
};

// What an export needs, from the moment when groups are fused and nothing else is done yet: no provider's rewrites, no
// copies.
struct CapturedGroups {
  std::shared_ptr<const Model> fused;                                  // weights shared with the model in hand
  std::map<std::string, std::shared_ptr<const FusedSubGraph>> groups;  // by fused node name; `model` in them is `fused`
};

struct Partition {
  std::map<std::string, CompiledNode> compiled;  // by fused node name
  ModelGraphs askedGraphs;  // as the providers saw them (optimised, functions inlined): NodePlacement and GroupReport
                            // refer to these
  PartitionReport report;
  std::vector<ContextNodeReport>
      contextNodes;  // in order of graphs and nodes of askedGraphs, which their places refer to, with the checks made
  std::shared_ptr<const CapturedGroups> captured;  // with PartitionOptions::captureGroups
};

// providers: in order of priority, cpu last. NOT_IMPLEMENTED naming node, operator and opset when nobody takes a node
// and options.runnable; FAIL when CPU fallback is disabled and was needed; MODEL_REQUIRES_COMPILATION;
// MODEL_LOAD_CANCELED, after which the model is empty when a provider hung.
Result<Partition> partitionModel(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                 const PartitionOptions& options, Progress& progress);

}  // namespace cutaway::partition
