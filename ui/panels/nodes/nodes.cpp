// Nodes: all nodes in a table that sorts, filters and adds up.
#include <QCoreApplication>

#include "ui/panels/nodes/node_table_page.h"

namespace cutaway::ui {

const PanelDescriptor& panel_nodes() {
  static const PanelDescriptor descriptor{.id = "nodes",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Nodes"),
                                          .icon = "graph",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+Shift+N",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new NodeTablePage(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
