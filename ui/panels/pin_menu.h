#pragma once
// The entries of a context menu that pin nodes to a provider in the what-if draft.
//
// Thread rule: GUI thread.
// Example: QMenu menu;  addPinEntries(&menu, document, target, themes->current(), actions);  menu.exec(position);

#include <string>
#include <vector>

#include "engine/report/partition_report.h"
#include "ui/base/graph_target.h"

class QMenu;

namespace cutaway::ui {

class Document;
class PanelActions;
struct Theme;

// This node, all nodes of its operator, and the scopes it stands in, to each provider of the draft. Nothing before the
// model was optimised.
void addPinEntries(QMenu* menu, Document* document, const NodeTarget& target, const Theme& theme,
                   PanelActions* actions);

// Only this node (by its operator when it has no name), for the button beside its answers.
void addProviderEntries(QMenu* menu, Document* document, const NodePin& pin, const Theme& theme, PanelActions* actions);

// Pins the innermost scope that all these nodes lie in; nothing where they share none.
void addScopePin(QMenu* menu, Document* document, const std::vector<std::string>& names, const Theme& theme,
                 PanelActions* actions);

}  // namespace cutaway::ui
