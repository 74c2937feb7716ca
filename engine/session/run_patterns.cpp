#include "engine/session/run_patterns.h"

#include <algorithm>

#include "engine/execute/frame/memory_budget.h"

namespace cutaway::session {
namespace {

// Rank, then dims, of every input: the whole of it is compared, so that different shapes never share a pattern.
void writeKey(const execute::GraphProgram& program, execute::Frame& frame) {
  frame.key.clear();
  for (const uint32_t input : program.inputs) {
    const RuntimeValue& bound = frame.value(input);
    frame.key.push_back(bound.isTensor() ? static_cast<int64_t>(bound.tensor().rank()) : -1);
    if (bound.isTensor()) frame.key.insert(frame.key.end(), bound.tensor().dims().begin(), bound.tensor().dims().end());
  }
}

}  // namespace

RunPatterns::RunPatterns(const execute::GraphProgram& program, std::span<const plan::PlannedGraph> graphs,
                         std::vector<std::string> symbols, bool enabled, int64_t peakBytes, int64_t lowerBoundBytes)
    : m_program(program),
      m_graphs(graphs),
      m_symbols(std::move(symbols)),
      m_enabled(enabled),
      m_peakBytes(peakBytes),
      m_lowerBoundBytes(lowerBoundBytes) {
  if (m_enabled && !m_program.patternComplete) m_sizes.emplace(*m_program.graph);
}

Result<void> RunPatterns::use(RunFrame& held, const std::shared_ptr<const pattern::MemoryPatternGroup>& pattern) const {
  execute::Frame& frame = held.frame;
  if (frame.meter().limitBytes() > 0)
    CUTAWAY_CHECK(execute::checkLimit(execute::needOf(frame, *held.fetch, pattern.get()), frame.meter()));
  if (frame.pattern() != pattern) frame.usePattern(pattern);
  return {};
}

Result<void> RunPatterns::choose(RunFrame& held, const FeedMatch& match) {
  execute::Frame& frame = held.frame;
  if (!m_enabled || m_program.patternComplete) return use(held, m_program.staticPattern);
  writeKey(m_program, frame);
  // A run of some steps only does not see every size.
  const bool everything = frame.steps() == nullptr;
  const auto isGood = [&](const pattern::MemoryPatternGroup& pattern) { return !pattern.provisional || !everything; };
  if (frame.key == frame.lastKey && frame.pattern() != nullptr && isGood(*frame.pattern()))
    return use(held, frame.pattern());
  frame.lastKey.clear();
  auto pattern = m_program.patterns->find(frame.key);
  if (pattern == nullptr) pattern = plan(frame, match, nullptr);
  CUTAWAY_CHECK(use(held, pattern != nullptr ? pattern : m_program.staticPattern));
  if (pattern == nullptr || !isGood(*pattern)) {
    frame.startTrace();
  } else {
    frame.lastKey = frame.key;
  }
  return {};
}

std::shared_ptr<const pattern::MemoryPatternGroup> RunPatterns::plan(execute::Frame& frame, const FeedMatch& match,
                                                                     const std::vector<int64_t>* traced) {
  std::map<std::string, int64_t> symbols;
  for (size_t i = 0; i < m_symbols.size(); ++i) {
    if (match.symbolValue[i] >= 0) symbols.emplace(m_symbols[i], match.symbolValue[i]);
  }
  auto made = plan::planForShapes(m_graphs.front(), m_graphs, symbols, traced, {.sizes = &*m_sizes});
  if (!made) return nullptr;
  m_peakBytes = made->peakBytes;
  m_lowerBoundBytes = made->lowerBoundBytes;
  auto pattern = std::make_shared<pattern::MemoryPatternGroup>(*made->pattern);
  pattern->provisional = !made->complete && traced == nullptr;
  m_program.patterns->insert(frame.key, pattern);
  return pattern;
}

void RunPatterns::learn(execute::Frame& frame, const FeedMatch& match) {
  if (!frame.tracing()) return;
  frame.stopTrace();
  plan(frame, match, &frame.tracedSizes());
  frame.shrink(false);  // chunks that the traced run needed have a place in the pattern now
}

}  // namespace cutaway::session
