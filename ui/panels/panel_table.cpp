#include "ui/panels/panel_table.h"

namespace cutaway::ui {

#define CUTAWAY_UNIT(name) const PanelDescriptor& panel_##name();
#include "panel_table.inc"
#undef CUTAWAY_UNIT

const std::vector<const PanelDescriptor*>& panelTable() {
  static const std::vector<const PanelDescriptor*> table = {
#define CUTAWAY_UNIT(name) &panel_##name(),
#include "panel_table.inc"
#undef CUTAWAY_UNIT
  };
  return table;
}

}  // namespace cutaway::ui
