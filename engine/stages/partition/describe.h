#pragma once
// The partition report: who answered what about each node, which groups came of it, and what each provider took.
//
// Thread rule: pure over the assignments in hand; answers are moved out of them. Near-linear.
// Example: describeAssignments(model, assignments, providers, result.report);   // after Partition::askedGraphs is
// taken, before groups are fused

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// Index of each graph in reports.
std::unordered_map<const Graph*, int32_t> indexGraphs(const Model& model);

// Fills report.nodes, groups, refusals, unassignedNodes and the figures of report.providers, which stand in asking
// order already.
void describeAssignments(const Model& model, std::vector<GraphAssignment>& assignments,
                         std::span<const std::unique_ptr<ExecutionProvider>> providers, PartitionReport& report);

}  // namespace cutaway::partition
