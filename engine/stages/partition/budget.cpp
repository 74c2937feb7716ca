#include "engine/stages/partition/budget.h"

#include <algorithm>
#include <charconv>

namespace cutaway::partition {

namespace {

constexpr const char* kKey = "session.resource_cuda_partitioning_settings";

Result<std::optional<int64_t>> readLimit(std::string_view text) {
  if (text.empty()) return std::optional<int64_t>();
  int64_t kilobytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), kilobytes);
  if (error != std::errc{} || end != text.data() + text.size() || kilobytes < 0 || kilobytes > (int64_t{1} << 50)) {
    return fail(ErrorCode::kInvalidArgument, "{}: the limit before the comma is a number of KB, not '{}'", kKey, text);
  }
  return std::optional<int64_t>(kilobytes * 1024);
}

int32_t providerWithMemory(std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  for (size_t i = 0; i < providers.size(); ++i) {
    if (providers[i]->simulated() || !(providers[i]->device() == heapAllocator().device()))
      return static_cast<int32_t>(i);
  }
  return kNone;
}

}  // namespace

Result<std::optional<MemoryBudget>> MemoryBudget::read(const PartitionRules& rules,
                                                       std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                                       const Model& model) {
  if (rules.memoryBudget.empty()) return std::optional<MemoryBudget>();
  const std::string_view text = rules.memoryBudget;
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos)
    return fail(ErrorCode::kInvalidArgument, "{} is written as limit_in_KB,stats_file (either may be empty), not '{}'",
                kKey, text);
  MemoryBudget budget;
  CUTAWAY_TRY(budget.m_limit, readLimit(text.substr(0, comma)));
  if (comma + 1 < text.size()) {
    CUTAWAY_TRY(budget.m_statistics, readNodeStatistics(std::string(text.substr(comma + 1))));
  }
  budget.m_provider = providerWithMemory(providers);
  if (budget.m_provider == kNone)
    return fail(ErrorCode::kInvalidArgument, "{}: no provider of this session has memory of its own", kKey);
  CUTAWAY_TRY(budget.m_sizes, readShapeOverrides(rules.shapeOverride, model.graph));
  return std::optional<MemoryBudget>(std::move(budget));
}

void MemoryBudget::restart() {
  m_spent = 0;
  m_counted.clear();
  m_tooLarge.reset();
}

int64_t MemoryBudget::cost(const Graph& graph, std::span<const NodeId> nodes,
                           std::vector<const void*>& newInitializers) const {
  int64_t total = 0;
  std::unordered_set<const void*> mine;
  for (const NodeId id : nodes) {
    if (const auto known = m_statistics.find(statisticsName(graph, id)); known != m_statistics.end()) {
      const NodeMemory& memory = known->second;
      total += memory.inputs + memory.initializers + memory.outputs + memory.scratch;
      continue;
    }
    int64_t bytes = nodeMemory(graph, id, m_sizes).outputs;
    for (const ValueId input : graph.node(id).inputs) {
      if (!input.valid() || !graph.value(input).initializer) continue;
      const Tensor& tensor = *graph.value(input).initializer;
      if (m_counted.contains(tensor.data()) || !mine.insert(tensor.data()).second) continue;
      newInitializers.push_back(tensor.data());
      bytes += tensor.sizeBytes();
    }
    total += bytes + bytes / 2;
  }
  return total;
}

std::vector<Refusal> MemoryBudget::spend(const Graph& graph, std::span<const ComputeCapability> claims,
                                         std::vector<char>& wanted) {
  std::vector<Refusal> released;
  if (!m_limit) return released;
  for (size_t i = 0; i < claims.size(); ++i) {
    if (!wanted[i]) continue;
    std::vector<const void*> initializers;
    const int64_t bytes = cost(graph, claims[i].subGraph.nodes, initializers);
    const bool ended = m_tooLarge.has_value();
    if (!ended && m_spent + bytes > *m_limit) m_tooLarge = bytes;
    if (!m_tooLarge) {
      m_spent += bytes;
      m_counted.insert(initializers.begin(), initializers.end());
      continue;
    }
    wanted[i] = 0;
    const std::string why = ended ? fmt::format("claims ended with an earlier one that needed {}", *m_tooLarge)
                                  : fmt::format("this claim needs {}", bytes);
    for (const NodeId id : claims[i].subGraph.nodes) {
      released.push_back(
          {.node = id,
           .cause = RefusalCause::kMemory,
           .reason =
               fmt::format("the memory budget is spent: {} of {} bytes are taken, and {}", m_spent, *m_limit, why),
           .rule = kKey,
           .seen = fmt::format("{} + {} bytes", m_spent, *m_tooLarge),
           .remedy = fmt::format("a limit of at least {} KB", (m_spent + std::max(bytes, *m_tooLarge) + 1023) / 1024)});
    }
  }
  return released;
}

}  // namespace cutaway::partition
