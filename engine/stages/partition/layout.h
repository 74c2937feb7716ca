#pragma once
// A provider that prefers channels last is asked twice: about the graph as it is, and again with the nodes on images
// that it claimed moved to kChannelsLastDomain.
//
// What it does not claim again is released (Verdict::kReleased with the reason it gave), the graph is put back as it
// was, and it is asked once more without those nodes, until it confirms all the others. So a refusal never fails a
// session, and a provider that confirms nothing leaves no trace. Nodes are edited in place: ids stay, new nodes come
// behind. Thread rule: one partitioning. Example:
//   CUTAWAY_TRY(LayoutAnswer answer, askInItsLayout(assignment, provider, context, free));
//   ... take its claims, compile them ...
//   if (answer.turned) settleLayout(assignment, name);   // confirmed, and then rejected or not compiled

#include <vector>

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// The newest ai.onnx whose operators the rules of this stage know; with newer ones nobody is asked twice.
inline constexpr int64_t kNewestLayoutOpset = 28;

struct LayoutAnswer {
  CapabilityAnswer said;
  std::vector<NodeId> free;  // what it was said of, new Transposes included, released nodes left out
  bool turned = false;       // nodes have moved, and settleLayout is due
};

// As askCapability for providers that are content with channels first, and where nodes must not move (others have been
// asked about what stands around them).
Result<LayoutAnswer> askInItsLayout(GraphAssignment& assignment, ExecutionProvider& provider,
                                    const AssignmentContext& context, std::vector<NodeId> free, bool mayTurn);

// After its claims were taken and compiled: nodes of kChannelsLastDomain that it does not own in the end go back to
// their own domain.
void settleLayout(GraphAssignment& assignment, const std::string& provider);

// Everything back to channels first, nothing owned: the graph changes under the answers, and everybody is asked again.
void undoLayouts(GraphAssignment& assignment);
// The values that were left without a maker and a reader. Before the graph is reported.
void finishLayouts(GraphAssignment& assignment);

}  // namespace cutaway::partition
