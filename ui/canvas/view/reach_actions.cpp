// From the selection to a highlighted part of the graph.
#include "ui/canvas/view/reach_actions.h"

#include <algorithm>

#include <QCoreApplication>
#include <QMenu>

#include "ui/base/format.h"
#include "ui/canvas/reach.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

QString tr(const char* words) {
  return QCoreApplication::translate("Reach", words);
}

struct Start {
  GraphVersion version = GraphVersion::kLoaded;
  int graph = 0;
  const GraphReport* report = nullptr;
  std::vector<int> nodes;
};

Start startOf(Document* document) {
  Start start;
  start.version = document->shownVersion();
  const NodeTarget focus = document->selection().focusIn(start.version);
  const auto graphs = document->graphs(start.version);
  start.graph = focus.valid() ? focus.graph : document->selection().graph();
  if (!graphs || start.graph < 0 || start.graph >= static_cast<int>(graphs->graphs.size())) return start;
  start.report = &graphs->graphs[static_cast<size_t>(start.graph)];
  start.nodes = document->selection().nodesIn(start.version, start.graph);
  return start;
}

}  // namespace

QString reachTitle(ReachKind kind) {
  switch (kind) {
    case ReachKind::kNeighbours:
      return tr("Neighbours");
    case ReachKind::kUpstream:
      return tr("Everything upstream");
    case ReachKind::kDownstream:
      return tr("Everything downstream");
    case ReachKind::kPath:
      return tr("Shortest path between two nodes");
    default:
      return tr("All paths between two nodes");
  }
}

QString reachHint(ReachKind kind) {
  return kind < ReachKind::kPath ? tr("Choose a node first.")
                                 : tr("Choose two nodes with Ctrl+click; there must be a path from one to the other.");
}

bool highlightReach(Document* document, ReachKind kind) {
  const Start start = startOf(document);
  if (!start.report || start.nodes.empty()) return false;
  if (kind >= ReachKind::kPath && start.nodes.size() != 2) return false;
  Reach reach{start.version, start.graph, {}, {}};
  switch (kind) {
    case ReachKind::kNeighbours:
      reach.nodes = neighboursOf(*start.report, start.nodes);
      break;
    case ReachKind::kUpstream:
      reach.nodes = upstreamOf(*start.report, start.nodes);
      break;
    case ReachKind::kDownstream:
      reach.nodes = downstreamOf(*start.report, start.nodes);
      break;
    case ReachKind::kPath:
      reach.nodes = shortestPath(*start.report, start.nodes[0], start.nodes[1]);
      std::sort(reach.nodes.begin(), reach.nodes.end());
      break;
    case ReachKind::kAllPaths:
      reach.nodes = nodesBetween(*start.report, start.nodes[0], start.nodes[1]);
      break;
  }
  if (reach.empty()) return false;
  reach.title = tr("%1: %2 nodes").arg(reachTitle(kind), countText(static_cast<int64_t>(reach.nodes.size())));
  ReadingController::of(document).setReach(std::move(reach));
  return true;
}

void selectReach(Document* document) {
  const Reach reach = ReadingController::of(document).reach();
  if (reach.empty()) return;
  document->selection().selectNodes(reach.version, reach.graph, reach.nodes);
}

void addReachEntries(QMenu* menu, Document* document) {
  QMenu* inner = menu->addMenu(tr("Highlight"));
  const size_t chosen = startOf(document).nodes.size();
  for (const ReachKind kind :
       {ReachKind::kNeighbours, ReachKind::kUpstream, ReachKind::kDownstream, ReachKind::kPath, ReachKind::kAllPaths})
    inner->addAction(reachTitle(kind), document, [document, kind] { highlightReach(document, kind); })
        ->setEnabled(kind < ReachKind::kPath ? chosen > 0 : chosen == 2);
  if (ReadingController::of(document).reach().empty()) return;
  inner->addSeparator();
  inner->addAction(tr("Select what is highlighted"), document, [document] { selectReach(document); });
  inner->addAction(tr("End highlighting"), document, [document] { ReadingController::of(document).setReach({}); });
}

}  // namespace cutaway::ui
