#pragma once
// What the context menu of a node offers on the canvas and in every table: its documentation, its tensors, edits.
//
// Thread rule: GUI thread. Example: QMenu menu;  addNodeEntries(&menu, document, target, actions); menu.exec(position);

#include "ui/base/graph_target.h"

class QMenu;

namespace cutaway::ui {

class Document;
class PanelActions;

void addNodeEntries(QMenu* menu, Document* document, const NodeTarget& target, PanelActions* actions);
void addValueEntries(QMenu* menu, Document* document, const ValueTarget& target, PanelActions* actions);

}  // namespace cutaway::ui
