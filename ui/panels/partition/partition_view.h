#pragma once
// What the parts of the partition panel read: the snapshot with the look-ups and sums that the report does not hold,
// made once when it arrives.
//
// Thread rule: immutable once made.
// Example: const auto view = partitionView(*walk);  if (const NodePlacement* node = view->placement(0, 12))
// show(node->answers);

#include <memory>
#include <vector>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/base/provider_marks.h"

namespace cutaway::ui {

struct ProviderShare {
  int64_t nodes = 0;
  int64_t groups = 0;
  int64_t flops = 0;         // as far as known
  int64_t unknownNodes = 0;  // whose operations are not
};

struct PartitionView {
  std::shared_ptr<const PartitionReport> report;
  std::shared_ptr<const ModelGraphs> optimized;
  ProviderMarks marks;
  std::vector<ProviderShare> shares;       // of report->providers
  std::vector<RefusalSummary> refusals;    // the report's, or gathered from the answers
  int64_t flops = 0;                       // of all nodes, as far as known
  int64_t unknownNodes = 0;                // whose operations are not
  std::vector<std::vector<int32_t>> rows;  // [graph][node of the optimised graph] -> index in report->nodes, kNone

  const NodePlacement* placement(int graph, int node) const;
  int row(int graph, int node) const;  // kNone
  const NodeReport* node(const NodePlacement& placement) const;
  std::vector<NodeTarget> targets(const std::vector<int32_t>& placements) const;
  std::vector<NodeTarget> groupTargets(const GroupReport& group) const;
};

std::shared_ptr<const PartitionView> partitionView(const WalkReport& walk);

// The verdict with its mark, which says the same without colour: "\u2713 claimed", "\u2715 refused".
QString verdictText(const ProviderAnswer& answer);
QString answerText(const ProviderAnswer& answer);  // with its reason, one line

}  // namespace cutaway::ui
