// The pattern's report: what lives when, and what the peak is made of.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/pattern.h"

namespace cutaway {
namespace {

int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t roundedBytes(const MemoryBlock& block) { return alignUp(block.sizeBytes, kPatternAlignment); }

class PatternReporter {
 public:
  PatternReporter(const Graph& graph, const SequentialExecutionPlan& order, GraphPattern& report) : m_graph(graph), m_order(order), m_report(report) {
    m_change.assign(order.steps.size() + 1, 0);
  }

  void add(const BlockLife& life, const MemoryBlock& block) {
    PatternBlock each;
    each.value = static_cast<int32_t>(life.root.index());
    each.offset = block.offset;
    each.sizeBytes = roundedBytes(block);
    each.neededBytes = block.sizeBytes;
    each.firstStep = life.first();
    each.lastStep = life.last();
    m_report.blocks.push_back(each);
    m_report.naiveBytes = saturatingAdd(m_report.naiveBytes, each.sizeBytes);
    for (size_t i = 0; i < life.counter.starts.size(); ++i) {
      m_change[static_cast<size_t>(life.counter.starts[i])] += each.sizeBytes;
      m_change[static_cast<size_t>(life.counter.ends[i]) + 1] -= each.sizeBytes;
    }
    m_lives.push_back(&life);
  }

  void finish() {
    int64_t live = 0;
    for (size_t step = 0; step < m_order.steps.size(); ++step) {
      live += m_change[step];
      m_report.liveBytes.push_back(live);
      if (live <= m_report.lowerBoundBytes) continue;
      m_report.lowerBoundBytes = live;
      m_report.peakStep = static_cast<int32_t>(step);
    }
    if (m_report.peakBytes > 0) m_report.fragmentation = static_cast<double>(m_report.peakBytes - m_report.lowerBoundBytes) / static_cast<double>(m_report.peakBytes);
    for (size_t i = 0; i < m_lives.size(); ++i) attribute(*m_lives[i], m_report.blocks[i].sizeBytes);
    std::stable_sort(m_report.peak.begin(), m_report.peak.end(), [](const PeakPart& a, const PeakPart& b) { return a.sizeBytes > b.sizeBytes; });
  }

 private:
  void attribute(const BlockLife& life, int64_t sizeBytes) {
    const auto& counter = life.counter;
    for (size_t i = 0; i < counter.starts.size(); ++i) {
      if (m_report.peakStep < counter.starts[i] || m_report.peakStep > counter.ends[i] || sizeBytes == 0) continue;
      PeakPart part;
      part.value = static_cast<int32_t>(life.root.index());
      part.sizeBytes = sizeBytes;
      const NodeId producer = m_graph.value(life.root).producer;
      if (producer.valid()) part.producer = static_cast<int32_t>(producer.index());
      part.keptAliveBy = static_cast<int32_t>(m_order.steps[static_cast<size_t>(counter.ends[i])].node.index());
      m_report.peak.push_back(part);
      return;
    }
  }

  const Graph& m_graph;
  const SequentialExecutionPlan& m_order;
  GraphPattern& m_report;
  std::vector<int64_t> m_change;
  std::vector<const BlockLife*> m_lives;
};

}  // namespace

std::vector<GraphPattern> describePattern(const Graph& graph, const SequentialExecutionPlan& order, const AllocationPlan& allocation, const MemoryPatternGroup& group, int32_t graphIndex) {
  std::vector<GraphPattern> reports(group.patterns.size());
  std::vector<PatternReporter> reporters;
  reporters.reserve(reports.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    reports[i].graph = graphIndex;
    reports[i].device = group.patterns[i].device.name;
    reports[i].peakBytes = group.patterns[i].peakBytes;
    reporters.emplace_back(graph, order, reports[i]);
  }
  const std::vector<BlockLife> lives = blockLives(allocation);
  std::vector<int32_t> unplanned;
  for (const BlockLife& life : lives) {
    const int32_t pattern = group.patternOfValue[life.root.index()];
    if (pattern >= 0) {
      reporters[static_cast<size_t>(pattern)].add(life, group.blocks[life.root.index()]);
    } else {
      unplanned.push_back(static_cast<int32_t>(life.root.index()));
    }
  }
  for (PatternReporter& reporter : reporters) reporter.finish();
  if (reports.empty() && !unplanned.empty()) {
    reports.emplace_back();
    reports.back().graph = graphIndex;
    reports.back().device = allocation.values[static_cast<size_t>(unplanned.front())].device.name;
    reports.back().liveBytes.assign(order.steps.size(), 0);
  }
  if (!reports.empty()) reports.front().unplanned = std::move(unplanned);
  return reports;
}

}  // namespace cutaway
