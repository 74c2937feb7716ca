// The open model beside another one, or beside its what-if.
#include <QFileDialog>
#include <QFileInfo>

#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pair/pair_view.h"
#include "ui/shell/tool_docks.h"

namespace cutaway::ui {
namespace {

void chooseOther(MainWindow& window) {
  const QString path =
      QFileDialog::getOpenFileName(&window, MainWindow::tr("Compare with another model"),
                                   QFileInfo(window.currentPage()->document()->path()).absolutePath(),
                                   MainWindow::tr("ONNX models (*.onnx *.ort *.textproto);;All files (*)"));
  if (!path.isEmpty()) openPair(window.currentPage(), path, window.themes(), window.viewState());
}

// The panel comes to the front: it says how far the work is, and why there is no answer.
void switchOpinion(MainWindow& window) {
  OpinionController& opinion = window.currentPage()->document()->opinion();
  if (opinion.on()) return opinion.drop();
  window.tools()->raise(QStringLiteral("opinion"));
  opinion.ask();
}

}  // namespace

std::vector<Command> commands_compare(MainWindow& window) {
  const auto pair = [&window] { return pairOf(window.currentPage()); };
  const auto paired = [pair] { return pair() != nullptr; };
  QObject::connect(window.actions(), &PanelActions::compareRequested, &window, [&window](const QString& path) {
    if (window.currentPage()) openPair(window.currentPage(), path, window.themes(), window.viewState());
  });
  const QString section = QStringLiteral("compare");
  std::vector<Command> all;
  all.push_back(
      {.id = QStringLiteral("compare.model"),
       .menu = Menu::kModel,
       .section = section,
       .title = MainWindow::tr("Com&pare with another model \u2026"),
       .keys = QStringLiteral("Ctrl+Shift+D"),
       .help = MainWindow::tr("Shows another model beside this one, with what differs in colours and as a list."),
       .act = [&window] { chooseOther(window); }});
  all.push_back({.id = QStringLiteral("compare.whatIf"),
                 .menu = Menu::kModel,
                 .section = section,
                 .title = MainWindow::tr("Show &what-if beside"),
                 .help = MainWindow::tr("The present configuration and the one that was tried out, side by side."),
                 .act = [&window] { openPair(window.currentPage(), {}, window.themes(), window.viewState()); },
                 .enabled = [&window] { return window.currentPage()->document()->whatIf() != nullptr; }});
  all.push_back(
      {.id = QStringLiteral("compare.opinion"),
       .menu = Menu::kModel,
       .section = section,
       .title = MainWindow::tr("Compare with O&NNX Runtime"),
       .keys = QStringLiteral("Ctrl+Shift+O"),
       .help = MainWindow::tr("Asks ONNX Runtime about the same model and shows every stage of both, in the "
                              "ribbon and as tables."),
       .act = [&window] { switchOpinion(window); },
       .checked = [&window] { return window.currentPage() && window.currentPage()->document()->opinion().on(); }});
  all.push_back({.id = QStringLiteral("compare.next"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("Next &difference"),
                 .keys = QStringLiteral("N"),
                 .act =
                     [pair] {
                       if (PairView* view = pair()) view->stepDifference(1);
                     },
                 .enabled = paired});
  all.push_back({.id = QStringLiteral("compare.previous"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("Previous d&ifference"),
                 .keys = QStringLiteral("Shift+N"),
                 .act =
                     [pair] {
                       if (PairView* view = pair()) view->stepDifference(-1);
                     },
                 .enabled = paired});
  all.push_back({.id = QStringLiteral("compare.swap"),
                 .menu = Menu::kModel,
                 .section = section,
                 .title = MainWindow::tr("&Swap the sides"),
                 .act =
                     [pair] {
                       if (PairView* view = pair()) view->swapSides();
                     },
                 .enabled = paired});
  all.push_back({.id = QStringLiteral("compare.close"),
                 .menu = Menu::kModel,
                 .section = section,
                 .title = MainWindow::tr("Close the comp&arison"),
                 .act =
                     [pair] {
                       if (PairView* view = pair()) view->endComparison();
                     },
                 .enabled = paired});
  return all;
}

}  // namespace cutaway::ui
