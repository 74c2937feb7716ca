#include "engine/stages/partition/policies.h"

#include <algorithm>

namespace cutaway::partition {

std::string reasonsAgainst(const NodePlacement& node) {
  std::string text;
  for (const ProviderAnswer& answer : node.answers) {
    if (answer.verdict != Verdict::kClaimed) text += fmt::format("; {}: {}", answer.provider, answer.reason);
  }
  return text;
}

Result<void> checkCpuFallback(const PartitionReport& report, const ModelGraphs& askedGraphs, const std::string& last) {
  const auto onCpu = [&](const NodePlacement& node) { return node.provider.empty() || node.provider == last; };
  const auto first = std::ranges::find_if(report.nodes, onCpu);
  if (first == report.nodes.end()) return {};
  const NodeReport& node =
      askedGraphs.graphs[static_cast<size_t>(first->graph)].nodes[static_cast<size_t>(first->node)];
  const auto count = std::ranges::count_if(report.nodes, onCpu);
  return fail(Error{
      ErrorCode::kFail,
      fmt::format(
          "{} of {} nodes would run on the CPU, and session.disable_cpu_ep_fallback forbids that; the first is {}{}",
          count, report.nodes.size(), node.opType, reasonsAgainst(*first)),
      {{}, node.name, {}},
      true});
}

std::string placementWarning(const PartitionReport& report) {
  if (report.providers.size() < 2) return {};
  const std::string& preferred = report.providers.front().name;
  std::string counts;
  int64_t elsewhere = 0;
  for (const ProviderSummary& provider : report.providers) {
    const auto count =
        std::ranges::count_if(report.nodes, [&](const NodePlacement& node) { return node.provider == provider.name; });
    if (provider.name == preferred || count == 0) continue;
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", provider.name, count);
    elsewhere += count;
  }
  if (elsewhere == 0) return {};
  return fmt::format("{} of {} nodes are not on {}, the preferred provider: {}", elsewhere, report.nodes.size(),
                     preferred, counts);
}

}  // namespace cutaway::partition
