#pragma once
// Which step of the main order a node of any version takes part in, and what a range of steps comes to.
//
// A node of a body takes part in the step of the node that holds the body; an original node in the step of what became
// of it. Thread rule: immutable once made. Example: const StepIndex steps(walk);  steps.stepOf({GraphVersion::kLoaded,
// 0, 12});  steps.totals({3, 9});

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/document/playhead.h"

namespace cutaway::ui {

// Of the nodes whose steps lie in a range.
struct StepTotals {
  int nodes = 0;
  int64_t timeNs = -1;       // median of the runs, with the nodes of their bodies; -1: not measured
  int64_t writtenBytes = 0;  // by nodes of the main graph, where sizes are known
  int64_t flops = -1;        // -1: not known of any
  int64_t liveBytes = -1;    // most alive at once within it; -1: sizes are open
};

class StepIndex {
 public:
  StepIndex() = default;
  explicit StepIndex(std::shared_ptr<const WalkReport> walk);

  int count() const { return m_main ? static_cast<int>(m_main->steps.size()) : 0; }
  const GraphSchedule* main() const { return m_main; }
  int nodeAt(int step) const;  // of the main partitioned graph; kNone: no such step
  // By node of a graph of a version; kNone: not part of the order. Empty: no such graph.
  const std::vector<int32_t>& stepsOf(GraphVersion version, int graph) const;
  int stepOf(const NodeTarget& target) const;

  StepTotals totals(const Playhead::Range& range) const;
  // Bytes alive at a step, and the most up to it with the step where that was; -1: sizes are open.
  int64_t liveAt(int step) const;
  std::pair<int64_t, int> peakUntil(int step) const;

  // Made for this schedule and these graphs: another snapshot with the same ones needs no other index.
  bool isFor(const WalkReport& walk) const;

 private:
  void placeMain();
  void placeBodies(const ModelGraphs& graphs, std::vector<std::vector<int32_t>>& steps) const;
  void placeByOrigin(const ModelGraphs& graphs, GraphVersion version);
  const std::vector<int64_t>* live() const;

  std::shared_ptr<const WalkReport> m_walk;
  const GraphSchedule* m_main = nullptr;
  std::vector<std::vector<int32_t>> m_steps[kGraphVersionCount];  // by graph and node
  std::vector<int32_t> m_peakUntil;                               // step of the most live bytes up to each step
};

}  // namespace cutaway::ui
