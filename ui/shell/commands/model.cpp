// Running the open model, and stopping what goes on.
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui {
namespace {

void runModel(MainWindow& window) {
  Document* document = window.currentPage()->document();
  if (document->service().busy()) return window.message(MainWindow::tr("Wait until the present work is finished, or cancel it."));
  window.ribbon()->button(Stage::kRun)->setChecked(true);
  document->run();
}

}  // namespace

std::vector<Command> commands_model(MainWindow& window) {
  return {{.id = QStringLiteral("model.run"), .menu = Menu::kModel, .section = QStringLiteral("run"), .title = MainWindow::tr("&Run"), .keys = QStringLiteral("Ctrl+R"),
           .help = MainWindow::tr("Runs the model as it was run last, and profiles it."), .act = [&window] { runModel(window); }},
          {.id = QStringLiteral("model.cancel"), .menu = Menu::kModel, .section = QStringLiteral("run"), .title = MainWindow::tr("&Cancel"), .keys = QStringLiteral("Ctrl+."),
           .help = MainWindow::tr("Stops what is going on at once."), .act = [&window] { window.currentPage()->document()->service().cancel(); },
           .enabled = [&window] { return window.currentPage()->document()->service().busy(); }}};
}

}  // namespace cutaway::ui
