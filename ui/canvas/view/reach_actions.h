#pragma once
// Highlighting what is reached from the selection: for commands, context menus and keys alike.
//
// Thread rule: GUI thread. Example: if (!highlightReach(document, ReachKind::kUpstream))
// say(reachHint(ReachKind::kUpstream));

#include <QString>

class QMenu;

namespace cutaway::ui {

class Document;

enum class ReachKind { kNeighbours, kUpstream, kDownstream, kPath, kAllPaths };

QString reachTitle(ReachKind kind);  // "Everything upstream"
// What it needs: "Choose a node first."
QString reachHint(ReachKind kind);
// Of the selected nodes in the version that is shown; paths need two. false: the selection does not allow it, or there
// is no path.
bool highlightReach(Document* document, ReachKind kind);
void selectReach(Document* document);
void addReachEntries(QMenu* menu, Document* document);

}  // namespace cutaway::ui
