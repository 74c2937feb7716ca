#pragma once
// Which memory pattern a run uses: the walk's, where types tell every size, or one for the shapes of its feeds, traced once and cached.
//
// Thread rule: any thread. A run with the same shapes as the run before on its frame takes no lock.
// Example: CUTAWAY_CHECK(patterns.choose(held));  ... run ...;  patterns.learn(held.frame);

#include <atomic>

#include "engine/runtime/run_frames.h"

namespace cutaway {

class RunPatterns {
 public:
  // enabled: session.enable_mem_pattern.
  RunPatterns(const GraphProgram& program, bool enabled, int64_t peakBytes, int64_t lowerBoundBytes) : m_program(program), m_enabled(enabled), m_peakBytes(peakBytes), m_lowerBoundBytes(lowerBoundBytes) {}

  // Before a run, inputs and outputs bound. FAIL when the run would need more than the session's memory limit.
  Result<void> choose(RunFrame& held) const;
  // After a run that succeeded.
  void learn(Frame& frame);

  // Of the newest pattern of the main graph.
  int64_t peakBytes() const { return m_peakBytes; }
  int64_t lowerBoundBytes() const { return m_lowerBoundBytes; }

 private:
  Result<void> use(RunFrame& held, const std::shared_ptr<const MemoryPatternGroup>& pattern) const;

  const GraphProgram& m_program;
  const bool m_enabled;
  std::atomic<int64_t> m_peakBytes;
  std::atomic<int64_t> m_lowerBoundBytes;
};

}  // namespace cutaway
