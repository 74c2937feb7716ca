#pragma once
// Does a provider's answer make sense? Every claim that does not is refused whole, with its own reason.
//
// Checked here: nodes exist, were offered, stand in one claim only and not among the refusals too; a MetaDef lists what
// its nodes need from outside and what others need from them, each once. Whether groups close cycles is asked of all
// sound claims together (convexity.h). Thread rule: pure. Linear in the answer. Example: const
// std::vector<ClaimVerdict> verdicts = checkClaims(graph, free, answer, 4);

#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::partition {

struct ClaimVerdict {
  bool accepted = true;
  RefusalCause cause = RefusalCause::kBadAnswer;
  SharedText reason{};
  SharedText rule{};
  SharedText seen{};
  SharedText remedy{};
};

// One verdict per claim, in order. minimumGroupNodes: smaller groups with a MetaDef are refused with kTooSmall.
std::vector<ClaimVerdict> checkClaims(const Graph& graph, std::span<const NodeId> free, const CapabilityAnswer& answer,
                                      int64_t minimumGroupNodes);

}  // namespace cutaway::partition
