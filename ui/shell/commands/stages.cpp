// One entry for each stage of the walk.
#include "ui/base/stage_words.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui {

std::vector<Command> commands_stages(MainWindow& window) {
  std::vector<Command> all;
  for (int i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    all.push_back({.id = QStringLiteral("go.stage.") + QLatin1String(stageId(stage)),
                   .menu = Menu::kGo,
                   .section = QStringLiteral("stages"),
                   .title = stageMenuWords(stage),
                   .keys = QStringLiteral("Alt+%1").arg(i + 1),
                   .help = MainWindow::tr("Shows this stage."),
                   .act = [&window, stage] { window.ribbon()->button(stage)->setChecked(true); },
                   .checked = [&window, stage] { return window.currentPage()->document()->stage() == stage; }});
  }
  return all;
}

}  // namespace cutaway::ui
