#pragma once
// Who takes which node of one graph: providers asked in order, groups taken whole or not at all, compiled at once.
//
// The graph itself is only marked (Node::provider); fusing happens when everybody has answered, so that reports can
// refer to the graph as it was asked about. Thread rule: one partitioning. Example: see partition.cpp.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/provider/group_namer.h"
#include "engine/provider/provider_calls.h"
#include "engine/report/partition_report.h"
#include "engine/stages/partition/convexity.h"
#include "engine/stages/partition/extract.h"
#include "engine/stages/partition/fused_names.h"
#include "engine/stages/partition/layout_edits.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/partition/user_rules.h"

namespace cutaway::partition {

struct AcceptedGroup {
  std::vector<NodeId> nodes;
  MetaDef metaDef;
  ExecutionProvider* provider = nullptr;
  std::string fusedName;
  CompiledNode compiled;
  std::optional<Graph> inner;  // as compile() got it; kept with PartitionOptions::captureGroups
  bool restored = false;       // one EPContext node, which stays as it is
};

struct GraphAssignment {
  explicit GraphAssignment(Graph& asked) : graph(&asked), contraction(asked), answers(asked.nodeSlots()) {}

  Graph* graph;
  Contraction contraction;
  std::vector<NodeId>
      order;  // topological; found with the first question. Whoever edits the graph between questions empties it.
  std::vector<AcceptedGroup> groups;
  std::vector<std::vector<ProviderAnswer>> answers;  // by node index, in order of priority
  TextPool texts;                                    // of the answers: providers say the same of many nodes
  std::vector<LayoutEdits> layouts;  // nodes that providers took with channels last, in the order of the edits
  std::string insideGroup;           // fused name of the group around this body, when its node went into one
};

struct AssignmentContext {
  const std::shared_ptr<Model>& model;
  const PartitionOptions& options;
  const Progress& progress;
  ProviderSummary& summary;
  FusedNames& fusedNames;
  UserRules& rules;
  int32_t provider = 0;  // in order of priority
  ProviderCalls& calls;
  const std::shared_ptr<GroupNamer>& names;
  std::span<GraphAssignment> assignments;  // of all graphs
  std::vector<std::string>& warnings;
  const KernelRegistry* hostKernels = nullptr;  // of the provider of last resort
};

// Asks one provider about one graph, marks what it takes and compiles its groups. A group that fails to compile is
// given back with Verdict::kCompileFailed. An answer that makes no sense, an error and an exception are recorded, and
// the provider takes nothing of what they concern; only cancelling and policies are errors. Nodes kept for another
// provider are not offered. only: nothing but these nodes (asked about again); empty: every free node.
Result<void> askProvider(GraphAssignment& assignment, ExecutionProvider& provider, const AssignmentContext& context,
                         std::span<const NodeId> only = {});

// The bare question, asked on the worker. MODEL_LOAD_CANCELED when the user cancelled; every other error is the
// provider's.
Result<CapabilityAnswer> askCapability(const GraphAssignment& assignment, ExecutionProvider& provider,
                                       const AssignmentContext& context, std::vector<NodeId> free);

// Sets the nodes of a group free again.
void giveBack(GraphAssignment& assignment, const AcceptedGroup& group, const ProviderAnswer& why);

}  // namespace cutaway::partition
