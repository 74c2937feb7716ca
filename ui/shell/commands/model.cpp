// Running the open model, and stopping what goes on.
#include <QClipboard>
#include <QGuiApplication>

#include "engine/session/configuration/onnxruntime_code.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"
#include "ui/shell/walk_command.h"
#include "ui/shell/walk_settings.h"

namespace cutaway::ui {
namespace {

void runModel(MainWindow& window) {
  Document* document = window.currentPage()->document();
  if (document->service().busy())
    return window.message(MainWindow::tr("Wait until the present work is finished, or cancel it."));
  window.ribbon()->button(Stage::kRun)->setChecked(true);
  // The panel of the stage is there now, and runs as its fields say.
  emit window.actions()->runRequested();
  if (!document->service().busy()) document->run();
}

void copyCommand(MainWindow& window) {
  const Document& document = *window.currentPage()->document();
  QGuiApplication::clipboard()->setText(walkCommand(document.path(), document.options()));
  window.message(MainWindow::tr("Copied."));
}

void copyCode(MainWindow& window, session::CodeLanguage language) {
  const Document& document = *window.currentPage()->document();
  QGuiApplication::clipboard()->setText(text(session::onnxruntimeCode(language, document.path().toStdString(),
                                                                      session::configurationOf(document.options()),
                                                                      document.service().host().providers)));
  window.message(MainWindow::tr("Copied."));
}

}  // namespace

std::vector<Command> commands_model(MainWindow& window) {
  return {{.id = QStringLiteral("model.settings"),
           .menu = Menu::kModel,
           .section = QStringLiteral("settings"),
           .title = MainWindow::tr("&Model settings \u2026"),
           .keys = QStringLiteral("Ctrl+Shift+,"),
           .help = MainWindow::tr("Providers, dimensions, level, order, executor, threads and limit of this model."),
           .act = [&window] { WalkSettings(window.currentPage()->document(), &window).exec(); },
           .enabled = [&window] { return !window.currentPage()->document()->service().busy(); }},
          {.id = QStringLiteral("model.copyCommand"),
           .menu = Menu::kModel,
           .section = QStringLiteral("settings"),
           .title = MainWindow::tr("Copy as c&ommand"),
           .help = MainWindow::tr("The cutaway-cli command for this model with these settings."),
           .act = [&window] { copyCommand(window); }},
          {.id = QStringLiteral("model.copyPython"),
           .menu = Menu::kModel,
           .section = QStringLiteral("settings"),
           .title = MainWindow::tr("Copy as P&ython for ONNX Runtime"),
           .keys = QStringLiteral("Ctrl+Shift+C"),
           .help = MainWindow::tr("A program that opens this model in ONNX Runtime with these settings."),
           .act = [&window] { copyCode(window, session::CodeLanguage::kPython); }},
          {.id = QStringLiteral("model.copyCpp"),
           .menu = Menu::kModel,
           .section = QStringLiteral("settings"),
           .title = MainWindow::tr("Copy as C+&+ for ONNX Runtime"),
           .keys = QStringLiteral("Ctrl+Alt+C"),
           .help = MainWindow::tr("A program that opens this model in ONNX Runtime with these settings."),
           .act = [&window] { copyCode(window, session::CodeLanguage::kCpp); }},
          {.id = QStringLiteral("model.run"),
           .menu = Menu::kModel,
           .section = QStringLiteral("run"),
           .title = MainWindow::tr("&Run"),
           .keys = QStringLiteral("Ctrl+R"),
           .help = MainWindow::tr("Runs the model with the inputs, runs and threads that stand on the Run stage."),
           .act = [&window] { runModel(window); }},
          {.id = QStringLiteral("model.exportContext"),
           .menu = Menu::kModel,
           .section = QStringLiteral("run"),
           .title = MainWindow::tr("E&xport context model \u2026"),
           .help = MainWindow::tr("Writes the compiled groups as EPContext nodes, to be loaded without compiling."),
           .act =
               [&window] {
                 window.ribbon()->button(Stage::kContext)->setChecked(true);
                 emit window.actions()->exportContextRequested();
               },
           .enabled =
               [&window] {
                 const auto context = window.currentPage()->document()->walk()->context;
                 return context && context->nodes.empty();
               }},
          {.id = QStringLiteral("model.cancel"),
           .menu = Menu::kModel,
           .section = QStringLiteral("run"),
           .title = MainWindow::tr("&Cancel"),
           .keys = QStringLiteral("Ctrl+."),
           .help = MainWindow::tr("Stops the current work at once."),
           .act = [&window] { window.currentPage()->document()->service().cancel(); },
           .enabled = [&window] { return window.currentPage()->document()->service().busy(); }}};
}

}  // namespace cutaway::ui
