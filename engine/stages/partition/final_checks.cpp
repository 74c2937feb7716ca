#include "engine/stages/partition/final_checks.h"

#include "engine/schema/schema.h"
#include "engine/stages/partition/policies.h"

namespace cutaway::partition {

namespace {

// What would help where an operator is of a domain that nobody here knows.
constexpr std::string_view kCustomHint =
    "; a custom operator runs when its library is opened (--custom-ops), the model brings a function of its name "
    "along, or known operators stand in its place";

const NodeReport& reported(const Partition& partition, const NodePlacement& node) {
  return partition.askedGraphs.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)];
}

Error unassignedError(const Model& model, const Partition& partition, const NodePlacement& node) {
  const NodeReport& report = reported(partition, node);
  const int64_t opset = importedVersion(model.opsets, report.domain);
  return {ErrorCode::kNotImplemented,
          fmt::format("no provider runs operator {} of domain '{}', opset {}{}{}", report.opType,
                      report.domain.empty() ? "ai.onnx" : report.domain, opset, reasonsAgainst(node),
                      isKnownDomain(report.domain) ? "" : kCustomHint),
          {{}, report.name, {}}};
}

}  // namespace

Result<void> checkPlacements(const Model& model, const Partition& partition, const PartitionOptions& options,
                             const std::string& last) {
  if (options.disableCpuFallback) CUTAWAY_CHECK(checkCpuFallback(partition.report, partition.askedGraphs, last));
  if (!options.runnable || partition.report.unassignedNodes == 0) return {};
  for (const NodePlacement& node : partition.report.nodes) {
    if (node.provider.empty()) return fail(unassignedError(model, partition, node));
  }
  return {};
}

}  // namespace cutaway::partition
