// The pattern's report: what lives when, and what the peak is made of.

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/base/checked_math.h"
#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/pattern.h"
#include "engine/stages/pattern/range_maximum.h"

namespace cutaway::pattern {
namespace {

int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

class PatternReporter {
 public:
  PatternReporter(const Graph& graph, const schedule::SequentialExecutionPlan& order, GraphPattern& report)
      : m_graph(graph), m_order(order), m_report(report) {
    m_change.assign(order.steps.size() + 1, 0);
  }

  // value: kNone for the workspace of the bodies of `node`.
  void add(int32_t value, int32_t node, const allocate::ProgramCounter& life, const MemoryBlock& block) {
    PatternBlock each;
    each.value = value;
    each.node = node;
    each.offset = block.offset;
    each.sizeBytes = alignUp(block.sizeBytes, kPatternAlignment);
    each.neededBytes = block.sizeBytes;
    each.firstStep = life.starts.front();
    each.lastStep = life.ends.back();
    each.starts = life.starts;
    each.ends = life.ends;
    m_report.naiveBytes = saturatingAdd(m_report.naiveBytes, each.sizeBytes);
    for (size_t i = 0; i < life.starts.size(); ++i) {
      m_change[static_cast<size_t>(life.starts[i])] += each.sizeBytes;
      m_change[static_cast<size_t>(life.ends[i]) + 1] -= each.sizeBytes;
    }
    m_report.blocks.push_back(std::move(each));
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
    if (m_report.peakBytes > 0)
      m_report.fragmentation =
          static_cast<double>(m_report.peakBytes - m_report.lowerBoundBytes) / static_cast<double>(m_report.peakBytes);
    findRests();
    for (const PatternBlock& block : m_report.blocks)
      attribute(block);
    std::stable_sort(m_report.peak.begin(), m_report.peak.end(),
                     [](const PeakPart& a, const PeakPart& b) { return a.sizeBytes > b.sizeBytes; });
  }

 private:
  // Largest sums before and from each step on.
  void findRests() {
    const auto& live = m_report.liveBytes;
    m_largestBefore.assign(live.size() + 1, 0);
    m_largestFrom.assign(live.size() + 1, 0);
    for (size_t step = 0; step < live.size(); ++step)
      m_largestBefore[step + 1] = std::max(m_largestBefore[step], live[step]);
    for (size_t step = live.size(); step-- > 0;)
      m_largestFrom[step] = std::max(m_largestFrom[step + 1], live[step]);
    if (std::any_of(m_report.blocks.begin(), m_report.blocks.end(),
                    [](const PatternBlock& block) { return block.starts.size() > 1; }))
      m_rangeMaximum.emplace(live);
  }

  // Of a block that lives at the peak: while it lives nothing else exceeds the peak less its size, so what counts is
  // that and the rest of the steps: before, behind, and in its pauses.
  int64_t boundWithout(const PatternBlock& block) const {
    int64_t bound =
        std::max({m_report.lowerBoundBytes - block.sizeBytes, m_largestBefore[static_cast<size_t>(block.firstStep)],
                  m_largestFrom[static_cast<size_t>(block.lastStep) + 1]});
    for (size_t i = 0; i + 1 < block.starts.size(); ++i)
      bound = std::max(
          bound,
          m_report.liveBytes[static_cast<size_t>(m_rangeMaximum->at(block.ends[i] + 1, block.starts[i + 1] - 1))]);
    return bound;
  }

  void attribute(const PatternBlock& block) {
    for (size_t i = 0; i < block.starts.size(); ++i) {
      if (m_report.peakStep < block.starts[i] || m_report.peakStep > block.ends[i] || block.sizeBytes == 0) continue;
      PeakPart part;
      part.value = block.value;
      part.sizeBytes = block.sizeBytes;
      part.producer = block.node;
      if (block.value != kNone && m_graph.value(ValueId{static_cast<size_t>(block.value)}).producer.valid())
        part.producer = static_cast<int32_t>(m_graph.value(ValueId{static_cast<size_t>(block.value)}).producer.index());
      part.lastStep = block.ends[i];
      part.keptAliveBy = static_cast<int32_t>(m_order.steps[static_cast<size_t>(block.ends[i])].node.index());
      part.savesBytes = m_report.lowerBoundBytes - boundWithout(block);
      m_report.peak.push_back(part);
      return;
    }
  }

  const Graph& m_graph;
  const schedule::SequentialExecutionPlan& m_order;
  GraphPattern& m_report;
  std::vector<int64_t> m_change;
  std::vector<int64_t> m_largestBefore;  // of the steps before this one
  std::vector<int64_t> m_largestFrom;    // of this step and those behind it
  std::optional<RangeMaximum> m_rangeMaximum;
};

}  // namespace

std::vector<GraphPattern> describePattern(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                          const allocate::AllocationPlan& allocation, const MemoryPatternGroup& group,
                                          int32_t graphIndex) {
  std::vector<GraphPattern> reports(group.patterns.size());
  std::vector<PatternReporter> reporters;
  reporters.reserve(reports.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    reports[i].graph = graphIndex;
    reports[i].device = group.patterns[i].device.name;
    reports[i].peakBytes = group.patterns[i].peakBytes;
    reports[i].strategies = group.patterns[i].strategies;
    reporters.emplace_back(graph, order, reports[i]);
  }
  const std::vector<BlockLife> lives = blockLives(allocation, pausesUnder(group.rules));
  std::vector<int32_t> unplanned;
  for (const BlockLife& life : lives) {
    const int32_t pattern = group.patternOfValue[life.root.index()];
    if (pattern >= 0) {
      reporters[static_cast<size_t>(pattern)].add(static_cast<int32_t>(life.root.index()), kNone, life.counter,
                                                  group.blocks[life.root.index()]);
    } else {
      unplanned.push_back(static_cast<int32_t>(life.root.index()));
    }
  }
  for (const BodyWorkspace& body : group.bodies) {
    if (body.pattern < 0) continue;
    const size_t step = static_cast<size_t>(body.step);
    reporters[static_cast<size_t>(body.pattern)].add(kNone, static_cast<int32_t>(order.steps[step].node.index()),
                                                     {{body.step}, {order.endStep(step)}}, body.block);
  }
  for (PatternReporter& reporter : reporters)
    reporter.finish();
  if (reports.empty() && !unplanned.empty()) {
    reports.emplace_back();
    reports.back().graph = graphIndex;
    reports.back().device = allocation.values[static_cast<size_t>(unplanned.front())].device.name;
    reports.back().liveBytes.assign(order.steps.size(), 0);
  }
  if (!reports.empty()) reports.front().unplanned = std::move(unplanned);
  return reports;
}

}  // namespace cutaway::pattern
