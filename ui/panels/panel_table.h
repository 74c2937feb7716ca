#pragma once
// Every panel that was built in, in the order of the folder's list.
//
// Thread rule: any thread. Example: for (const PanelDescriptor* panel : panelTable()) addDock(*panel);

#include <vector>

#include "ui/panels/panel.h"

namespace cutaway::ui {

const std::vector<const PanelDescriptor*>& panelTable();

}  // namespace cutaway::ui
