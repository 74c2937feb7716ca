#pragma once
// Which memory pattern a run uses: the walk's, where types tell every size, or one for the shapes of its feeds, cached.
//
// A pattern for new shapes is planned before the first run with them, from the values that the feeds give the symbols.
// Where sizes stay open even then, that run is traced, and a better pattern takes its place.
//
// Thread rule: any thread. A run with the same shapes as the run before on its frame takes no lock.
// Example: CUTAWAY_CHECK(patterns.choose(held, match));  ... run ...;  patterns.learn(held.frame, match);

#include <atomic>
#include <optional>

#include "engine/plan/shape_plan.h"
#include "engine/session/run_frames.h"

namespace cutaway::session {

class RunPatterns {
 public:
  // graphs: as planned, the main graph first. symbols: names of those that feeds give values. enabled:
  // session.enable_mem_pattern.
  RunPatterns(const execute::GraphProgram& program, std::span<const plan::PlannedGraph> graphs,
              std::vector<std::string> symbols, bool enabled, int64_t peakBytes, int64_t lowerBoundBytes);

  // Before a run, inputs and outputs bound. FAIL when the run would need more than the session's memory limit.
  Result<void> choose(RunFrame& held, const FeedMatch& match);
  // After a run that succeeded.
  void learn(execute::Frame& frame, const FeedMatch& match);

  // Of the newest pattern of the main graph.
  int64_t peakBytes() const { return m_peakBytes; }
  int64_t lowerBoundBytes() const { return m_lowerBoundBytes; }

 private:
  Result<void> use(RunFrame& held, const std::shared_ptr<const pattern::MemoryPatternGroup>& pattern) const;
  std::shared_ptr<const pattern::MemoryPatternGroup> plan(execute::Frame& frame, const FeedMatch& match,
                                                          const std::vector<int64_t>* traced);

  const execute::GraphProgram& m_program;
  const std::span<const plan::PlannedGraph> m_graphs;
  const std::vector<std::string> m_symbols;
  const bool m_enabled;
  std::optional<plan::GraphSizes> m_sizes;  // where types leave sizes open
  std::atomic<int64_t> m_peakBytes;
  std::atomic<int64_t> m_lowerBoundBytes;
};

}  // namespace cutaway::session
