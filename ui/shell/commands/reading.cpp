// Finding one's way in the graph: history, bookmarks, what is reached from the selection.
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/canvas_places.h"
#include "ui/canvas/view/reach_actions.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

void addHistory(MainWindow& window, std::vector<Command>& all) {
  const auto places = [&window] { return window.currentPage()->canvas()->places(); };
  const QString section = QStringLiteral("history");
  all.push_back({.id = QStringLiteral("go.back"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("&Back"),
                 .keys = QStringLiteral("Alt+Left"),
                 .help = MainWindow::tr("Where the canvas was before: graph, place and selection."),
                 .act = [places] { places()->goBack(); },
                 .enabled = [places] { return places()->canGoBack(); }});
  all.push_back({.id = QStringLiteral("go.forward"),
                 .menu = Menu::kGo,
                 .section = section,
                 .title = MainWindow::tr("&Forward"),
                 .keys = QStringLiteral("Alt+Right"),
                 .act = [places] { places()->goForward(); },
                 .enabled = [places] { return places()->canGoForward(); }});
}

void addBookmarks(MainWindow& window, std::vector<Command>& all) {
  const auto places = [&window] { return window.currentPage()->canvas()->places(); };
  const auto at = [&window](int digit) { return window.currentPage()->document()->bookmarks().at(digit); };
  for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit) {
    all.push_back({.id = QStringLiteral("go.bookmark.%1").arg(digit),
                   .menu = Menu::kGo,
                   .section = QStringLiteral("bookmarks"),
                   .title = MainWindow::tr("Bookmark &%1").arg(digit),
                   .canvasKeys = QString::number(digit),
                   .help = MainWindow::tr("Goes to the bookmark under this digit."),
                   .act = [places, digit] { places()->goToBookmark(digit); },
                   .enabled = [at, digit] { return at(digit).has_value(); },
                   .liveTitle =
                       [at, digit] {
                         const auto place = at(digit);
                         return place ? QStringLiteral("&%1  %2").arg(digit).arg(place->title) : QString();
                       }});
    all.push_back({.id = QStringLiteral("go.setBookmark.%1").arg(digit),
                   .menu = Menu::kGo,
                   .section = QStringLiteral("bookmarks"),
                   .submenu = MainWindow::tr("&Set a bookmark here"),
                   .title = MainWindow::tr("Set bookmark &%1").arg(digit),
                   .keys = QStringLiteral("Ctrl+Alt+%1").arg(digit),
                   .help = MainWindow::tr("Pressed again at the same place, it removes the bookmark."),
                   .act = [&window, places, at, digit] {
                     places()->setBookmark(digit);
                     const auto place = at(digit);
                     window.message(place ? MainWindow::tr("Bookmark %1: %2").arg(digit).arg(place->title)
                                          : MainWindow::tr("Bookmark %1 was removed.").arg(digit));
                   }});
  }
}

void addReach(MainWindow& window, std::vector<Command>& all) {
  const auto document = [&window] { return window.currentPage()->document(); };
  const std::pair<ReachKind, const char*> kinds[] = {{ReachKind::kNeighbours, "Alt+N"},
                                                     {ReachKind::kUpstream, "Alt+Shift+Up"},
                                                     {ReachKind::kDownstream, "Alt+Shift+Down"},
                                                     {ReachKind::kPath, "Alt+P"},
                                                     {ReachKind::kAllPaths, "Alt+Shift+P"}};
  constexpr const char* kIds[] = {"neighbours", "upstream", "downstream", "path", "allPaths"};
  const QString submenu = MainWindow::tr("&Highlight"), section = QStringLiteral("highlight");
  for (const auto& [kind, keys] : kinds)
    all.push_back({.id = QStringLiteral("go.reach.") + QLatin1String(kIds[static_cast<size_t>(kind)]),
                   .menu = Menu::kGo,
                   .section = section,
                   .submenu = submenu,
                   .title = reachTitle(kind),
                   .keys = QLatin1String(keys),
                   .help = reachHint(kind),
                   .act = [&window, document, kind] {
                     window.message(highlightReach(document(), kind) ? ReadingController::of(document()).reach().title
                                                                     : reachHint(kind));
                   }});
  const auto reached = [document] { return !ReadingController::of(document()).reach().empty(); };
  all.push_back({.id = QStringLiteral("go.reach.select"),
                 .menu = Menu::kGo,
                 .section = section,
                 .submenu = submenu,
                 .title = MainWindow::tr("&Select what is highlighted"),
                 .keys = QStringLiteral("Alt+S"),
                 .act = [document] { selectReach(document()); },
                 .enabled = reached});
  all.push_back({.id = QStringLiteral("go.reach.end"),
                 .menu = Menu::kGo,
                 .section = section,
                 .submenu = submenu,
                 .title = MainWindow::tr("&End highlighting"),
                 .canvasKeys = MainWindow::tr("Esc"),
                 .act = [document] { ReadingController::of(document()).setReach({}); },
                 .enabled = reached});
}

}  // namespace

std::vector<Command> commands_reading(MainWindow& window) {
  std::vector<Command> all;
  addHistory(window, all);
  addBookmarks(window, all);
  addReach(window, all);
  return all;
}

}  // namespace cutaway::ui
