#pragma once
// A run's report with the look-ups that its panels need, made once when it arrives, in time linear in nodes and spans.
//
// Thread rule: immutable once made; any thread.
// Example: const auto view = runView(*walk);  view->timing(span.graph, span.node)->totalNs;  view->nameOf(timing);

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <QString>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/base/provider_marks.h"
#include "ui/panels/run/timeline/hover_card.h"
#include "ui/panels/run/timeline/trace_lanes.h"

namespace cutaway::ui {

enum class Colouring { kOperator, kProvider };  // the categories of a bar, in this order

struct RunView {
  std::shared_ptr<const RunReport> run;
  std::shared_ptr<const ModelGraphs> graphs;
  std::shared_ptr<const TraceLanes> lanes;
  ProviderMarks marks;
  int64_t allNs = 0;  // of all nodes, their medians
  bool spansFromTimes =
      false;  // no spans were recorded: bars stand where each node first started, as long as its median
  std::vector<MemorySample> memory;
  bool memoryFromPlan = false;                         // not measured: what the plan says at every step
  std::vector<std::vector<int32_t>> timingOf;          // by graph and node; kNone: not timed
  std::unordered_map<std::string, size_t> groupNodes;  // that a compiled group was made of, by the name of its node

  const NodeReport* node(int graph, int node) const;
  const NodeTiming* timing(int graph, int node) const;
  int timingIndex(int graph, int node) const;
  QString nameOf(const NodeTiming& timing) const;
  QString operatorOf(const NodeTiming& timing) const;
  QString operatorOf(int graph, int node) const;
  QString operatorOf(const NodeReport& node) const;
  QString providerOf(const NodeTiming& timing) const;
  QString spanLabel(const TraceSpan& span) const;
  HoverFacts spanFacts(const TraceSpan& span) const;
};

std::shared_ptr<const RunView> runView(const WalkReport& walk);  // null: not run

// What runs in a range of time. Times are clipped to it; a node with bodies counts without what its bodies' nodes
// took.
struct OperatorShare {
  QString name;
  int64_t timeNs = 0;
};
struct RangeTotals {
  int64_t busyNs = 0;
  int nodes = 0;  // different ones
  int calls = 0;
  std::vector<OperatorShare> operators;  // longest first
  std::vector<bool> timings;             // by index in RunReport::nodes: it ran in the range
};
RangeTotals rangeTotals(const RunView& view, const TimeRange& range);

// Per call, in words: "12.3"; a dash when it is not known.
QString gigaflopsText(const NodeTiming& timing);
QString gigabytesText(const NodeTiming& timing);
double gigaflops(const NodeTiming& timing);  // negative: not known
double gigabytes(const NodeTiming& timing);
QString threadText(int32_t thread);

}  // namespace cutaway::ui
