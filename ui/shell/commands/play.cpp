// Walking through the execution order, from anywhere in the window.
#include "ui/document/document.h"
#include "ui/panels/play_bar.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {

std::vector<Command> commands_play(MainWindow& window) {
  const auto document = [&window]() -> Document& { return *window.currentPage()->document(); };
  const auto ordered = [document] { return document().playhead().count() > 0; };
  const auto step = [document](int by) {
    Playhead& head = document().playhead();
    const int from = head.active() ? head.step() : stepOfSelection(document());
    goToStep(document(),
             std::clamp(from < 0 ? (by > 0 ? 0 : head.count() - 1) : from + by, 0, std::max(0, head.count() - 1)));
  };
  const QString section = QStringLiteral("play");
  std::vector<Command> all;
  all.push_back({.id = QStringLiteral("play.toggle"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("&Play execution"),
                 .keys = QStringLiteral("Ctrl+Space"),
                 .help = MainWindow::tr("Plays the order on the graph while the memory chart fills."),
                 .act = [document] { document().playhead().setPlaying(!document().playhead().playing()); },
                 .enabled = ordered,
                 .checked = [document] { return document().playhead().playing(); }});
  all.push_back({.id = QStringLiteral("play.next"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("Next s&tep"),
                 .keys = QStringLiteral("Alt+."),
                 .act = [step] { step(1); },
                 .enabled = ordered});
  all.push_back({.id = QStringLiteral("play.previous"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("Previous st&ep"),
                 .keys = QStringLiteral("Alt+,"),
                 .act = [step] { step(-1); },
                 .enabled = ordered});
  all.push_back({.id = QStringLiteral("play.off"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("Show all steps a&gain"),
                 .help = MainWindow::tr("Clears the step, the range and the marks."),
                 .act = [document] { document().playhead().reset(); },
                 .enabled = ordered});
  return all;
}

}  // namespace cutaway::ui
