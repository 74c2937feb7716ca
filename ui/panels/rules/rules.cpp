// Rules: saved queries that colour the nodes they hit.
#include <QCoreApplication>

#include "ui/panels/rules/rules_page.h"

namespace cutaway::ui {

const PanelDescriptor& panel_rules() {
  static const PanelDescriptor descriptor{.id = "rules",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Style rules"),
                                          .icon = "legend",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBeside,
                                          .keys = "Ctrl+Shift+R",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new RulesPage(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
