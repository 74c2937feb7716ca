#include "engine/runtime/run_patterns.h"

#include <algorithm>

#include "engine/runtime/memory_budget.h"

namespace cutaway {
namespace {

// Rank, then dims, of every input: the whole of it is compared, so that different shapes never share a pattern.
void writeKey(const GraphProgram& program, Frame& frame) {
  frame.key.clear();
  for (const uint32_t input : program.inputs) {
    const RuntimeValue& bound = frame.value(input);
    frame.key.push_back(bound.isTensor() ? static_cast<int64_t>(bound.tensor().rank()) : -1);
    if (bound.isTensor()) frame.key.insert(frame.key.end(), bound.tensor().dims().begin(), bound.tensor().dims().end());
  }
}

}  // namespace

Result<void> RunPatterns::use(RunFrame& held, const std::shared_ptr<const MemoryPatternGroup>& pattern) const {
  Frame& frame = held.frame;
  if (frame.meter().limitBytes() > 0) CUTAWAY_CHECK(checkLimit(needOf(frame, *held.fetch, pattern.get()), frame.meter()));
  if (frame.pattern() != pattern) frame.usePattern(pattern);
  return {};
}

Result<void> RunPatterns::choose(RunFrame& held) const {
  Frame& frame = held.frame;
  if (!m_enabled || m_program.patternComplete) return use(held, m_program.staticPattern);
  writeKey(m_program, frame);
  if (frame.key == frame.lastKey && frame.pattern() != nullptr) return use(held, frame.pattern());
  const auto pattern = m_program.patterns->find(frame.key);
  if (pattern == nullptr) {
    frame.lastKey.clear();
    CUTAWAY_CHECK(use(held, m_program.staticPattern));
    frame.startTrace();
    return {};
  }
  // Chunks that runs without the pattern needed are not needed with it.
  frame.shrink(false);
  CUTAWAY_CHECK(use(held, pattern));
  frame.lastKey = frame.key;
  return {};
}

void RunPatterns::learn(Frame& frame) {
  if (!frame.tracing()) return;
  std::vector<int64_t> sizes = m_program.staticSizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const bool isString = m_program.values[i].element == ElementType::kString;
    sizes[i] = isString ? -1 : std::max(sizes[i], frame.tracedSizes()[i]);
  }
  frame.stopTrace();
  auto group = planPattern(*m_program.graph, *m_program.order, *m_program.allocation, sizes);
  if (!group) return;
  int64_t peakBytes = 0;
  int64_t lowerBoundBytes = 0;
  for (const GraphPattern& pattern : describePattern(*m_program.graph, *m_program.order, *m_program.allocation, *group, m_program.graphIndex)) {
    peakBytes += pattern.peakBytes;
    lowerBoundBytes += pattern.lowerBoundBytes;
  }
  m_peakBytes = peakBytes;
  m_lowerBoundBytes = lowerBoundBytes;
  m_program.patterns->insert(frame.key, std::make_shared<const MemoryPatternGroup>(*std::move(group)));
}

}  // namespace cutaway
