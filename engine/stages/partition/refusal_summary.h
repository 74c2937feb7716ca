#pragma once
// Refusals that share provider, verdict, cause and rule, together: what would be won by removing the cause.
//
// Refusals without a rule share one when their reasons differ in quoted names and numbers only.
// Thread rule: pure. Near-linear. Example: report.refusals = summarizeRefusals(report.providers, report.nodes);

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/partition_report.h"

namespace cutaway::partition {

// Most FLOPs first, then most nodes, then in order of priority. Nodes already taken by somebody else are no refusals.
std::vector<RefusalSummary> summarizeRefusals(std::span<const ProviderSummary> providers,
                                              std::span<const NodePlacement> nodes);

// The reason without what is quoted and without numbers: "input 0 ('x') is double" and "input 2 ('y') is double" are of
// one pattern.
std::string reasonPattern(std::string_view reason);

}  // namespace cutaway::partition
