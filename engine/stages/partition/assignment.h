#pragma once
// Who takes which node of one graph: providers asked in order, groups taken whole or not at all, compiled at once.
//
// The graph itself is only marked (Node::provider); fusing happens when everybody has answered, so that reports can refer to the graph as it was asked about.
// Thread rule: one partitioning. Example: see partition.cpp.

#include <memory>
#include <span>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/report/partition_report.h"
#include "engine/stages/partition/convexity.h"
#include "engine/stages/partition/extract.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/partition/reservations.h"

namespace cutaway {

struct AcceptedGroup {
  std::vector<NodeId> nodes;
  MetaDef metaDef;
  ExecutionProvider* provider = nullptr;
  std::string fusedName;
  CompiledNode compiled;
};

struct GraphAssignment {
  explicit GraphAssignment(Graph& asked) : graph(&asked), contraction(asked), answers(asked.nodeSlots()) {}

  Graph* graph;
  Contraction contraction;
  std::vector<AcceptedGroup> groups;
  std::vector<std::vector<ProviderAnswer>> answers;  // by node index, in asking order
};

struct AssignmentContext {
  const Model& model;
  const PartitionOptions& options;
  const Progress& progress;
  ProviderSummary& summary;
  int& fusedCounter;
  Reservations& kept;
  int32_t provider = 0;  // in asking order
};

// Asks one provider about one graph, marks what it takes and compiles its groups. A group that fails to compile is given back with Verdict::kCompileFailed.
// Nodes kept for another provider are not offered. only: nothing but these nodes (asked about again); empty: every free node.
Result<void> askProvider(GraphAssignment& assignment, ExecutionProvider& provider, const AssignmentContext& context, std::span<const NodeId> only = {});

}  // namespace cutaway
