// Look-ups and sums over one partition report.
#include "ui/panels/partition/partition_view.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <QObject>

#include "ui/base/format.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

// Reports made before causes were summed up: refusals that share provider, verdict, cause and rule (or reason).
std::vector<RefusalSummary> gatherRefusals(const PartitionReport& report) {
  std::map<std::tuple<std::string, Verdict, RefusalCause, std::string>, RefusalSummary> summaries;
  for (size_t n = 0; n < report.nodes.size(); ++n)
    for (const ProviderAnswer& answer : report.nodes[n].answers) {
      if (answer.verdict == Verdict::kClaimed || answer.verdict == Verdict::kAlreadyTaken) continue;
      RefusalSummary& summary =
          summaries[{answer.provider, answer.verdict, answer.cause, answer.rule.empty() ? answer.reason : answer.rule}];
      if (summary.nodes.empty())
        summary = {answer.provider, answer.verdict, answer.cause, answer.rule, answer.reason, answer.remedy, {}, 0};
      summary.nodes.push_back(static_cast<int32_t>(n));
      summary.flops += std::max<int64_t>(0, report.nodes[n].flops);
    }
  std::vector<RefusalSummary> sorted;
  for (auto& [key, summary] : summaries)
    sorted.push_back(std::move(summary));
  std::stable_sort(sorted.begin(), sorted.end(), [](const RefusalSummary& a, const RefusalSummary& b) {
    return std::tuple(a.flops, a.nodes.size()) > std::tuple(b.flops, b.nodes.size());
  });
  return sorted;
}

void countShares(PartitionView& view) {
  const PartitionReport& report = *view.report;
  view.shares.resize(report.providers.size());
  std::map<std::string, size_t, std::less<>> indexes;
  for (size_t i = 0; i < report.providers.size(); ++i)
    indexes.emplace(report.providers[i].name, i);
  const std::string* latest = nullptr;  // neighbours mostly have the same provider
  ProviderShare* latestShare = nullptr;
  const auto shareOf = [&](const std::string& provider) -> ProviderShare* {
    if (latest && *latest == provider) return latestShare;
    const auto found = indexes.find(provider);
    latest = &provider;
    return latestShare = found == indexes.end() ? nullptr : &view.shares[found->second];
  };
  for (const NodePlacement& placement : report.nodes) {
    const int64_t flops = std::max<int64_t>(0, placement.flops);
    const int64_t unknown = placement.flops < 0 ? 1 : 0;
    view.flops += flops;
    view.unknownNodes += unknown;
    if (ProviderShare* share = shareOf(placement.provider))
      ++share->nodes, share->flops += flops, share->unknownNodes += unknown;
  }
  for (const GroupReport& group : report.groups)
    if (ProviderShare* share = shareOf(group.provider)) ++share->groups;
}

}  // namespace

std::shared_ptr<const PartitionView> partitionView(const WalkReport& walk) {
  if (!walk.partition) return nullptr;
  auto view = std::make_shared<PartitionView>();
  view->report = walk.partition;
  view->optimized = walk.optimizedGraphs;
  view->marks = providerMarks(walk);
  view->refusals = walk.partition->refusals.empty() ? gatherRefusals(*walk.partition) : walk.partition->refusals;
  countShares(*view);
  const std::vector<NodePlacement>& nodes = walk.partition->nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].graph < 0 || nodes[i].node < 0) continue;
    const auto graph = static_cast<size_t>(nodes[i].graph), node = static_cast<size_t>(nodes[i].node);
    if (graph >= view->rows.size()) view->rows.resize(graph + 1);
    if (node >= view->rows[graph].size())
      view->rows[graph].resize(std::max(node + 1, view->rows[graph].size() * 2), kNone);
    view->rows[graph][node] = static_cast<int32_t>(i);
  }
  return view;
}

int PartitionView::row(int graph, int node) const {
  if (graph < 0 || node < 0 || graph >= static_cast<int>(rows.size()) ||
      node >= static_cast<int>(rows[static_cast<size_t>(graph)].size()))
    return kNone;
  return rows[static_cast<size_t>(graph)][static_cast<size_t>(node)];
}

const NodePlacement* PartitionView::placement(int graph, int node) const {
  const int index = row(graph, node);
  return index < 0 ? nullptr : &report->nodes[static_cast<size_t>(index)];
}

const NodeReport* PartitionView::node(const NodePlacement& placement) const {
  if (!optimized || placement.graph < 0 || placement.graph >= static_cast<int>(optimized->graphs.size()))
    return nullptr;
  const std::vector<NodeReport>& nodes = optimized->graphs[static_cast<size_t>(placement.graph)].nodes;
  return placement.node >= 0 && placement.node < static_cast<int>(nodes.size())
             ? &nodes[static_cast<size_t>(placement.node)]
             : nullptr;
}

std::vector<NodeTarget> PartitionView::targets(const std::vector<int32_t>& placements) const {
  std::vector<NodeTarget> found;
  found.reserve(placements.size());
  for (const int32_t index : placements)
    if (index >= 0 && index < static_cast<int32_t>(report->nodes.size()))
      found.push_back({GraphVersion::kOptimized, report->nodes[static_cast<size_t>(index)].graph,
                       report->nodes[static_cast<size_t>(index)].node});
  return found;
}

std::vector<NodeTarget> PartitionView::groupTargets(const GroupReport& group) const {
  std::vector<NodeTarget> found;
  found.reserve(group.nodes.size());
  for (const int32_t node : group.nodes)
    found.push_back({GraphVersion::kOptimized, group.graph, node});
  return found;
}

QString verdictText(const ProviderAnswer& answer) {
  switch (answer.verdict) {
    case Verdict::kClaimed:
      return QObject::tr("\u2713 claimed");
    case Verdict::kAlreadyTaken:
      return QObject::tr("\u2013 already claimed");
    case Verdict::kRefused:
      return QObject::tr("\u2715 refused");
    case Verdict::kGroupRejected:
      return QObject::tr("\u2715 group rejected");
    case Verdict::kCompileFailed:
      return QObject::tr("\u2715 compile failed");
    case Verdict::kReleased:
      return QObject::tr("\u21a9 given back");
  }
  return text(verdictName(answer.verdict));
}

QString answerText(const ProviderAnswer& answer) {
  return answer.reason.empty() || answer.verdict == Verdict::kAlreadyTaken
             ? verdictText(answer)
             : verdictText(answer) + QStringLiteral(": ") + told(answer.reason);
}

}  // namespace cutaway::ui
