#include "engine/execute/frame/memory_budget.h"

#include <algorithm>
#include <set>

#include "engine/base/mapped_pages.h"

namespace cutaway::execute {
namespace {

int64_t peakOf(const pattern::MemoryPatternGroup* pattern) {
  int64_t bytes = 0;
  for (size_t i = 0; pattern != nullptr && i < pattern->patterns.size(); ++i)
    bytes += pattern->patterns[i].peakBytes;
  return bytes;
}

int64_t roomOf(const pattern::MemoryPatternGroup* pattern, size_t step) {
  int64_t bytes = 0;
  if (pattern == nullptr) return 0;
  for (const pattern::BodyWorkspace& room : pattern->bodies) {
    if (room.step == static_cast<int32_t>(step) && room.pattern >= 0 && room.block.offset >= 0)
      bytes += room.block.sizeBytes;
  }
  return bytes;
}

// Bodies' frames stay, so those of all steps add up. Bodies nest as deep as graph_program allows.
int64_t bodyBytes(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern) {
  int64_t bytes = 0;
  for (size_t step = 0; step < program.steps.size(); ++step) {
    for (const BodyProgram& body : program.steps[step].bodies) {
      const int64_t peak = peakOf(body.program->staticPattern.get());
      if (peak > roomOf(pattern, step)) bytes += peak;
      bytes += bodyBytes(*body.program, body.program->staticPattern.get());
    }
  }
  return bytes;
}

}  // namespace

MemoryNeed needOf(Frame& frame, const FetchPlan& plan, const pattern::MemoryPatternGroup* pattern) {
  const GraphProgram& program = frame.program();
  MemoryNeed need;
  need.plannedBytes = peakOf(pattern);
  need.bodyBytes = bodyBytes(program, pattern);
  for (const uint32_t place : plan.places) {
    if (frame.target(place).bound == nullptr)
      need.outputBytes += std::max<int64_t>(0, program.staticSizes[program.outputs[place]]);
  }
  return need;
}

Result<void> checkLimit(const MemoryNeed& need, const MemoryMeter& meter) {
  if (meter.limitBytes() <= 0 || need.total() <= meter.limitBytes() - meter.besideBytes()) return {};
  const std::string beside =
      meter.besideBytes() > 0
          ? fmt::format(", of which {} are taken by inputs, constants and other sessions", meter.besideBytes())
          : std::string();
  return fail(
      Error{.code = ErrorCode::kFail,
            .message = fmt::format(
                "the run needs {} bytes at its peak ({} planned, {} in bodies, {} for outputs), which is above the "
                "memory limit of {} bytes{}; raise it, or bind outputs to memory of your own",
                need.total(), need.plannedBytes, need.bodyBytes, need.outputBytes, meter.limitBytes(), beside),
            .where = {},
            .byPolicy = true});
}

MemoryBreakdown describeMemory(const Program& program, const MemoryMeter& meter, const PackAccount& packs) {
  MemoryBreakdown result;
  std::set<const void*> seen;  // bodies share constants with the graph around them
  std::set<const Kernel*> kernels;
  int64_t resident = 0;
  for (const auto& graph : program.graphs) {
    for (const auto& [value, tensor] : graph->constants) {
      if (tensor.type() == ElementType::kString || !seen.insert(tensor.data()).second) continue;
      result.weightsBytes += tensor.sizeBytes();
      const int64_t present = residentBytes(tensor.bytes());
      resident += present < 0 ? tensor.sizeBytes() : std::min(present, tensor.sizeBytes());
    }
    for (const auto& kernel : graph->kernels) {
      if (kernels.insert(kernel.get()).second) result.packedBytes += kernel->packedBytes();
    }
  }
  result.residentWeightsBytes = resident;
  const PackAccount::Totals packed = packs.totals();
  result.packedBytes = std::max(result.packedBytes, packed.sizeBytes);
  result.sharedPackedBytes = packed.sharedBytes;
  result.activationsBytes = meter.heldBytes(MemoryUse::kBlocks);
  result.arenaBytes = meter.heldBytes(MemoryUse::kArena);
  result.workspaceBytes = meter.heldBytes(MemoryUse::kWorkspace);
  result.peakBytes = meter.peakBytes();
  return result;
}

}  // namespace cutaway::execute
