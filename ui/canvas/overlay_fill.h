#pragma once
// What the units of overlays share: where a node of one version stands in another, counting, and saying that something
// is missing.
//
// Thread rule: pure functions. Example: countLegend(overlay);  setMissing(overlay, tr("Run the model to see times."));

#include <functional>
#include <memory>
#include <span>

#include <QCoreApplication>

#include "ui/canvas/overlay.h"

namespace cutaway::ui {

// The words of overlays. Those of tables stand in the context "Overlay", as titles do.
struct OverlayWords {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OverlayWords)
 public:
  static QString ofTable(const char* words) { return QCoreApplication::translate("Overlay", words); }
};

const std::shared_ptr<const ModelGraphs>& graphsOf(const WalkReport& walk, GraphVersion version);
// null while they are not known.
const GraphCosts* costsOf(const WalkReport& walk, GraphVersion version, int graph);

// One figure of every node's costs, or why there is none yet.
void fillCosts(Overlay& overlay, const OverlaySource& source, int64_t NodeFigures::* figure);

void setMissing(Overlay& overlay, const QString& why);
// Counts the nodes of every entry of the legend.
void countLegend(Overlay& overlay);
// An entry without colour for the nodes that have no category.
void addRest(Overlay& overlay, const QString& label);
// Largest amount and the words at the ends.
void finishRamp(Overlay& overlay);

// Original nodes as indexes: per origin the largest category of all nodes that came from it; -1 where there is none.
std::vector<signed char> byOrigin(const ModelGraphs& graphs, const std::function<int(int graph, int node)>& categoryOf);
// For a graph of an earlier version than the partitioned one: each node gets the largest amount of what became of it.
// amountOf: of a node of the partitioned graphs, negative: unknown.
void fillFromPartitioned(Overlay& overlay, const OverlaySource& source,
                         const std::function<double(int graph, int node)>& amountOf);
// The largest of what the origins of a node have; -1: none.
int largestOf(const NodeReport& node, std::span<const signed char> byOrigin);

}  // namespace cutaway::ui
