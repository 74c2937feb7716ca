#pragma once
// Who else would have taken a node: providers that are asked later say it of nodes that are taken already.
//
// It changes no placement, and the question is put as if the provider were asked alone: all taken nodes at once, with
// names of its own for groups. A node is contested when somebody would have taken it. Thread rule: one partitioning.
// Example: CUTAWAY_CHECK(askAboutTaken({model, providers, order, progress, calls}, assignments));

#include <memory>
#include <span>
#include <vector>

#include "engine/provider/provider_calls.h"
#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

struct TakenQuestion {
  const std::shared_ptr<Model>& model;
  std::span<const std::unique_ptr<ExecutionProvider>> providers;  // the last one takes the rest
  std::span<const size_t> order;                                  // places in providers, in asking order
  const Progress& progress;
  ProviderCalls& calls;
};

// Adds to the reason of answers with Verdict::kAlreadyTaken, "; x would have taken it" or why it would not, with rule,
// value and remedy. A provider that fails says nothing.
// MODEL_LOAD_CANCELED alone.
Result<void> askAboutTaken(const TakenQuestion& question, std::span<GraphAssignment> assignments);

}  // namespace cutaway::partition
