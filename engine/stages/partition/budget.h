#pragma once
// A memory budget for one provider: it keeps claims in order until the budget is spent, and gives the others back
// (session.resource_cuda_partitioning_settings, onnxruntime/core/framework/resource_accountant.h and
// onnxruntime_session_options_config_keys.h).
//
// A node costs what a file of statistics says of it, else one and a half times its initializers (each counted once,
// whoever reads it again) and its outputs of known size. The budget belongs to the first provider in order of priority
// with memory of its own, or that describes hardware which is not here. Thread rule: one partitioning. Linear in nodes.
// Example:
//   CUTAWAY_TRY(std::optional<MemoryBudget> budget, MemoryBudget::read(rules, providers, model));
//   if (budget && budget->provider() == index) released = budget->spend(graph, said.claims, wanted);

#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/stages/partition/node_memory.h"
#include "engine/stages/partition/partition.h"

namespace cutaway::partition {

class MemoryBudget {
 public:
  // nullopt: no budget is set. INVALID_ARGUMENT for text that is not "limit_in_KB,stats_file" (either may be empty), or
  // when no provider has memory of its own.
  static Result<std::optional<MemoryBudget>> read(const PartitionRules& rules,
                                                  std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                                  const Model& model);

  int32_t provider() const { return m_provider; }
  int64_t spentBytes() const { return m_spent; }
  // Everybody is asked anew.
  void restart();
  // Keeps the wanted claims that fit, in order; the first that does not fit ends it. The others are not wanted any more
  // and come back as refusals (Verdict::kReleased).
  std::vector<Refusal> spend(const Graph& graph, std::span<const ComputeCapability> claims, std::vector<char>& wanted);

 private:
  int64_t cost(const Graph& graph, std::span<const NodeId> nodes, std::vector<const void*>& newInitializers) const;

  int32_t m_provider = kNone;
  std::optional<int64_t> m_limit;
  NodeStatistics m_statistics;
  ShapeOverrides m_sizes;
  int64_t m_spent = 0;
  std::unordered_set<const void*> m_counted;  // initializers, by their bytes
  std::optional<int64_t> m_tooLarge;          // bytes of the claim that ended it
};

}  // namespace cutaway::partition
